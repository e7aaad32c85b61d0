import KeywayCrypto
import OtherCiphers
import PasskeySignatures
import SecretDocuments

/// Bitwarden's export under a password of its own: PBKDF2 or Argon2id, AES-256-CBC and HMAC-SHA256.
enum BitwardenEncryption {
    /// The JSON that is encrypted in a file.
    ///
    /// - Throws: ``ImportError``: `unsupported`, `needsPassword`, `wrongPassword`, `damaged`.
    static func content(
        of file: JSONObject, password: SecretBytes?, limits: DerivationLimits
    ) throws(ImportError) -> SecretBytes {
        guard file["passwordProtected"]?.boolean == true else {
            throw ImportError(.unsupported, "the file can be read by the account alone that it was exported from")
        }
        guard let salt = file.text("salt"), let validation = file.text("encKeyValidation_DO_NOT_EDIT"),
            let data = file.text("data")
        else { throw ImportError(.damaged, "the encrypted file lacks a part") }
        let derivation = try Derivation(file, limits)
        guard let password else { throw ImportError(.needsPassword, "the file is encrypted with a password") }
        do {
            let key = try derivation.derive(from: password, salt: salt)
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
        } catch let error as OtherCipherError {
            throw ImportError(error)
        } catch {
            throw ImportError(.failed, "the file couldn't be decrypted")
        }
    }

    /// How the key comes from the password.
    private enum Derivation {
        case pbkdf2(rounds: Int)
        case argon2id(Argon2)

        /// The most rounds of PBKDF2 that are computed: some seconds.
        private static let mostRounds: Int64 = 10_000_000

        init(_ file: JSONObject, _ limits: DerivationLimits) throws(ImportError) {
            guard let rounds = file["kdfIterations"]?.integer, rounds > 0 else {
                throw ImportError(.damaged, "the encrypted file lacks a part")
            }
            switch file["kdfType"]?.integer {
            case 0:
                guard rounds <= Self.mostRounds else {
                    throw ImportError(.tooCostly, "the file asks for more rounds of PBKDF2 than Keyway computes")
                }
                self = .pbkdf2(rounds: Int(rounds))
            case 1:
                guard let memory = file["kdfMemory"]?.integer, let lanes = file["kdfParallelism"]?.integer, memory > 0,
                    lanes > 0
                else { throw ImportError(.damaged, "the encrypted file lacks a part") }
                // What is too large is refused for its cost.
                let (kibibytes, isTooLarge) = memory.multipliedReportingOverflow(by: 1024)
                let argon2 = Argon2(
                    .id, memory: isTooLarge ? Int.max : Int(kibibytes), passes: Int(rounds), lanes: Int(lanes))
                do throws(OtherCipherError) {
                    try limits.check(argon2)
                } catch {
                    throw ImportError(error)
                }
                self = .argon2id(argon2)
            default: throw ImportError(.unsupported, "the file derives its key in a way that Keyway doesn't know")
            }
        }

        func derive(from password: SecretBytes, salt: SecretText) throws -> SecretBytes {
            switch self {
            case .pbkdf2(let rounds):
                try salt.withUnsafeBytes {
                    try HashAlgorithm.sha256.passwordKey(password, salt: $0, rounds: rounds, count: 32)
                }
            case .argon2id(let argon2):
                try argon2.derive(from: password, salt: salt.withUnsafeBytes { Digest.sha256($0) }, count: 32)
            }
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
