extension ASImportableCredential {
    /// A user name and a password; `basic-auth` in the exchange format.
    public struct BasicAuthentication: Codable, Hashable, Sendable {
        /// The user name.
        public var userName: ASImportableEditableField?
        /// The password, concealed.
        public var password: ASImportableEditableField?

        /// A user name and a password, of its parts.
        public init(userName: ASImportableEditableField?, password: ASImportableEditableField?) {
            self.userName = userName
            self.password = password
        }

        private enum CodingKeys: String, CodingKey {
            case userName = "username"
            case password
        }
    }
}
