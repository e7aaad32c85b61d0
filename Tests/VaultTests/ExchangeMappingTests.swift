import Foundation
import KeywayCrypto
import Testing

@testable import Vault

/// The model has a place for everything that CXF 1.0 can say of a credential: each one of the published kinds becomes a
/// section, is stored, and becomes the same JSON again.
@Suite struct ExchangeMappingTests {
    private static let kinds: [String: MemberKind] = [
        "string": .text, "concealed-string": .concealed, "email": .email, "number": .number, "boolean": .boolean,
        "date": .date, "year-month": .yearMonth, "wifi-network-security-type": .wifiSecurity,
        "country-code": .country, "subdivision-code": .subdivision,
    ]

    private func json(_ value: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }

    private func value(_ json: SecretBytes) throws -> Any {
        try JSONSerialization.jsonObject(with: json.withUnsafeBytes { Data($0) }, options: .fragmentsAllowed)
    }

    private func text(_ bytes: SecretBytes) -> String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    // MARK: - There

    private func section(_ credential: [String: Any]) throws -> ItemSection {
        let type = SectionType(rawValue: try #require(credential["type"] as? String))
        var members: [SectionMember] = []
        for (name, value) in credential.sorted(by: { $0.key < $1.key }) where name != "type" {
            if name == "fields", let fields = value as? [[String: Any]] {
                for field in fields { members.append(try #require(try member(name, field))) }
            } else if let field = value as? [String: Any], let member = try member(name, field) {
                members.append(member)
            } else if let text = value as? String {
                members.append(SectionMember(name, text: text))
            } else if let number = UInt64(try json(value)) {
                members.append(SectionMember(name, integer: number))
            } else {
                members.append(SectionMember(name, .json, secret(try json(value))))
            }
        }
        return ItemSection(type, members)
    }

    private func member(_ name: String, _ field: [String: Any]) throws -> SectionMember? {
        guard let type = field["fieldType"] as? String, let value = field["value"] as? String else { return nil }
        var member = SectionMember(name, Self.kinds[type] ?? .concealed, secret(value))
        if Self.kinds[type] == nil { member.foreignType = type }
        member.label = field["label"] as? String
        member.identifier = (field["id"] as? String).map { Array($0.utf8) }
        member.extensions = try field["extensions"].map { try json($0) }
        return member
    }

    // MARK: - And back

    private func credential(_ section: ItemSection) throws -> [String: Any] {
        var credential: [String: Any] = ["type": section.type.rawValue]
        for member in section.members {
            if member.name == "fields" {
                credential["fields"] = (credential["fields"] as? [Any] ?? []) + [try field(member)]
            } else if member.kind == .plainText {
                credential[member.name] = text(member.value)
            } else if member.kind == .integer {
                credential[member.name] = member.value.withUnsafeBytes {
                    NSNumber(value: UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)))
                }
            } else if member.kind == .json {
                credential[member.name] = try value(member.value)
            } else {
                credential[member.name] = try field(member)
            }
        }
        return credential
    }

    private func field(_ member: SectionMember) throws -> [String: Any] {
        let type = member.foreignType ?? Self.kinds.first { $0.value == member.kind }?.key
        var field: [String: Any] = ["fieldType": try #require(type), "value": text(member.value)]
        field["label"] = member.label
        field["id"] = member.identifier.map { String(decoding: $0, as: UTF8.self) }
        field["extensions"] = try member.extensions.map { try value(secret($0)) }
        return field
    }

    @Test(arguments: ["generated-all-types.json", "generated-forward-compat.json", "spec-appendix-a-errata.json"])
    func everyCredentialBecomesASectionAndTheSameCredentialAgain(name: String) throws {
        let vectors = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: vectors.appending(path: "Vectors/exchange/\(name)"))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let test = try TestVault()
        let vault = try test.unlock()
        var types: Set<String> = []
        for account in try #require(document["accounts"] as? [[String: Any]]) {
            for item in try #require(account["items"] as? [[String: Any]]) {
                let credentials = try #require(item["credentials"] as? [[String: Any]])
                // Codes, passkeys and files are kept in a form of their own, by the same names.
                let generic = credentials.filter { !["totp", "passkey", "file"].contains($0["type"] as? String) }
                let id = try vault.add(ItemDraft(title: "t", sections: generic.map { try section($0) }))
                let heads = try test.unlock().summary(of: id).sections
                let found = try heads.map { try json(credential(vault.section($0.number, of: id))) }
                #expect(try found == generic.map { try json($0) })
                types.formUnion(credentials.compactMap { $0["type"] as? String })
            }
        }
        if name == "generated-all-types.json" {
            #expect(types.isSubset(of: SectionType.known.map(\.rawValue)))
            #expect(Set(SectionType.known.map(\.rawValue)).subtracting(types) == ["hotp", "steam", "item", "unread"])
        }
    }
}
