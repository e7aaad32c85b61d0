package import KeywayCrypto

/// What `--json` prints: keys in the order in which they are documented, secrets without a string in between.
package indirect enum JSONValue {
    case string(String)
    case secret(SecretBytes)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case null
    case array([JSONValue])
    case object([(String, JSONValue)])

    /// Text where there is some, else `null`.
    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// Strings.
    package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// Writes the value as JSON (RFC 8259), indented, with a line break at the end.
    package func write(to buffer: SecretBuffer) {
        write(to: buffer, depth: 0)
        buffer.append(utf8Of: "\n")
    }

    private func write(to buffer: SecretBuffer, depth: Int) {
        switch self {
        case .string(let text): Self.quote(Array(text.utf8), to: buffer)
        case .secret(let secret): secret.withUnsafeBytes { Self.quote($0, to: buffer) }
        case .integer(let number): buffer.append(utf8Of: "\(number)")
        case .number(let number): buffer.append(utf8Of: number.isFinite ? "\(number)" : "null")
        case .bool(let value): buffer.append(utf8Of: value ? "true" : "false")
        case .null: buffer.append(utf8Of: "null")
        case .array(let values):
            Self.write("[", values.map { (nil, $0) }, "]", to: buffer, depth: depth)
        case .object(let members):
            Self.write("{", members.map { ($0.0, $0.1) }, "}", to: buffer, depth: depth)
        }
    }

    private static func write(
        _ open: String, _ members: [(key: String?, value: JSONValue)], _ close: String, to buffer: SecretBuffer,
        depth: Int
    ) {
        buffer.append(utf8Of: open)
        for (index, member) in members.enumerated() {
            buffer.append(utf8Of: (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: depth + 1))
            if let key = member.key {
                quote(Array(key.utf8), to: buffer)
                buffer.append(utf8Of: ": ")
            }
            member.value.write(to: buffer, depth: depth + 1)
        }
        if !members.isEmpty { buffer.append(utf8Of: "\n" + String(repeating: "  ", count: depth)) }
        buffer.append(utf8Of: close)
    }

    /// A JSON string; what is no UTF-8 becomes U+FFFD.
    private static func quote(_ bytes: some Sequence<UInt8>, to buffer: SecretBuffer) {
        buffer.append(UInt8(ascii: "\""))
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .emptyInput: break decoding
            case .error: buffer.append(utf8Of: "\u{FFFD}")
            case .scalarValue(let scalar): append(scalar, to: buffer)
            }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    private static func append(_ scalar: Unicode.Scalar, to buffer: SecretBuffer) {
        switch scalar {
        case "\"", "\\":
            buffer.append(UInt8(ascii: "\\"))
            buffer.append(UInt8(truncatingIfNeeded: scalar.value))
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
            let digits = Array("0123456789abcdef".utf8)
            buffer.append(utf8Of: "\\u00")
            buffer.append(digits[Int(scalar.value >> 4)])
            buffer.append(digits[Int(scalar.value & 15)])
        default:
            for byte in UTF8.encode(scalar) ?? .init() { buffer.append(byte) }
        }
    }
}
