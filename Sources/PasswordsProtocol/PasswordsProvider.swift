/// The provider that comes with Keyway.
package enum PasswordsProvider {
    /// The identifier of its bundle.
    package static let identifier = "org.keyway.passwords"
}
