/// Reads JSON (RFC 8259) where it lies, one value at a time, and copies nothing.
///
/// Strict: no comments, no comma before an end, no control characters in text, no lone surrogates. What it scans must be
/// UTF-8 (``checkedText(_:)``). It never nests deeper than ``DocumentLimits/depth``.
package struct JSONScanner {
    /// The kinds of values.
    package enum Kind: Sendable, Equatable { case object, array, string, number, boolean, null }

    /// Text between its quotation marks, as it stands there.
    package struct Text {
        /// Where it lies.
        package let range: Range<Int>
        /// Whether backslashes are in it.
        let isEscaped: Bool
    }

    /// The document.
    package let bytes: UnsafeRawBufferPointer
    /// How far it has come.
    package private(set) var position: Int
    /// The longest text that it passes, in bytes.
    var longestText = DocumentLimits.longestText
    private var depth = 0

    /// Begins at the start of a document, or at a value in it.
    package init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// What kind of value comes next.
    package mutating func kind() throws(DocumentError) -> Kind {
        passBlanks()
        guard position < bytes.count else { throw ended }
        switch bytes[position] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
        case UInt8(ascii: "n"): return .null
        default: throw malformed("no value")
        }
    }

    /// Passes over one value of any kind.
    ///
    /// - Returns: where it lies.
    @discardableResult
    package mutating func skip() throws(DocumentError) -> Range<Int> {
        let kind = try kind()
        let start = position
        switch kind {
        case .object:
            var members = try object()
            while try members.next(&self) != nil { try skip() }
        case .array:
            var elements = try array()
            while try elements.next(&self) { try skip() }
        case .string: _ = try string()
        case .number: _ = try number()
        case .boolean: _ = try boolean()
        case .null: try null()
        }
        return start..<position
    }

    /// Only blanks may follow.
    package mutating func end() throws(DocumentError) {
        passBlanks()
        guard position == bytes.count else { throw malformed("text behind the end of the JSON") }
    }

    // MARK: - Objects and arrays

    /// The members of an object, one after another; whoever asks for the next has read the value of the one before.
    package struct Members {
        private var isFirst = true

        /// The name of the next member; nil at the end.
        package mutating func next(_ scanner: inout JSONScanner) throws(DocumentError) -> Text? {
            guard try scanner.goOn(to: UInt8(ascii: "}"), isFirst: isFirst) else { return nil }
            isFirst = false
            let name = try scanner.string()
            guard name.range.count <= DocumentLimits.longestName else { throw scanner.tooLarge("a name") }
            try scanner.expect(UInt8(ascii: ":"))
            return name
        }
    }

    /// The elements of an array, likewise.
    package struct Elements {
        private var isFirst = true

        /// Whether there is another one.
        package mutating func next(_ scanner: inout JSONScanner) throws(DocumentError) -> Bool {
            defer { isFirst = false }
            return try scanner.goOn(to: UInt8(ascii: "]"), isFirst: isFirst)
        }
    }

    /// Enters an object.
    package mutating func object() throws(DocumentError) -> Members {
        try enter(UInt8(ascii: "{"))
        return Members()
    }

    /// Enters an array.
    package mutating func array() throws(DocumentError) -> Elements {
        try enter(UInt8(ascii: "["))
        return Elements()
    }

    private mutating func enter(_ bracket: UInt8) throws(DocumentError) {
        try expect(bracket)
        depth += 1
        guard depth <= DocumentLimits.depth else {
            throw error(.tooDeep, "the JSON nests deeper than \(DocumentLimits.depth) levels")
        }
    }

    /// Whether something comes before `bracket`.
    private mutating func goOn(to bracket: UInt8, isFirst: Bool) throws(DocumentError) -> Bool {
        passBlanks()
        guard position < bytes.count else { throw ended }
        if bytes[position] == bracket {
            position += 1
            depth -= 1
            return false
        }
        if !isFirst { try expect(UInt8(ascii: ",")) }
        return true
    }

    // MARK: - Values

    /// Text.
    package mutating func string() throws(DocumentError) -> Text {
        try expect(UInt8(ascii: "\""))
        let start = position
        var isEscaped = false
        while true {
            position = bytes.firstEscaped(from: position)
            guard position < bytes.count else { throw ended }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard position - start <= longestText else { throw tooLarge("a text") }
                position += 1
                return Text(range: start..<position - 1, isEscaped: isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                _ = try escape()
            default: throw malformed("a control character in a text")
            }
        }
    }

    /// A number, as it stands there.
    package mutating func number() throws(DocumentError) -> Range<Int> {
        passBlanks()
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        if peek == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if peek == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        guard position - start <= DocumentLimits.longestName else { throw tooLarge("a number") }
        return start..<position
    }

    /// `true` or `false`.
    package mutating func boolean() throws(DocumentError) -> Bool {
        passBlanks()
        let isTrue = peek == UInt8(ascii: "t")
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    /// `null`.
    package mutating func null() throws(DocumentError) {
        passBlanks()
        try word("null")
    }

    private mutating func digits() throws(DocumentError) {
        let start = position
        while let next = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
        guard position > start else { throw position == bytes.count ? ended : malformed("no number") }
    }

    private mutating func word(_ word: String) throws(DocumentError) {
        for byte in word.utf8 { try expect(byte, afterBlanks: false) }
    }

    // MARK: - Escapes

    /// Reads an escape, of a surrogate pair both.
    ///
    /// - Returns: the character that it stands for.
    mutating func escape() throws(DocumentError) -> Unicode.Scalar {
        position += 1
        guard let letter = peek else { throw ended }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw malformed("an escape that JSON hasn't")
        }
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, peek == UInt8(ascii: "\\") else { throw malformed("half a character") }
        position += 1
        guard peek == UInt8(ascii: "u") else { throw peek == nil ? ended : malformed("half a character") }
        position += 1
        let second = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar((first & 0x3FF) << 10 + second & 0x3FF + 0x10000)
        else { throw malformed("half a character") }
        return scalar
    }

    private mutating func hexadecimal() throws(DocumentError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek else { throw ended }
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(digit - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(digit - UInt8(ascii: "A") + 10)
            default: throw malformed("an escape that JSON hasn't")
            }
            position += 1
        }
        return value
    }

    // MARK: - Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func passBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func expect(_ byte: UInt8, afterBlanks: Bool = true) throws(DocumentError) {
        if afterBlanks { passBlanks() }
        guard let next = peek else { throw ended }
        guard next == byte else { throw malformed("this isn't JSON") }
        position += 1
    }

    // MARK: - Errors

    private var ended: DocumentError { error(.truncated, "the file ends too early") }

    func malformed(_ detail: String) -> DocumentError { error(.malformed, detail) }

    func tooLarge(_ what: String) -> DocumentError { error(.tooLarge, "\(what) is longer than Keyway reads") }

    /// An error at the place to which it has come.
    package func error(_ code: DocumentError.Code, _ detail: String) -> DocumentError {
        DocumentError(code, detail, DocumentPlace(offset: position, in: bytes))
    }
}
