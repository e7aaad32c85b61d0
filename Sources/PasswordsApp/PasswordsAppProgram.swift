import AuthenticationServices

/// The program `keyway-passwords`: the app of Passwords, as the broker starts it for an activity.
@MainActor
package enum PasswordsAppProgram {
    /// Continues one activity; the broker ends the process then.
    package static func main() {
        guard KeywayActivityController.isWanted else {
            FileHandle.standardError.write(
                Data("keyway-passwords is started by Keyway. To move accounts, run: keyway exchange\n".utf8))
            exit(EXIT_FAILURE)
        }
        PasswordsActivities.main()
    }
}
