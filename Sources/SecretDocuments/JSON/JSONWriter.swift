import KeywayCrypto

/// Writes JSON piece by piece into guarded memory and hands it on whenever enough has come together.
package final class JSONWriter<Failure: Error> {
    private let written = JSONText()
    private let write: (UnsafeRawBufferPointer) throws(Failure) -> Void

    /// Hands what it writes to `write`, some 64 KiB at a time.
    package init(_ write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void) { self.write = write }

    /// Writes text as it is: brackets, commas and names that need no escapes.
    package func raw(_ text: String) throws(Failure) {
        written.append(text)
        try flush(from: SecretArena.usualSize)
    }

    /// Writes a value.
    package func value(_ value: JSONValue) throws(Failure) {
        switch value {
        case .null: try raw("null")
        case .boolean(let isTrue): try raw(isTrue ? "true" : "false")
        case .number(let number): try raw(number)
        case .string(let text):
            text.withUnsafeBytes { written.quote($0) }
            try flush(from: SecretArena.usualSize)
        case .array(let elements):
            try raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { try raw(",") }
                try self.value(element)
            }
            try raw("]")
        case .object(let object):
            try raw("{")
            try members(object)
            try raw("}")
        }
    }

    /// Writes the members of an object without its brackets.
    package func members(_ object: JSONObject) throws(Failure) {
        for (index, member) in object.members.enumerated() {
            if index > 0 { try raw(",") }
            try name(member.name)
            try value(member.value)
        }
    }

    /// Writes a name and its colon.
    package func name(_ name: String) throws(Failure) {
        try text(name)
        try raw(":")
    }

    /// Writes text that is no secret, without memory of its own for it.
    package func text(_ text: String) throws(Failure) {
        written.quote(text)
        try flush(from: SecretArena.usualSize)
    }

    /// Hands on what is left.
    package func end() throws(Failure) { try flush(from: 1) }

    private func flush(from count: Int) throws(Failure) {
        guard written.buffer.count >= count else { return }
        defer { written.buffer.removeAll() }
        try written.buffer.withUnsafeBytes(write)
    }
}

/// JSON in guarded memory, piece by piece.
private struct JSONText {
    let buffer = SecretBuffer(capacity: 1024)

    func append(_ text: String) { buffer.append(utf8Of: text) }

    func quote(_ text: String) {
        var text = text
        text.withUTF8 { quote(UnsafeRawBufferPointer($0)) }
    }

    func quote(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(UInt8(ascii: "\""))
        var start = 0
        while true {
            let index = bytes.firstEscaped(from: start)
            if index > start { buffer.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index])) }
            guard index < bytes.count else { break }
            start = index + 1
            switch bytes[index] {
            case UInt8(ascii: "\""): buffer.append(utf8Of: "\\\"")
            case UInt8(ascii: "\\"): buffer.append(utf8Of: "\\\\")
            case 0x0A: buffer.append(utf8Of: "\\n")
            case 0x0D: buffer.append(utf8Of: "\\r")
            case 0x09: buffer.append(utf8Of: "\\t")
            case let byte:
                buffer.append(
                    utf8Of: byte < 16 ? "\\u000\(String(byte, radix: 16))" : "\\u001\(String(byte & 15, radix: 16))")
            }
        }
        buffer.append(UInt8(ascii: "\""))
    }
}
