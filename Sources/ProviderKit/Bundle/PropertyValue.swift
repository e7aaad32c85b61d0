import FoundationEssentials

/// Anything that may stand in a property list.
enum PropertyValue: Decodable, Hashable, Sendable {
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case data(Data)
    case date(Date)
    case array([PropertyValue])
    case dictionary([String: PropertyValue])

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
            var values: [String: PropertyValue] = [:]
            for key in container.allKeys { values[key.stringValue] = try container.decode(Self.self, forKey: key) }
            self = .dictionary(values)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [PropertyValue] = []
            while !container.isAtEnd { values.append(try container.decode(Self.self)) }
            self = .array(values)
        } else {
            self = try Self.single(decoder.singleValueContainer())
        }
    }

    private static func single(_ container: any SingleValueDecodingContainer) throws -> PropertyValue {
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Date.self) { return .date(value) }
        return .data(try container.decode(Data.self))
    }

    /// What stands under `path`, dictionary in dictionary; nil where there is nothing.
    func value(at path: [String]) -> PropertyValue? {
        guard let first = path.first else { return self }
        guard case .dictionary(let values) = self else { return nil }
        return values[first]?.value(at: Array(path.dropFirst()))
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        return nil
    }
}
