import AuthenticationServices
import PasswordStore

guard KeywayActivityController.isWanted else {
    FileHandle.standardError.write(
        Data("keyway-password-store is started by Keyway. To move accounts, run: keyway exchange\n".utf8))
    exit(EXIT_FAILURE)
}
runKeywayActivityController { PasswordStoreActivities() }
