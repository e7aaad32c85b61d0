import FoundationEssentials

/// A message of the host, taken apart without the host's own types.
struct Message {
    let members: JSON
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        members = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    }

    var id: Int? { members["id"]?.number }
    var method: String? { members["method"]?.text }
    var params: JSON? { members["params"] }
    var result: JSON? { members["result"] }
    var kind: String? { members["error"]?["data"]?["kind"]?.text }
}

/// Any JSON.
enum JSON: Decodable, Hashable {
    case null
    case bool(Bool)
    case number(Int)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    subscript(name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var names: Set<String>? { if case .object(let members) = self { Set(members.keys) } else { nil } }
    var number: Int? { if case .number(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var list: [JSON]? { if case .list(let value) = self { value } else { nil } }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral {
    init(stringLiteral value: String) {
        self = .text(value)
    }

    init(integerLiteral value: Int) {
        self = .number(value)
    }

    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}
