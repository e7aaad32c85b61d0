/// The program `keyway-passwords-extension`.
@MainActor
package enum PasswordsProgram {
    /// Answers requests until the broker ends it.
    package static func main() {
        PasswordsViewController.main()
    }
}
