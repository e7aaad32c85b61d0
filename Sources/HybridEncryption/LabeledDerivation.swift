import KeywayCrypto
import PasskeySignatures

/// HKDF with labels (RFC 9180, section 4): what is derived for one use is of no use in another.
struct LabeledDerivation {
    private let hash: HashAlgorithm
    /// How many bytes the hash has.
    let count: Int
    private let suite: [UInt8]

    /// The derivation within the sharing of a secret, which has SHA-256 whatever the suite derives by.
    init(of kem: HPKESuite.KEM) {
        (hash, count) = HPKESuite.KDF.sha256.hash
        suite = Array("KEM".utf8) + kem.rawValue.bigEndianBytes
    }

    /// The derivation of a suite's keys.
    init(of suite: HPKESuite) {
        (hash, count) = suite.kdf.hash
        self.suite =
            Array("HPKE".utf8) + suite.kem.rawValue.bigEndianBytes + suite.kdf.rawValue.bigEndianBytes
            + suite.aead.rawValue.bigEndianBytes
    }

    /// `LabeledExtract`; an absent salt is an empty one.
    func extract(
        salt: SecretBytes? = nil, _ label: String, _ material: SecretBytes
    ) throws(HybridEncryptionError) -> SecretBytes {
        let message = labelled(label)
        message.append(material)
        // As HMAC takes an empty key.
        return try code(of: message, key: salt ?? SecretBytes(count: count) { _ in })
    }

    /// `LabeledExpand`.
    func expand(
        _ key: SecretBytes, _ label: String, _ info: [UInt8], count wanted: Int
    ) throws(HybridEncryptionError) -> SecretBytes {
        guard wanted <= 255 * count else {
            throw HybridEncryptionError(.exhausted, "\(wanted) bytes of one derivation")
        }
        let derived = SecretBuffer(capacity: wanted + count)
        var (previous, number) = (nil as SecretBytes?, UInt8(0))
        while derived.count < wanted {
            number += 1
            let message = SecretBuffer(capacity: 256)
            if let previous { message.append(previous) }
            message.append(UInt8(truncatingIfNeeded: wanted >> 8))
            message.append(UInt8(truncatingIfNeeded: wanted))
            labelled(label).withUnsafeBytes { message.append($0) }
            info.lend { message.append($0) }
            message.append(number)
            let block = try code(of: message, key: key)
            derived.append(block)
            previous = block
        }
        derived.removeLast(derived.count - wanted)
        return derived.finish()
    }

    private func labelled(_ label: String) -> SecretBuffer {
        let buffer = SecretBuffer(capacity: 256)
        buffer.append(utf8Of: "HPKE-v1")
        suite.lend { buffer.append($0) }
        buffer.append(utf8Of: label)
        return buffer
    }

    private func code(of message: SecretBuffer, key: SecretBytes) throws(HybridEncryptionError) -> SecretBytes {
        do throws(PasskeySignatureError) {
            return try message.withUnsafeBytes { (bytes) throws(PasskeySignatureError) in
                try hash.keyedHash(of: bytes, key: key)
            }
        } catch {
            throw HybridEncryptionError(error)
        }
    }
}

extension UInt16 {
    /// The number in two bytes, the most significant first (`I2OSP`).
    var bigEndianBytes: [UInt8] { [UInt8(truncatingIfNeeded: self >> 8), UInt8(truncatingIfNeeded: self)] }
}
