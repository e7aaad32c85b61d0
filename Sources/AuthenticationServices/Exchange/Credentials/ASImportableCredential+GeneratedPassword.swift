extension ASImportableCredential {
    /// A password that was generated and belongs to no account yet; `generated-password` in the exchange format.
    public struct GeneratedPassword: Codable, Hashable, Sendable {
        /// The password.
        public var password: String

        /// A password that was generated and belongs to no account yet.
        public init(password: String) {
            self.password = password
        }
    }
}
