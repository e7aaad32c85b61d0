public import Foundation

extension ASImportableCredential {
    /// A key for SSH; `ssh-key` in the exchange format.
    public struct SSHKey: Codable, Hashable, Sendable {
        /// The algorithm as SSH names it: `ssh-ed25519`.
        public var keyType: String
        /// The private key, as PKCS#8, not encrypted.
        public var privateKey: Data
        /// What the person wrote beside it.
        public var keyComment: String?
        /// The day on which it was made.
        public var creationDate: ASImportableEditableField?
        /// The last day on which it is valid.
        public var expiryDate: ASImportableEditableField?
        /// What it was made with.
        public var keyGenerationSource: ASImportableEditableField?

        /// A key for SSH.
        public init(
            keyType: String, privateKey: Data, keyComment: String?, creationDate: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?, keyGenerationSource: ASImportableEditableField?
        ) {
            self.keyType = keyType
            self.privateKey = privateKey
            self.keyComment = keyComment
            self.creationDate = creationDate
            self.expiryDate = expiryDate
            self.keyGenerationSource = keyGenerationSource
        }

        // MARK: Coding

        private enum CodingKeys: CodingKey {
            case keyType, privateKey, keyComment, creationDate, expiryDate, keyGenerationSource
        }

        /// Reads an SSH key of the exchange format.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            keyType = try container.decode(String.self, forKey: .keyType)
            privateKey = try container.bytes(forKey: .privateKey)
            keyComment = try container.decodeIfPresent(String.self, forKey: .keyComment)
            creationDate = try container.decodeIfPresent(ASImportableEditableField.self, forKey: .creationDate)
            expiryDate = try container.decodeIfPresent(ASImportableEditableField.self, forKey: .expiryDate)
            keyGenerationSource = try container.decodeIfPresent(
                ASImportableEditableField.self, forKey: .keyGenerationSource)
        }

        /// Writes an SSH key of the exchange format.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(keyType, forKey: .keyType)
            try container.encode(bytes: privateKey, forKey: .privateKey)
            try container.encodeIfPresent(keyComment, forKey: .keyComment)
            try container.encodeIfPresent(creationDate, forKey: .creationDate)
            try container.encodeIfPresent(expiryDate, forKey: .expiryDate)
            try container.encodeIfPresent(keyGenerationSource, forKey: .keyGenerationSource)
        }
    }
}
