extension ASImportableCredential {
    /// A key for a program's interface; `api-key` in the exchange format.
    public struct APIKey: Codable, Hashable, Sendable {
        /// The key itself, concealed.
        public var key: ASImportableEditableField?
        /// The user name.
        public var userName: ASImportableEditableField?
        /// What kind of key it is.
        public var keyType: ASImportableEditableField?
        /// Where the key is used.
        public var url: ASImportableEditableField?
        /// The first day on which it is valid.
        public var validFrom: ASImportableEditableField?
        /// The last day on which it is valid.
        public var expiryDate: ASImportableEditableField?

        /// A key for a program's interface, of its parts.
        public init(
            key: ASImportableEditableField?,
            userName: ASImportableEditableField?,
            keyType: ASImportableEditableField?,
            url: ASImportableEditableField?,
            validFrom: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?
        ) {
            self.key = key
            self.userName = userName
            self.keyType = keyType
            self.url = url
            self.validFrom = validFrom
            self.expiryDate = expiryDate
        }

        private enum CodingKeys: String, CodingKey {
            case userName = "username"
            case key, keyType, url, validFrom, expiryDate
        }
    }
}
