import KeywayCrypto
import OtherCiphers

/// The second encryption of the values that a database protects: one stream over all of them, in the order in which they
/// stand in the document.
package final class ProtectedStream {
    /// The ciphers of the stream.
    enum Kind: UInt32 {
        case none = 0
        case salsa20 = 2
        case chaCha20 = 3

        init(number: UInt32) throws(KeePassError) {
            guard let kind = Kind(rawValue: number) else {
                throw KeePassError(.unsupported, "the database protects values in a way that Keyway doesn't know")
            }
            self = kind
        }
    }

    private static let salsaNonce: [UInt8] = [0xE8, 0x30, 0x09, 0x4B, 0x97, 0x20, 0x5D, 0x2A]

    private let stream: CipherStream?
    private let scratch = SecretBuffer(capacity: 1 << 12)
    /// Whether every value so far was one that can be.
    package private(set) var isSound = true

    init(_ kind: Kind, key: SecretBytes) throws(KeePassError) {
        do throws(OtherCipherError) {
            switch kind {
            case .none: stream = nil
            case .salsa20:
                stream = try CipherStream(.salsa20, key: Hash.sha256 { $0.add(key) }, vector: Self.salsaNonce)
            case .chaCha20:
                let parts = Hash.sha512 { $0.add(key) }
                stream = try parts.withUnsafeBytes { (parts) throws(OtherCipherError) in
                    try CipherStream(
                        .chaCha20, key: SecretBytes(copying: UnsafeRawBufferPointer(rebasing: parts[..<32])),
                        vector: Array(parts[32..<44]))
                }
            }
        } catch {
            throw KeePassError(error)
        }
    }

    /// Puts a value in the place of its Base64, and returns how many bytes it has.
    package func open(_ text: UnsafeMutableRawBufferPointer) -> Int {
        guard let value = decrypt(text), Self.isText(value) else { return refuse() }
        return value.count
    }

    /// Puts a value that is no text in the place of its Base64, and returns how many bytes it has.
    package func open(file text: UnsafeMutableRawBufferPointer) -> Int { decrypt(text)?.count ?? refuse() }

    /// Goes over a value that nobody wants, such as a file: the stream counts it, too.
    package func skip(_ text: UnsafeMutableRawBufferPointer) {
        if decrypt(text) == nil { isSound = false }
    }

    /// Decrypts a value in the place of its Base64; nil where it is none.
    private func decrypt(_ text: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer? {
        scratch.removeAll()
        let count = scratch.append(upTo: text.count) { room in
            SecretBytes.decode(base64: UnsafeRawBufferPointer(text), into: room)
        }
        guard let count else { return nil }
        let value = UnsafeMutableRawBufferPointer(rebasing: text[..<count])
        scratch.withUnsafeBytes { value.copyMemory(from: $0) }
        return stream == nil || (try? stream?.decrypt(value)) != nil ? value : nil
    }

    /// Encrypts a value in its place.
    func seal(_ value: UnsafeMutableRawBufferPointer) throws(KeePassError) {
        do throws(OtherCipherError) {
            try stream?.encrypt(value)
        } catch {
            throw KeePassError(error)
        }
    }

    private func refuse() -> Int {
        isSound = false
        return 0
    }

    private static func isText(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        (try? UTF8Span(validating: UnsafeRawBufferPointer(bytes).bindMemory(to: UInt8.self).span)) != nil
    }
}
