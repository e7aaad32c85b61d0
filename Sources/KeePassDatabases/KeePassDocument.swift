import KeywayCrypto
package import SecretDocuments

/// The XML of a database while it is written: elements, texts, and values that are encrypted once more.
package final class KeePassDocument {
    let buffer = SecretBuffer(capacity: 1 << 16)
    private let stream: ProtectedStream
    private let longest: Int
    private var path: [String] = []
    private let scratch = SecretBuffer(capacity: 1 << 12)
    private var failure: KeePassError?

    init(stream: ProtectedStream, longest: Int) {
        self.stream = stream
        self.longest = longest
    }

    /// Begins an element; the first one is preceded by what XML begins with.
    package func open(_ name: String) {
        if path.isEmpty { raw("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n") }
        path.append(name)
        raw("<\(name)>")
    }

    /// Ends the innermost element.
    package func close() {
        if let name = path.popLast() { raw("</\(name)>") }
    }

    /// An element with text, which is no secret. Characters that XML has not are replaced.
    package func element(_ name: String, _ text: String) {
        open(name)
        var text = text
        text.withUTF8 { escape(UnsafeRawBufferPointer($0)) }
        close()
    }

    /// An element with text, which is protected where that is asked for, and where XML has not its characters.
    package func element(_ name: String, _ text: SecretText, isProtected: Bool) {
        guard isProtected || !text.withUnsafeBytes({ Self.isWritable($0) }) else {
            open(name)
            text.withUnsafeBytes { escape($0) }
            return close()
        }
        raw("<\(name) Protected=\"True\">")
        scratch.removeAll()
        text.withUnsafeBytes { scratch.append($0) }
        scratch.rewriteLast(scratch.count) { bytes in
            do throws(KeePassError) { try stream.seal(bytes) } catch { failure = error }
            return bytes.count
        }
        scratch.withUnsafeBytes { Self.base64($0, to: buffer) }
        raw("</\(name)>")
    }

    /// An element that refers to a file of the database by its number.
    package func reference(_ name: String, to number: Int) { raw("<\(name) Ref=\"\(number)\"/>") }

    /// The bytes in Base64, which are no secret.
    package static func base64(_ bytes: [UInt8]) -> String {
        let buffer = SecretBuffer(capacity: bytes.count * 2)
        bytes.withUnsafeBytes { base64($0, to: buffer) }
        return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    func end() throws(KeePassError) {
        if let failure { throw failure }
        precondition(path.isEmpty, "an element was not ended")
        guard buffer.count <= longest else {
            throw KeePassError(.tooLarge, "a database of more than \(longest >> 20) MiB couldn't be read again")
        }
    }

    private func raw(_ text: String) { buffer.append(utf8Of: text) }

    private static func base64(_ bytes: UnsafeRawBufferPointer, to buffer: SecretBuffer) {
        buffer.append(base64Of: bytes)
    }

    private func escape(_ text: UnsafeRawBufferPointer) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            let rest = UnsafeRawBufferPointer(rebasing: text[index...])
            switch byte {
            case UInt8(ascii: "&"): raw("&amp;")
            case UInt8(ascii: "<"): raw("&lt;")
            case UInt8(ascii: ">"): raw("&gt;")
            // A reader of XML would make a line feed of it.
            case 0x0D: raw("&#xD;")
            case 0x09, 0x0A, 0x20...0xEE, 0xF0...: buffer.append(byte)
            case 0xEF:
                if Self.isNoCharacter(rest) {
                    raw("\u{FFFD}")
                    index += 2
                } else {
                    buffer.append(byte)
                }
            default: raw("\u{FFFD}")
            }
            index += 1
        }
    }

    /// Whether XML has all characters of a text.
    private static func isWritable(_ text: UnsafeRawBufferPointer) -> Bool {
        text.indices.allSatisfy { index in
            switch text[index] {
            case 0x09, 0x0A, 0x0D: true
            case 0..<0x20: false
            case 0xEF: !isNoCharacter(UnsafeRawBufferPointer(rebasing: text[index...]))
            default: true
            }
        }
    }

    /// Whether U+FFFE or U+FFFF stands there.
    private static func isNoCharacter(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: [0xEF, 0xBF, 0xBE] as [UInt8]) || bytes.starts(with: [0xEF, 0xBF, 0xBF] as [UInt8])
    }
}
