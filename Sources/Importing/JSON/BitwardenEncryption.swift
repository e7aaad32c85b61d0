import KeywayCrypto
import PasskeySignatures
import SecretDocuments

/// Bitwarden's export under a password of its own: PBKDF2, AES-256-CBC and HMAC-SHA256.
enum BitwardenEncryption {
    /// The most rounds that are computed: some seconds.
    private static let mostRounds: Int64 = 10_000_000

    /// The JSON that is encrypted in a file.
    ///
    /// - Throws: ``ImportError``: `unsupported`, `needsPassword`, `wrongPassword`, `damaged`.
    static func content(of file: JSONObject, password: SecretBytes?) throws(ImportError) -> SecretBytes {
        guard file["passwordProtected"]?.boolean == true else {
            throw ImportError(.unsupported, "the file can be read by the account alone that it was exported from")
        }
        guard let salt = file.text("salt"), let validation = file.text("encKeyValidation_DO_NOT_EDIT"),
            let data = file.text("data"), let rounds = file["kdfIterations"]?.integer
        else { throw ImportError(.damaged, "the encrypted file lacks a part") }
        guard file["kdfType"]?.integer == 0 else {
            throw ImportError(
                .unsupported, "the file is encrypted by Argon2id. Choose PBKDF2 in Bitwarden's settings first")
        }
        guard (1...mostRounds).contains(rounds) else {
            throw ImportError(.unsupported, "the file asks for more rounds of PBKDF2 than Keyway computes")
        }
        guard let password else { throw ImportError(.needsPassword, "the file is encrypted with a password") }
        do {
            let key = try salt.withUnsafeBytes { (salt) throws(PasskeySignatureError) in
                try HashAlgorithm.sha256.passwordKey(password, salt: salt, rounds: Int(rounds), count: 32)
            }
            let keys = (encryption: try expand(key, "enc"), authentication: try expand(key, "mac"))
            guard try open(validation, keys) != nil else {
                throw ImportError(.wrongPassword, "the password of the file is another")
            }
            guard let content = try open(data, keys) else {
                throw ImportError(.damaged, "the encrypted part of the file is damaged")
            }
            return content
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(.failed, "the file couldn't be decrypted")
        }
    }

    /// One block of HKDF-Expand (RFC 5869) with SHA-256.
    private static func expand(_ key: SecretBytes, _ purpose: String) throws -> SecretBytes {
        try (Array(purpose.utf8) + [1]).withUnsafeBytes { try HashAlgorithm.sha256.keyedHash(of: $0, key: key) }
    }

    /// A value `2.vector|message|code`, each in Base64; nil where the code is another.
    private static func open(
        _ value: SecretText, _ keys: (encryption: SecretBytes, authentication: SecretBytes)
    ) throws -> SecretBytes? {
        guard value.hasPrefix("2."), let first = value.range(of: "|") else { return nil }
        let rest = value[first.upperBound..<value.count]
        guard let second = rest.range(of: "|"),
            let vector = SecretBytes(base64: value[2..<first.lowerBound].secret), vector.count == 16,
            let message = SecretBytes(base64: rest[0..<second.lowerBound].secret),
            let code = SecretBytes(base64: rest[second.upperBound..<rest.count].secret)
        else { return nil }
        let signed = SecretBytes(count: vector.count + message.count) { room in
            vector.withUnsafeBytes { room.copyMemory(from: $0) }
            message.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: room[vector.count...]).copyMemory(from: $0)
            }
        }
        let expected = try signed.withUnsafeBytes {
            try HashAlgorithm.sha256.keyedHash(of: $0, key: keys.authentication)
        }
        guard expected == code else { return nil }
        return try message.withUnsafeBytes { message in
            try vector.withUnsafeBytes { try ChainedCipher.open(message, key: keys.encryption, vector: $0) }
        }
    }
}
