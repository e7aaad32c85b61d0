import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Vault

extension ItemSection {
    /// The section that a credential becomes which the vault has no form of its own for; nil for one with more or longer
    /// parts than a section has.
    init?(_ credential: ExchangeCredential) {
        let type = credential.type
        guard (1...SectionType.longestName).contains(type.rawValue.utf8.count), !type.rawValue.hasControlCharacters,
            ![.item, .unread, .hotp, .steam].contains(SectionType(rawValue: type.rawValue))
        else { return nil }
        var members: [SectionMember] = []
        for member in credential.object.without(["type"]).members {
            if type == .customFields, member.name == "fields" {
                for element in member.value.elements ?? [] {
                    guard let field = SectionMember(.init("fields", element)) else { return nil }
                    members.append(field)
                }
                continue
            }
            let form = ExchangeSchema.members[type]?[member.name]?.form
            guard let part = SectionMember(member, form) else { return nil }
            members.append(part)
        }
        guard members.count <= Self.memberLimit else { return nil }
        self.init(SectionType(rawValue: type.rawValue), members)
    }
}

extension SectionMember {
    /// The member of a section that a member of a credential becomes; nil for one whose name is longer than any.
    ///
    /// - Parameter form: what the format says of its value, where it says something.
    init?(_ member: JSONObject.Member, _ form: ExchangeSchema.Form? = nil) {
        guard (1...SectionType.longestName).contains(member.name.utf8.count), !member.name.hasControlCharacters else {
            return nil
        }
        switch member.value {
        case .object(let object):
            self = Self.field(member.name, object) ?? Self(member.name, .json, JSONBytes.write(member.value))
        case .string(let text):
            if case .field(let type)? = form, let kind = MemberKind(type) {
                self.init(member.name, kind, text.secret)
            } else if form == .bytes, let bytes = SecretBytes(base64: text.secret), bytes.base64URL == text.secret {
                self.init(member.name, .bytes, bytes)
            } else {
                self.init(member.name, .plainText, text.secret)
            }
        case .number(let number):
            if let value = UInt64(number), String(value) == number {
                self.init(member.name, integer: value)
            } else {
                self.init(member.name, .json, JSONBytes.write(member.value))
            }
        default: self.init(member.name, .json, JSONBytes.write(member.value))
        }
    }

    /// The member that a field becomes; nil for an object that is none, or has parts that no field has.
    private static func field(_ name: String, _ object: JSONObject) -> SectionMember? {
        let object = object.without([])
        guard object.without(["fieldType", "value", "label", "id", "extensions"]).members.isEmpty,
            let type = object.text("fieldType")?.publicText, let value = ExchangeField(object).value
        else { return nil }
        let kind = MemberKind(ExchangeFieldType(rawValue: type))
        var member = SectionMember(name, kind ?? .concealed, value.secret)
        if kind == nil { member.foreignType = type }
        for (part, take) in Self.parts {
            guard let value = object[part] else { continue }
            guard take(value, &member) else { return nil }
        }
        return member
    }

    /// What stands beside the value of a field, each with how it is kept; false where it can't be.
    private static let parts: [(String, @Sendable (JSONValue, inout SectionMember) -> Bool)] = [
        (
            "label",
            { value, member in
                member.label = value.publicText
                return value.string != nil
            }
        ),
        (
            "id",
            { value, member in
                member.identifier = value.publicText.map { Array($0.utf8) }
                return value.string != nil
            }
        ),
        (
            "extensions",
            { value, member in
                member.extensions = JSONBytes.write(value).publicText
                return true
            }
        ),
    ]
}
