/// Reads what a policy file says: tables of keys with values, in a part of TOML 1.0 that is large enough for it.
///
/// Every text that is taken means the same in TOML. What TOML knows beyond comments, plain tables, bare keys, strings on
/// one line, decimal numbers, booleans and arrays of strings is a fault; so is everything that TOML refuses. A fault ends
/// with its line: what stands below is read.
struct PolicyText {
    /// What a key has.
    enum Value: Equatable, Sendable {
        case string(String)
        case integer(Int)
        case boolean(Bool)
        case strings([String])
    }

    /// A key in its table.
    struct Entry: Equatable, Sendable {
        let table: String
        let key: String
        let value: Value
        /// From 1 on.
        let line: Int
    }

    /// What could not be read.
    struct Fault: Error, Equatable, Sendable {
        /// From 1 on.
        let line: Int
        /// The table in which it stands; nil above the first one, and where it is the table's own line.
        let table: String?
        /// What is wrong, in a clause.
        let reason: String
    }

    /// All keys, in their order.
    private(set) var entries: [Entry] = []
    /// All faults, in their order.
    private(set) var faults: [Fault] = []

    /// Reads a whole file.
    init(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            faults = [Fault(line: 1, table: nil, reason: "the file isn't UTF-8")]
            return
        }
        var reader = Reader(text)
        var table: String?
        var tables: Set<String> = []
        var keys: Set<String> = []
        while !reader.isAtEnd {
            let line = reader.line
            let statement: Reader.Statement
            do throws(Reader.Problem) {
                statement = try reader.statement()
            } catch {
                // A line that was to begin another table leaves nobody knowing in which one the next lines are.
                if reader.isTableLine { table = nil }
                faults.append(Fault(line: reader.line, table: table, reason: error.reason))
                reader.skipLine()
                continue
            }
            switch statement {
            case .nothing: break
            case .table(let name):
                table = tables.insert(name).inserted ? name : nil
                keys = []
                if table == nil {
                    faults.append(Fault(line: line, table: nil, reason: "the table [\(name)] stands there twice"))
                }
            case .key(let key, let value):
                if let table, keys.insert(key).inserted {
                    entries.append(Entry(table: table, key: key, value: value, line: line))
                } else {
                    let reason = table == nil ? "\(key) stands in no table" : "\(key) stands there twice"
                    faults.append(Fault(line: line, table: table, reason: reason))
                }
            }
        }
    }
}

/// The scanner: one statement at a time.
private struct Reader {
    struct Problem: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    enum Statement {
        case nothing
        case table(String)
        case key(String, PolicyText.Value)
    }

