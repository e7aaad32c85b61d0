package import KeywayCrypto
import SecretDocuments

/// A passkey of a document, checked for what every passkey has (CXF 1.0, "Passkey"). Whether the key is one is up to who
/// stores it.
package struct ExchangePasskey: Sendable, Equatable {
    /// Its identifier at the site.
    package let credentialID: [UInt8]
    /// The site.
    package let relyingParty: String
    /// `user.name`, or what the person made of it.
    package let userName: String
    /// `user.displayName`; may be empty.
    package let userDisplayName: String
    /// `user.id`; empty ones are seen.
    package let userHandle: [UInt8]
    /// The private key: PKCS #8 in DER.
    package let key: SecretBytes
    /// The secret of `prf` with user verification.
    package let secretWithVerification: SecretBytes?
    /// The secret of `prf` without it.
    package let secretWithoutVerification: SecretBytes?
    /// What the site stored with it: raw DEFLATE, and how long that is when it is unpacked.
    package let largeBlob: (data: SecretBytes, size: Int64)?

    /// A passkey by its parts.
    package init(
        credentialID: [UInt8], relyingParty: String, userName: String, userDisplayName: String, userHandle: [UInt8],
        key: SecretBytes, secretWithVerification: SecretBytes? = nil, secretWithoutVerification: SecretBytes? = nil,
        largeBlob: (data: SecretBytes, size: Int64)? = nil
    ) throws(ExchangeError) {
        guard (1...1023).contains(credentialID.count) else {
            throw Self.invalid("has an identifier of impossible length")
        }
        guard userHandle.count <= 64 else { throw Self.invalid("has a user handle of impossible length") }
        guard (1...253).contains(relyingParty.utf8.count),
            relyingParty.utf8.allSatisfy({
                $0 > 0x20 && ![UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@")].contains($0)
            })
        else { throw Self.invalid("is for no site") }
        guard !key.isEmpty else { throw Self.invalid("has no key") }
        self.credentialID = credentialID
        self.relyingParty = relyingParty
        self.userName = userName
        self.userDisplayName = userDisplayName
        self.userHandle = userHandle
        self.key = key
        self.secretWithVerification = secretWithVerification
        self.secretWithoutVerification = secretWithoutVerification
        self.largeBlob = largeBlob
    }

    /// Reads one.
    ///
    /// - Throws: ``ExchangeError``: `invalidCredential`.
    package init(_ credential: ExchangeCredential) throws(ExchangeError) {
        try credential.check()
        guard credential.type == .passkey, let identifier = credential.bytes("credentialId"),
            let handle = credential.bytes("userHandle"), let key = credential.bytes("key")
        else { throw Self.invalid("isn't whole") }
        let extensions = credential.object["fido2Extensions"]?.object ?? JSONObject()
        // The name before the errata of 2026 is still written.
        let secrets = (extensions["hmacCredentials"] ?? extensions["hmacSecret"])?.object.map(ExchangeCredential.init)
        let blob = extensions["largeBlob"]?.object.map(ExchangeCredential.init)
        try self.init(
            credentialID: identifier.publicBytes, relyingParty: credential.text("rpId") ?? "",
            userName: credential.text("username") ?? "", userDisplayName: credential.text("userDisplayName") ?? "",
            userHandle: handle.publicBytes, key: key, secretWithVerification: secrets?.bytes("credWithUV"),
            secretWithoutVerification: secrets?.bytes("credWithoutUV"),
            largeBlob: blob.flatMap { blob in
                blob.bytes("data").map { ($0, blob.object["uncompressedSize"]?.integer ?? 0) }
            })
    }

    private static func invalid(_ detail: String) -> ExchangeError {
        ExchangeCredential.invalid("the passkey \(detail)")
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.credentialID == right.credentialID && left.relyingParty == right.relyingParty
            && left.userName == right.userName && left.userDisplayName == right.userDisplayName
            && left.userHandle == right.userHandle && left.key == right.key
            && left.secretWithVerification == right.secretWithVerification
            && left.secretWithoutVerification == right.secretWithoutVerification
            && left.largeBlob?.data == right.largeBlob?.data && left.largeBlob?.size == right.largeBlob?.size
    }
}

extension SecretBytes {
    /// The bytes as an array, which is never wiped: for what is no secret, such as an identifier.
    var publicBytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
