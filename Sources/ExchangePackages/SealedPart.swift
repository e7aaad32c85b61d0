import HybridEncryption
import KeywayCrypto
import PasskeySignatures
import SecretDocuments

/// A file of a package: a compact JWE under a key that both sides have (RFC 7516; `dir` of RFC 7518).
struct SealedPart {
    private static let nonceCount = 12

    /// The key, which is one for all files of a package.
    let key: SecretBytes
    /// What JOSE calls the cipher.
    let name: String

    /// The files of a package.
    ///
    /// - Throws: `unsupported` for a cipher that JOSE has no name for.
    init(_ context: HPKEContext, _ aead: HPKESuite.AEAD) throws(ExchangePackageError) {
        guard let name = Self.names[aead] else {
            throw ExchangePackageError(.unsupported, "files can't be encrypted with its cipher")
        }
        self.name = name
        do throws(HybridEncryptionError) {
            key = try context.export(Array("CXP payload key".utf8), count: aead.keyCount)
        } catch {
            throw ExchangePackageError(error)
        }
    }

    /// The ciphers that JOSE has names for.
    static let names: [HPKESuite.AEAD: String] = [.aes128: "A128GCM", .aes256: "A256GCM"]

    private var header: [UInt8] {
        Array(Array("{\"alg\":\"dir\",\"enc\":\"\(name)\"}".utf8)[...].base64URL.utf8)
    }

    // MARK: - Writing

    /// Encrypts a file.
    func seal(
        _ text: UnsafeRawBufferPointer, random: any RandomSource
    ) throws(ExchangePackageError) -> [UInt8] {
        let (header, nonce) = (header, random.bytes(Self.nonceCount))
        var sealed = [UInt8](repeating: 0, count: text.count)
        do throws(PasskeySignatureError) {
            let run = try run(nonce, header[...], isSealing: true)
            let outcome = sealed.withUnsafeMutableBytes { room in
                Result { () throws(PasskeySignatureError) in try run.update(text, into: room.baseAddress) }
            }
            try outcome.get()
            let tag = try run.seal()
            // Between the first two dots stands no key: both sides have it.
            let parts = [nonce[...], sealed[...], tag[...]].map { Array($0.base64URL.utf8) }
            return header + [.dot, .dot] + parts[0] + [.dot] + parts[1] + [.dot] + parts[2]
        } catch {
            throw ExchangePackageError(.failed, "a file couldn't be encrypted")
        }
    }

    // MARK: - Reading

    /// Decrypts a file.
    ///
    /// - Throws: `damaged` for what is none; `notOffered` for another cipher than the message says; `otherKey` where it is
    ///   encrypted under another key, or was changed.
    func open(_ text: UnsafeRawBufferPointer) throws(ExchangePackageError) -> SecretBytes {
        let parts = text.split(separator: .dot, maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1].isEmpty else { throw Self.damaged }
        try check(header: UnsafeRawBufferPointer(rebasing: parts[0]))
        let bytes = parts[2...].compactMap { Self.decoded(UnsafeRawBufferPointer(rebasing: $0)) }
        guard bytes.count == 3, bytes[0].count == Self.nonceCount, bytes[2].count == AuthenticatedCipher.tagCount else {
            throw Self.damaged
        }
        do throws(PasskeySignatureError) {
            let run = try run(bytes[0].withUnsafeBytes { Array($0) }, Array(parts[0])[...], isSealing: false)
            let opened = try SecretBytes(count: bytes[1].count) { (room) throws(PasskeySignatureError) in
                try bytes[1].withUnsafeBytes { (sealed) throws(PasskeySignatureError) in
                    try run.update(sealed, into: room.baseAddress)
                }
            }
            if bytes[2].withUnsafeBytes({ run.open(tag: $0) }) { return opened }
        } catch {
            throw ExchangePackageError(.failed, "a file couldn't be decrypted")
        }
        throw ExchangePackageError(.otherKey, "a file in it isn't encrypted for this key, or was changed")
    }

    /// Base64url, decoded from where it lies: a file may be large.
    private static func decoded(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        var isSound = true
        let bytes = SecretBytes(upTo: text.count / 4 * 3 + 3) { room in
            let count = SecretBytes.decode(base64: text, into: room)
            isSound = count != nil
            return count ?? 0
        }
        return isSound ? bytes : nil
    }

    /// Everything else than what the profile says is refused: a key that travels along, packing within.
    private func check(header: UnsafeRawBufferPointer) throws(ExchangePackageError) {
        guard header.count < 1 << 12, let bytes = SecretBytes(base64: SecretBytes(copying: header)) else {
            throw Self.damaged
        }
        let object = try asPackage { try bytes.withUnsafeBytes { try JSONScanner.document(checkedText($0)) }.object }
        guard let object else { throw Self.damaged }
        guard object.publicText("alg") == "dir", object.publicText("enc") == name, object["zip"] == nil,
            object["crit"] == nil
        else { throw ExchangePackageError(.notOffered, "a file in it is encrypted in another way than it says") }
    }

    private func run(
        _ nonce: [UInt8], _ header: ArraySlice<UInt8>, isSealing: Bool
    ) throws(PasskeySignatureError) -> CipherRun {
        let key = key
        let run = try nonce.lend { (nonce) throws(PasskeySignatureError) in
            try CipherRun(.aesGCM, key: key, nonce: nonce, isSealing: isSealing)
        }
        try Array(header).lend { (header) throws(PasskeySignatureError) in try run.authenticate(header) }
        return run
    }

    private static let damaged = ExchangePackageError(.damaged, "a file in it isn't encrypted as it should be")
}

extension UInt8 {
    /// What stands between the parts of a JWE.
    fileprivate static let dot = UInt8(ascii: ".")
}
