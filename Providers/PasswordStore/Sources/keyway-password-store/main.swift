import AuthenticationServices
import PasswordStore

// The parts of the bundle are one file with three names: each has all of Foundation in it.
switch CommandLine.arguments.first?.split(separator: "/").last {
case "keyway-password-store-extension": runCredentialProviderExtension(PasswordStoreViewController.self)
case "keyway-password-store-service": runStoreService()
default:
    guard KeywayActivityController.isWanted else {
        FileHandle.standardError.write(
            Data("keyway-password-store is started by Keyway. To move accounts, run: keyway exchange\n".utf8))
        exit(EXIT_FAILURE)
    }
    runKeywayActivityController { PasswordStoreActivities() }
}