    private let scalars: [Unicode.Scalar]
    private var place = 0
    private(set) var line = 1
    /// Whether the statement that is being read names a table.
    private(set) var isTableLine = false

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    var isAtEnd: Bool { place >= scalars.count }

    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[place] }

    private var isAtLineEnd: Bool {
        guard let next else { return true }
        return next == "\n" || next == "\r" && place + 1 < scalars.count && scalars[place + 1] == "\n"
    }

    /// One line; more of them where an array goes on.
    mutating func statement() throws(Problem) -> Statement {
        isTableLine = false
        skipSpace()
        var statement = Statement.nothing
        if next == "[" {
            isTableLine = true
            statement = .table(try table())
        } else if !isAtLineEnd, next != "#" {
            let key = try name("key")
            skipSpace()
            guard take("=") else { throw Problem("there is no = after \(key)") }
            skipSpace()
            statement = .key(key, try value())
        }
        try endLine()
        return statement
    }

    /// Goes on behind a line that could not be read.
    mutating func skipLine() {
        while !isAtEnd, next != "\n" { place += 1 }
        skipLineEnd()
    }

    private mutating func endLine() throws(Problem) {
        skipSpace()
        try skipComment()
        guard isAtLineEnd else { throw Problem("there is something after the end of the value or table") }
        skipLineEnd()
    }

    private mutating func skipLineEnd() {
        if next == "\r" { place += 1 }
        if next == "\n" {
            place += 1
            line += 1
        }
    }

    private mutating func skipSpace() {
        while next == " " || next == "\t" { place += 1 }
    }

    private mutating func skipComment() throws(Problem) {
        guard next == "#" else { return }
        while !isAtLineEnd {
            guard let next, Self.isPrintable(next) else { throw Problem("a control character") }
            place += 1
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        place += 1
        return true
    }

    private mutating func table() throws(Problem) -> String {
        place += 1
        skipSpace()
        let name = try name("table")
        skipSpace()
        guard take("]") else { throw Problem("there is no ] after [\(name)") }
        return name
    }

    private mutating func name(_ what: String) throws(Problem) -> String {
        var name = ""
        while let next, Self.isBare(next) {
            name.unicodeScalars.append(next)
            place += 1
        }
        guard !name.isEmpty else { throw Problem("there is no name of a \(what)") }
        return name
    }

    private mutating func value() throws(Problem) -> PolicyText.Value {
        switch next {
        case "\"", "'": return .string(try string())
        case "[": return .strings(try strings())
        case let scalar? where scalar == "-" || scalar == "+" || ("0"..."9").contains(scalar):
            return .integer(try integer())
        default:
            switch try name("value") {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case let word: throw Problem("\(word) is no value; texts stand in quotes")
            }
        }
    }

    private mutating func integer() throws(Problem) -> Int {
        var text = ""
        while let next, Self.isBare(next) || next == "+" || next == "." || next == ":" {
            text.unicodeScalars.append(next)
            place += 1
        }
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }), digits == "0" || digits.first != "0",
            let number = Int(text)
        else { throw Problem("\(text) is no number that can stand here") }
        return number
    }

    private mutating func strings() throws(Problem) -> [String] {
        place += 1
        var strings: [String] = []
        while true {
            try skipBetween()
            if take("]") { return strings }
            guard next == "\"" || next == "'" else { throw Problem("a list holds texts in quotes and ends with ]") }
            strings.append(try string())
            try skipBetween()
            if take("]") { return strings }
            guard take(",") else { throw Problem("there is no comma between two texts of a list") }
        }
    }

    /// Space, comments and ends of lines between the texts of a list.
    private mutating func skipBetween() throws(Problem) {
        while true {
            skipSpace()
            try skipComment()
            guard isAtLineEnd, !isAtEnd else { return }
            skipLineEnd()
        }
    }

    private mutating func string() throws(Problem) -> String {
        let quote = scalars[place]
        place += 1
        if next == quote, place + 1 < scalars.count, scalars[place + 1] == quote {
            throw Problem("a text of several lines can't stand here")
        }
        var text = ""
        while !isAtLineEnd, let scalar = next {
            place += 1
            if scalar == quote { return text }
            if scalar == "\\", quote == "\"" {
                text.unicodeScalars.append(try escape())
            } else {
                guard Self.isPrintable(scalar) else { throw Problem("a control character") }
                text.unicodeScalars.append(scalar)
            }
        }
        throw Problem("a text has no end")
    }

    private mutating func escape() throws(Problem) -> Unicode.Scalar {
        guard let scalar = next, !isAtLineEnd else { throw Problem("a text has no end") }
        place += 1
        switch scalar {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{c}"
        case "r": return "\r"
        case "\"", "\\": return scalar
        case "u": return try hexadecimal(4)
        case "U": return try hexadecimal(8)
        default: throw Problem("\\\(scalar) means nothing in a text")
        }
    }

    private mutating func hexadecimal(_ count: Int) throws(Problem) -> Unicode.Scalar {
        var digits = ""
        while digits.utf8.count < count, let next, next.properties.isASCIIHexDigit {
            digits.unicodeScalars.append(next)
            place += 1
        }
        guard digits.utf8.count == count, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
        else { throw Problem("a text names a character that there is not") }
        return scalar
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7f
    }
}
