package import KeywayCrypto
import PasskeySignatures

/// What both sides have once a secret is shared: keys for messages in their order, and secrets to export (RFC 9180, sections
/// 5.1 to 5.3). In base mode, which says nothing of who encrypts.
package final class HPKEContext {
    /// How long what seals a message makes it longer, in bytes.
    package static let overhead = AuthenticatedCipher.tagCount
    private static let nonceCount = 12

    private let suite: HPKESuite
    private let derivation: LabeledDerivation
    private let key: SecretBytes
    private let nonce: SecretBytes
    private let exporter: SecretBytes
    private var sequence: UInt64

    /// The context of who encrypts for `recipient`, and what its receiver needs of it beside the messages.
    ///
    /// - Throws: `invalidKey` where the key is for another suite, or one with which everybody would know the secret.
    package static func sender(
        _ suite: HPKESuite, to recipient: HPKEPublicKey, info: [UInt8], random: any RandomSource
    ) throws(HybridEncryptionError) -> (context: HPKEContext, encapsulation: [UInt8]) {
        guard recipient.kem == suite.kem else { throw HybridEncryptionError(.invalidKey, "key of another suite") }
        let shared = try SharedSecret.encapsulate(for: recipient, random: random)
        return (try HPKEContext(suite, shared.secret, info), shared.encapsulation)
    }

    /// The context of who owns the key.
    ///
    /// - Throws: `invalidKey`, also for an encapsulation that is none.
    package static func recipient(
        _ suite: HPKESuite, _ own: HPKEPrivateKey, encapsulation: [UInt8], info: [UInt8]
    ) throws(HybridEncryptionError) -> HPKEContext {
        guard own.publicKey.kem == suite.kem else { throw HybridEncryptionError(.invalidKey, "key of another suite") }
        return try HPKEContext(suite, try SharedSecret.decapsulate(encapsulation, with: own), info)
    }

    /// `KeySchedule` in base mode, at the message of that number.
    init(
        _ suite: HPKESuite, _ secret: SecretBytes, _ info: [UInt8], sequence: UInt64 = 0
    ) throws(HybridEncryptionError) {
        let derivation = LabeledDerivation(of: suite)
        let nothing = SecretBytes(count: 0) { _ in }
        let identifiers = try derivation.extract("psk_id_hash", nothing)
        let infos = try derivation.extract("info_hash", SecretBytes(copying: info))
        // Neither is a secret.
        let context = [0] + identifiers.withUnsafeBytes { Array($0) } + infos.withUnsafeBytes { Array($0) }
        let start = try derivation.extract(salt: secret, "secret", nothing)
        let isEncrypting = suite.aead.cipher != nil
        key = try derivation.expand(start, "key", context, count: suite.aead.keyCount)
        nonce = try derivation.expand(start, "base_nonce", context, count: isEncrypting ? Self.nonceCount : 0)
        exporter = try derivation.expand(start, "exp", context, count: derivation.count)
        self.suite = suite
        self.derivation = derivation
        self.sequence = sequence
    }

    /// Encrypts the next message, and authenticates `associated` with it.
    ///
    /// - Throws: `exportsOnly`, `exhausted`, `failed`.
    package func seal(
        _ message: UnsafeRawBufferPointer, authenticating associated: [UInt8]
    ) throws(HybridEncryptionError) -> [UInt8] {
        let sealed = try run(isSealing: true, associated) { (run) throws(PasskeySignatureError) -> [UInt8]? in
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: message.count, alignment: 1)
            defer { room.deallocate() }
            try run.update(message, into: room.baseAddress)
            return Array(room) + (try run.seal())
        }
        guard let sealed else { throw HybridEncryptionError(.failed, "message of \(message.count) bytes") }
        return sealed
    }

    /// Opens the next message.
    ///
    /// - Throws: `notForThisKey` where it is another, or was changed, or `associated` is another; `exportsOnly`.
    package func open(
        _ sealed: UnsafeRawBufferPointer, authenticating associated: [UInt8]
    ) throws(HybridEncryptionError) -> SecretBytes {
        let end = sealed.count - Self.overhead
        guard end >= 0 else { throw HybridEncryptionError(.notForThisKey, "message of \(sealed.count) bytes") }
        let opened = try run(isSealing: false, associated) { (run) throws(PasskeySignatureError) -> SecretBytes? in
            let text = try SecretBytes(count: end) { (room) throws(PasskeySignatureError) in
                try run.update(UnsafeRawBufferPointer(rebasing: sealed[..<end]), into: room.baseAddress)
            }
            return run.open(tag: UnsafeRawBufferPointer(rebasing: sealed[end...])) ? text : nil
        }
        guard let opened else { throw HybridEncryptionError(.notForThisKey, "message of \(sealed.count) bytes") }
        return opened
    }

    /// A secret of `count` bytes for a purpose of the application's, which both sides get alike.
    ///
    /// - Throws: `exhausted` for more than 255 hashes.
    package func export(_ purpose: [UInt8], count: Int) throws(HybridEncryptionError) -> SecretBytes {
        try derivation.expand(exporter, "sec", purpose, count: count)
    }

    /// Runs the cipher over the message whose turn it is; only where that succeeds, it is the next one's.
    private func run<Outcome>(
        isSealing: Bool, _ associated: [UInt8], _ body: (CipherRun) throws(PasskeySignatureError) -> Outcome?
    ) throws(HybridEncryptionError) -> Outcome? {
        guard let cipher = suite.aead.cipher else {
            throw HybridEncryptionError(.exportsOnly, "suite without a cipher")
        }
        guard sequence < .max else { throw HybridEncryptionError(.exhausted, "messages of one context") }
        do throws(PasskeySignatureError) {
            let run = try nonceOfTurn().lend { (nonce) throws(PasskeySignatureError) in
                try CipherRun(cipher, key: key, nonce: nonce, isSealing: isSealing)
            }
            try associated.lend { (bytes) throws(PasskeySignatureError) in try run.authenticate(bytes) }
            guard let outcome = try body(run) else { return nil }
            sequence += 1
            return outcome
        } catch {
            throw HybridEncryptionError(error)
        }
    }

    /// The nonce of the message whose turn it is: the first one with the number over its end.
    private func nonceOfTurn() -> [UInt8] {
        var bytes = nonce.withUnsafeBytes { Array($0) }
        for index in 0..<8 { bytes[bytes.count - 1 - index] ^= UInt8(truncatingIfNeeded: sequence >> (8 * index)) }
        return bytes
    }
}
