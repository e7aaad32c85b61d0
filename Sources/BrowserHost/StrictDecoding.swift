import FoundationEssentials
import WebAuthnValues

/// A member's name, whatever it is: what tells unknown members from known ones.
struct MemberName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init(stringLiteral value: String) {
        stringValue = value
    }

    init?(intValue: Int) {
        nil
    }
}

extension MemberName {
    /// A name that is base64url of bytes.
    func bytes(within bounds: ClosedRange<Int>) throws -> Data {
        guard let bytes = Base64URL.bytes(of: stringValue), bounds.contains(bytes.count) else {
            throw HostFailure.parameters("A member is not called like a credential.")
        }
        return Data(bytes)
    }
}

extension Decoder {
    /// The members of an object that may have `known` ones and no others.
    func members(_ known: Set<String>) throws -> KeyedDecodingContainer<MemberName> {
        let container = try container(keyedBy: MemberName.self)
        guard container.allKeys.allSatisfy({ known.contains($0.stringValue) }) else {
            throw HostFailure.parameters("There is an unknown member.")
        }
        return container
    }
}

extension KeyedDecodingContainer where Key == MemberName {
    /// Text of `bounds` bytes.
    func text(_ name: MemberName, within bounds: ClosedRange<Int>) throws -> String {
        let text = try decode(String.self, forKey: name)
        guard bounds.contains(text.utf8.count) else {
            throw HostFailure.parameters("`\(name.stringValue)` is too short or too long.")
        }
        return text
    }
}
