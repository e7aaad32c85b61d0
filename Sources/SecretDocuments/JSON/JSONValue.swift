import KeywayCrypto

/// A value of JSON, with its texts in guarded memory. Members keep their order, numbers the form in which they were
/// written, so that what was read is written again unchanged.
package enum JSONValue: Sendable, Equatable {
    /// `null`
    case null
    /// `true` or `false`
    case boolean(Bool)
    /// A number, as it is written.
    case number(String)
    /// Text.
    case string(SecretText)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// Text that is no secret.
    package static func text(_ text: String) -> JSONValue { .string(SecretText(copyingUTF8Of: text)) }

    /// A whole number.
    package static func integer(_ number: Int64) -> JSONValue { .number(String(number)) }

    /// The text, or nil.
    package var string: SecretText? { if case .string(let text) = self { text } else { nil } }

    /// The text as a string, which is never wiped: for what is no secret.
    package var publicText: String? { string?.publicText }

    /// The object, or nil.
    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// The elements of an array, or nil.
    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// `true` or `false`, or nil.
    package var boolean: Bool? { if case .boolean(let isTrue) = self { isTrue } else { nil } }

    /// A whole number, also one with a fraction that is cut off, and one that is written as text; nil for anything else.
    package var integer: Int64? {
        let text: String
        switch self {
        case .number(let number): text = number
        case .string(let number) where number.count <= 20: text = number.publicText
        default: return nil
        }
        if let number = Int64(text) { return number }
        return Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }

    /// Whether it is `null`.
    package var isNull: Bool { if case .null = self { true } else { false } }
}

/// An object of JSON: members in their order, each name once.
package struct JSONObject: Sendable, Equatable {
    /// A name with its value.
    package struct Member: Sendable, Equatable {
        /// The name; no secret in any format that is read.
        package let name: String
        /// The value.
        package var value: JSONValue

        /// A member.
        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members.
    package private(set) var members: [Member]

    /// An object of these members; of a name that stands twice the first counts.
    package init(_ members: [Member] = []) { self.members = members }

    /// The value of that member. Setting nil removes it.
    package subscript(_ name: String) -> JSONValue? {
        get {
            // Without a copy of each member that is passed.
            for index in members.indices where members[index].name == name { return members[index].value }
            return nil
        }
        set {
            guard let index = members.firstIndex(where: { $0.name == name }) else {
                if let newValue { members.append(Member(name, newValue)) }
                return
            }
            if let newValue { members[index].value = newValue } else { members.remove(at: index) }
        }
    }

    /// The text of that member, or nil.
    package func text(_ name: String) -> SecretText? { self[name]?.string }

    /// The same as a string, which is never wiped: for what is no secret; empty where there is none.
    package func publicText(_ name: String) -> String { self[name]?.publicText ?? "" }
}

extension JSONScanner {
    /// Copies the values at these places into one stretch of guarded memory, and reads them.
    ///
    /// - Throws: ``DocumentError``; `repeated` where an object has a member twice, `tooLarge` for a value with more than
    ///   ``DocumentLimits/mostValues`` in it.
    package static func values(
        at places: some Sequence<Range<Int>>, in bytes: UnsafeRawBufferPointer
    ) throws(DocumentError) -> [JSONValue] {
        // No text gets longer by reading its escapes.
        let builder = JSONBuilder(capacity: places.reduce(0) { $0 + $1.count })
        var values: [JSONValue] = []
        for place in places {
            var scanner = JSONScanner(bytes, at: place.lowerBound)
            builder.left = DocumentLimits.mostValues
            values.append(try builder.value(&scanner))
        }
        return values
    }

    /// Reads a whole document into memory.
    package static func document(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) -> JSONValue {
        var scanner = JSONScanner(bytes)
        let place = try scanner.skip()
        try scanner.end()
        return try large(at: place, in: bytes)
    }

    /// Copies text with its escapes read.
    func copy(_ text: Text, to buffer: SecretBuffer) throws(DocumentError) {
        guard text.isEscaped else {
            buffer.append(UnsafeRawBufferPointer(rebasing: bytes[text.range]))
            return
        }
        var scanner = JSONScanner(bytes, at: text.range.lowerBound)
        while scanner.position < text.range.upperBound {
            let rest = bytes[scanner.position..<text.range.upperBound]
            let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
            buffer.append(UnsafeRawBufferPointer(rebasing: plain))
            scanner = JSONScanner(bytes, at: plain.endIndex)
            guard plain.endIndex < text.range.upperBound else { return }
            for byte in UTF8.encode(try scanner.escape()).map({ Array($0) }) ?? [] { buffer.append(byte) }
        }
    }
}

/// Makes values of what a scanner reads.
private final class JSONBuilder {
    private let arena: SecretArena
    /// How many values may follow.
    var left = 0
    private static let few = 12

    init(capacity: Int) { arena = SecretArena(capacity: capacity) }

    func value(_ scanner: inout JSONScanner) throws(DocumentError) -> JSONValue {
        left -= 1
        guard left >= 0 else { throw scanner.error(.tooLarge, "a value has more parts than Keyway reads") }
        switch try scanner.kind() {
        case .object: return .object(try object(&scanner))
        case .array:
            var (elements, values) = (try scanner.array(), [JSONValue]())
            while try elements.next(&scanner) { values.append(try value(&scanner)) }
            return .array(values)
        case .string: return .string(try text(scanner.string(), scanner))
        case .number: return .number(String(decoding: scanner.bytes[try scanner.number()], as: UTF8.self))
        case .boolean: return .boolean(try scanner.boolean())
        case .null:
            try scanner.null()
            return .null
        }
    }

    private func object(_ scanner: inout JSONScanner) throws(DocumentError) -> JSONObject {
        var (members, found) = (try scanner.object(), [JSONObject.Member]())
        var names = Set<String>()
        while let text = try members.next(&scanner) {
            let name = try scanner.publicName(text)
            // Nearly all objects have a few members: those are compared quicker than they are hashed.
            if found.count == Self.few { names = Set(found.map(\.name)) }
            let isNew = found.count < Self.few ? !found.contains { $0.name == name } : names.insert(name).inserted
            guard isNew else {
                throw scanner.error(.repeated, "an object has a member twice")
            }
            found.append(JSONObject.Member(name, try value(&scanner)))
        }
        return JSONObject(found)
    }

    private func text(_ text: JSONScanner.Text, _ scanner: JSONScanner) throws(DocumentError) -> SecretText {
        let offset = arena.buffer.count
        try scanner.copy(text, to: arena.buffer)
        return SecretText(arena, offset, arena.buffer.count - offset)
    }
}

extension JSONScanner {
    /// The name of a member.
    package func publicName(_ text: Text) throws(DocumentError) -> String {
        guard text.isEscaped else { return String(decoding: bytes[text.range], as: UTF8.self) }
        let buffer = SecretBuffer(capacity: text.range.count)
        try copy(text, to: buffer)
        return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONScanner {
    /// The same for one value that may have a great many parts.
    package static func large(at place: Range<Int>, in bytes: UnsafeRawBufferPointer) throws(DocumentError) -> JSONValue
    {
        let builder = JSONBuilder(capacity: place.count)
        builder.left = 50 * DocumentLimits.mostValues
        var scanner = JSONScanner(bytes, at: place.lowerBound)
        return try builder.value(&scanner)
    }
}
