import KeywayCrypto
import OtherCiphers
import PasskeySignatures
import SecretDocuments

/// Aegis under a password: scrypt, and AES-256-GCM for a key of the file, which encrypts the rest.
enum AegisEncryption {
    /// The most slots for passwords that are tried.
    private static let mostSlots = 8
    private static let tagCount = AuthenticatedCipher.tagCount

    /// The JSON that is encrypted in a file.
    ///
    /// - Throws: ``ImportError``.
    static func content(
        of file: JSONObject, password: SecretBytes?, limits: DerivationLimits
    ) throws(ImportError) -> SecretBytes {
        let header = file.object("header")
        // The others are for fingerprints, and for keys that only the phone has.
        let slots = header.objects("slots").filter { $0["type"]?.integer == 1 }
        guard !slots.isEmpty else { throw ImportError(.unsupported, "the file is encrypted without a password") }
        guard slots.count <= mostSlots else { throw ImportError(.tooLarge, "the file has too many passwords") }
        guard let password else { throw ImportError(.needsPassword, "the file is encrypted with a password") }
        guard let text = file.text("db"), let sealed = SecretBytes(base64: text.secret) else { throw damaged }
        for slot in slots {
            guard let masterKey = try key(in: slot, password, limits) else { continue }
            guard let content = try open(sealed, header.object("params"), key: masterKey) else { throw damaged }
            return content
        }
        throw ImportError(.wrongPassword, "the password of the file is another")
    }

    private static let damaged = ImportError(.damaged, "the encrypted part of the file is damaged")

    /// The key that a slot holds; nil where the password is another.
    private static func key(
        in slot: JSONObject, _ password: SecretBytes, _ limits: DerivationLimits
    ) throws(ImportError) -> SecretBytes? {
        guard let cost = slot["n"]?.integer, let blockSize = slot["r"]?.integer, let lanes = slot["p"]?.integer,
            cost > 1, cost & (cost - 1) == 0, blockSize > 0, lanes > 0, let sealed = digits(slot, "key"),
            let salt = digits(slot, "salt")
        else { throw damaged }
        // 128 bytes for each step of each block, and as much for each lane; what is too large is refused for its cost.
        let isCountable = [cost, blockSize, lanes].allSatisfy { $0 < 1 << 30 }
        do {
            try limits.check(
                memory: isCountable ? Int((blockSize * (cost + lanes) + 7) / 8) : Int.max, passes: Int(lanes))
            let derived = try salt.withUnsafeBytes {
                try Scrypt.passwordKey(
                    password, salt: $0, cost: Int(cost), blockSize: Int(blockSize), lanes: Int(lanes), count: 32)
            }
            return try open(sealed, slot.object("key_params"), key: derived).flatMap { $0.count == 32 ? $0 : nil }
        } catch let error as OtherCipherError {
            throw ImportError(error)
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(.failed, "the file couldn't be decrypted")
        }
    }

    private static func open(
        _ sealed: SecretBytes, _ parameters: JSONObject, key: SecretBytes
    ) throws(ImportError) -> SecretBytes? {
        guard let nonce = digits(parameters, "nonce"), nonce.count == 12, let tag = digits(parameters, "tag"),
            tag.count == tagCount
        else { throw damaged }
        do {
            return try sealed.withUnsafeBytes { sealed in
                try tag.withUnsafeBytes { tag in
                    try nonce.withUnsafeBytes {
                        try AuthenticatedCipher.aesGCM.open(sealed, tag: tag, key: key, nonce: $0)
                    }
                }
            }
        } catch {
            throw ImportError(.failed, "the file couldn't be decrypted")
        }
    }

    private static func digits(_ object: JSONObject, _ name: String) -> SecretBytes? {
        object.text(name).flatMap { SecretBytes(hexadecimal: $0.secret) }
    }
}

/// 2FAS under a password: PBKDF2, and AES-256-GCM.
enum TwoFASEncryption {
    private static let rounds = 10_000

    /// The list of services that is encrypted in a file.
    ///
    /// - Throws: ``ImportError``.
    static func services(of file: JSONObject, password: SecretBytes?) throws(ImportError) -> SecretBytes {
        guard let sealed = file.text("servicesEncrypted") else { throw damaged }
        guard let password else { throw ImportError(.needsPassword, "the file is encrypted with a password") }
        if let services = try open(sealed, password) { return services }
        // Another value under the same password tells which of the two is wrong.
        if let reference = file.filled("reference"), try open(reference, password) != nil { throw damaged }
        throw ImportError(.wrongPassword, "the password of the file is another")
    }

    private static let damaged = ImportError(.damaged, "the encrypted part of the file is damaged")

    /// A value `data:salt:nonce`, each in Base64, with the tag at the end of the data; nil where the password is another.
    private static func open(_ value: SecretText, _ password: SecretBytes) throws(ImportError) -> SecretBytes? {
        guard let first = value.range(of: ":") else { throw damaged }
        let rest = value[first.upperBound..<value.count]
        guard let second = rest.range(of: ":"), let sealed = SecretBytes(base64: value[0..<first.lowerBound].secret),
            let salt = SecretBytes(base64: rest[0..<second.lowerBound].secret),
            let nonce = SecretBytes(base64: rest[second.upperBound..<rest.count].secret), nonce.count == 12,
            sealed.count >= AuthenticatedCipher.tagCount
        else { throw damaged }
        do {
            let key = try salt.withUnsafeBytes {
                try HashAlgorithm.sha256.passwordKey(password, salt: $0, rounds: rounds, count: 32)
            }
            return try sealed.withUnsafeBytes { sealed in
                let end = sealed.count - AuthenticatedCipher.tagCount
                return try nonce.withUnsafeBytes { nonce in
                    try AuthenticatedCipher.aesGCM.open(
                        UnsafeRawBufferPointer(rebasing: sealed[..<end]),
                        tag: UnsafeRawBufferPointer(rebasing: sealed[end...]), key: key, nonce: nonce)
                }
            }
        } catch {
            throw ImportError(.failed, "the file couldn't be decrypted")
        }
    }
}
