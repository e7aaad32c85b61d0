/// The text of a link, which may hold a secret: read where it lies, never copied as a whole.
struct LinkText {
    /// What follows the scheme and its `://`, up to a fragment.
    let rest: UnsafeRawBufferPointer

    /// The link in `text`; nil where it has another scheme, which may be written in any case.
    init?(_ text: UnsafeRawBufferPointer, scheme: String) {
        let start = "\(scheme)://"
        guard text.count >= start.utf8.count, Self.equal(text[..<start.utf8.count], start) else { return nil }
        let rest = text[start.utf8.count...]
        self.rest = UnsafeRawBufferPointer(rebasing: rest.prefix { $0 != UInt8(ascii: "#") })
    }

    /// What stands before the question mark.
    var path: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: rest.prefix { $0 != UInt8(ascii: "?") })
    }

    /// The value of the first parameter of that name, which may be written in any case, as it stands there.
    func value(_ name: String) -> UnsafeRawBufferPointer? {
        guard let question = rest.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        for parameter in rest[(question + 1)...].split(separator: UInt8(ascii: "&")) {
            let equals = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
            guard Self.equal(parameter[..<equals], name) else { continue }
            return UnsafeRawBufferPointer(rebasing: parameter[equals...].dropFirst())
        }
        return nil
    }

    /// The same as text, for what is no secret; nil where it is missing or empty.
    func text(_ name: String, plusIsBlank: Bool = false) -> String? {
        guard let value = value(name), !value.isEmpty else { return nil }
        return Self.text(value[...], plusIsBlank: plusIsBlank)
    }

    // MARK: -

    /// Without blanks and line ends around it, as text is copied.
    static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var part = text[...]
        while let last = part.last, isBlank(last) { part = part.dropLast() }
        return UnsafeRawBufferPointer(rebasing: part.drop(while: isBlank))
    }

    /// Whether `bytes` are `text` in any case of ASCII.
    static func equal(_ bytes: Slice<UnsafeRawBufferPointer>, _ text: String) -> Bool {
        func small(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return bytes.lazy.map(small).elementsEqual(text.utf8.lazy.map(small))
    }

    /// The text of `bytes` with its escapes read; what is no UTF-8 is replaced.
    static func text(_ bytes: Slice<UnsafeRawBufferPointer>, plusIsBlank: Bool = false) -> String {
        let plus = plusIsBlank ? UInt8(ascii: " ") : UInt8(ascii: "+")
        return String(decoding: Array(Unescaped(bytes, plus: plus)), as: UTF8.self)
    }
}

/// Bytes with each `%41` read as the byte that it stands for (RFC 3986, section 2.1). A percent sign without two
/// hexadecimal digits stands for itself.
struct Unescaped: Sequence, IteratorProtocol {
    private var rest: Slice<UnsafeRawBufferPointer>
    private let plus: UInt8

    init(_ bytes: Slice<UnsafeRawBufferPointer>, plus: UInt8 = UInt8(ascii: "+")) {
        rest = bytes
        self.plus = plus
    }

    mutating func next() -> UInt8? {
        guard let first = rest.popFirst() else { return nil }
        if first == UInt8(ascii: "+") { return plus }
        guard first == UInt8(ascii: "%"), let high = rest.first.flatMap(Self.digit),
            let low = rest.dropFirst().first.flatMap(Self.digit)
        else { return first }
        rest = rest.dropFirst(2)
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
