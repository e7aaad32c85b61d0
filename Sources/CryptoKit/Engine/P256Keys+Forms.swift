import Foundation
import KeywayCrypto
import PasskeySignatures

extension P256PublicKey {
    /// A point in a form of SEC 1 that has `count` bytes and begins with one of `marks`.
    init(sec1 bytes: [UInt8], count: Int, marks: [UInt8]) throws(CryptoKitError) {
        guard bytes.count == count, let mark = bytes.first, marks.contains(mark) else {
            throw .incorrectParameterSize
        }
        self = try orThrow(.refused) { () throws(PasskeySignatureError) in try P256PublicKey(point: bytes) }
    }

    /// Both coordinates.
    init(raw bytes: [UInt8]) throws(CryptoKitError) {
        try self.init(sec1: [4] + bytes, count: 65, marks: [4])
    }

    /// The first coordinate of a compact point.
    init(compact bytes: [UInt8]) throws(CryptoKitError) {
        let either = try P256PublicKey(sec1: [2] + bytes, count: 33, marks: [2])
        self = either.isCompact ? either : try P256PublicKey(sec1: [3] + bytes, count: 33, marks: [3])
    }

    init(der bytes: [UInt8]) throws(CryptoKitASN1Error) {
        self = try reading { () throws(PasskeySignatureError) in try P256PublicKey(subjectPublicKeyInfo: bytes) }
    }

    init(pem text: String) throws(CryptoKitASN1Error) {
        let document = try PEMDocument(text, labels: ["PUBLIC KEY"])
        try self.init(der: document.content.copy)
    }

    var raw: Data { Data(x + y) }
    var x963: Data { Data([4] + x + y) }
    var compressed: Data { Data([2 | (y.last ?? 0) & 1] + x) }
    var compact: Data? { isCompact ? Data(x) : nil }
    var der: Data { Data(subjectPublicKeyInfo) }
    var pem: String { PEMDocument.text("PUBLIC KEY", der) }
}

extension P256PrivateKey {
    init(isCompact: Bool) {
        do {
            try self.init(random: SystemRandomSource(), isCompact: isCompact)
        } catch {
            // It fails where libcrypto has no memory, as any Swift allocation may.
            preconditionFailure("no memory for a key")
        }
    }

    init(raw bytes: some ContiguousBytes) throws(CryptoKitError) {
        let number = bytes.secretCopy
        guard number.count == 32 else { throw .incorrectParameterSize }
        self = try orThrow(.refused) { () throws(PasskeySignatureError) in try P256PrivateKey(number) }
    }

    /// The point, not compressed, and the number behind it.
    init(x963 bytes: some ContiguousBytes) throws(CryptoKitError) {
        let whole = bytes.secretCopy
        guard whole.count == 97 else { throw .incorrectParameterSize }
        let (point, number) = whole.withUnsafeBytes {
            (Array($0[..<65]), SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[65...])))
        }
        self = try orThrow(.refused) { () throws(PasskeySignatureError) in try P256PrivateKey(number) }
        guard Array(publicKey.x963) == point else { throw .refused }
    }

    init(der bytes: SecretBytes) throws(CryptoKitASN1Error) {
        self = try reading { () throws(PasskeySignatureError) in try P256PrivateKey(encoded: bytes) }
    }

    init(pem text: String) throws(CryptoKitASN1Error) {
        try self.init(der: PEMDocument(text, labels: ["PRIVATE KEY", "EC PRIVATE KEY"]).content)
    }

    var raw: Data { number.withUnsafeBytes { Data($0) } }
    var x963: Data { publicKey.x963 + raw }
    var der: Data { encoded.withUnsafeBytes { Data($0) } }
    var pem: String { PEMDocument.text("PRIVATE KEY", der) }
}

extension ContiguousBytes {
    /// A copy of the bytes in guarded memory.
    var secretCopy: SecretBytes { withUnsafeBytes { SecretBytes(copying: $0) } }
}

extension SecretBytes {
    /// A copy of the bytes that are no secret after all.
    var copy: [UInt8] { withUnsafeBytes { Array($0) } }
}
