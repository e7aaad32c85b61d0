public import Foundation

extension ASImportableCredential {
    /// A passkey; `passkey` in the exchange format.
    public struct Passkey: Codable, Hashable, Sendable {
        /// The identifier of the credential; at most 1023 bytes.
        public var credentialID: Data
        /// The site that it is for.
        public var relyingPartyIdentifier: String
        /// The user name at the site.
        public var userName: String
        /// The name that the site shows; may be empty.
        public var userDisplayName: String
        /// The site's own identifier of the user.
        public var userHandle: Data
        /// The private key, as PKCS#8.
        public var key: Data
        /// What belongs to extensions of the credential.
        public var fido2Extensions: ASImportableFIDO2Extensions?

        /// A passkey without data of extensions.
        public init(
            credentialID: Data, relyingPartyIdentifier: String, userName: String, userDisplayName: String,
            userHandle: Data, key: Data
        ) {
            self.init(
                credentialID: credentialID, relyingPartyIdentifier: relyingPartyIdentifier, userName: userName,
                userDisplayName: userDisplayName, userHandle: userHandle, key: key, fido2Extensions: nil)
        }

        /// A passkey with the data of its extensions.
        public init(
            credentialID: Data, relyingPartyIdentifier: String, userName: String, userDisplayName: String,
            userHandle: Data, key: Data, fido2Extensions: ASImportableFIDO2Extensions?
        ) {
            self.credentialID = credentialID
            self.relyingPartyIdentifier = relyingPartyIdentifier
            self.userName = userName
            self.userDisplayName = userDisplayName
            self.userHandle = userHandle
            self.key = key
            self.fido2Extensions = fido2Extensions
        }

        // MARK: Coding

        private enum CodingKeys: String, CodingKey {
            case credentialID = "credentialId"
            case relyingPartyIdentifier = "rpId"
            case userName = "username"
            case userDisplayName, userHandle, key, fido2Extensions
        }

        /// Reads a passkey of the exchange format.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            credentialID = try container.bytes(forKey: .credentialID)
            relyingPartyIdentifier = try container.decode(String.self, forKey: .relyingPartyIdentifier)
            userName = try container.decode(String.self, forKey: .userName)
            userDisplayName = try container.decode(String.self, forKey: .userDisplayName)
            userHandle = try container.bytes(forKey: .userHandle)
            key = try container.bytes(forKey: .key)
            fido2Extensions = try container.decodeIfPresent(ASImportableFIDO2Extensions.self, forKey: .fido2Extensions)
        }

        /// Writes a passkey of the exchange format.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(bytes: credentialID, forKey: .credentialID)
            try container.encode(relyingPartyIdentifier, forKey: .relyingPartyIdentifier)
            try container.encode(userName, forKey: .userName)
            try container.encode(userDisplayName, forKey: .userDisplayName)
            try container.encode(bytes: userHandle, forKey: .userHandle)
            try container.encode(bytes: key, forKey: .key)
            try container.encodeIfPresent(fido2Extensions, forKey: .fido2Extensions)
        }
    }
}
