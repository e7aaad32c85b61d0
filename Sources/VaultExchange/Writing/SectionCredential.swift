import Authenticator
import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Vault

/// Sections as credentials of a document.
enum SectionCredential {
    /// The credential that a section is.
    static func object(of section: ItemSection) -> JSONObject {
        switch section.type {
        case .unread:
            if let object = section["credential"].flatMap({ JSONBytes.read($0)?.object }) { return object }
        case .passkey: return passkey(section)
        case .totp, .steam: return asWritten(section) ?? code(section)
        default: break
        }
        return object(section.type.rawValue, section.members)
    }

    /// A code as the document wrote it from which it came, as long as it is still the same code.
    private static func asWritten(_ section: ItemSection) -> JSONObject? {
        guard let written = section[KeptMember.written].flatMap({ JSONBytes.read($0)?.object }) else { return nil }
        let item = ExchangeItem(JSONObject([.init("credentials", .array([.object(written)]))]))
        guard case .code(let setup, _)? = item.parts.first, let code = try? StoredCode(section),
            code == StoredCode(setup.recipe, issuer: setup.issuer, account: setup.account)
        else { return nil }
        return written
    }

    /// The link of a code that the format has no type for.
    static func link(of section: ItemSection) throws -> SecretBytes {
        let code = try StoredCode(section)
        return try CodeSetup(issuer: code.record.issuer, account: code.record.account, recipe: code.recipe).link
    }

    /// A file, without what is in it, and the SHA-256 of that.
    static func file(of section: ItemSection) -> (object: JSONObject, hash: [UInt8]) {
        var members = section.members.filter { ![FileHead.seedMember, "content"].contains($0.name) }
        var hash = section[FileHead.hashMember]?.array ?? []
        if let content = section["content"] {
            var sum = SHA256Stream()
            content.withUnsafeBytes { sum.update($0) }
            hash = sum.finish()
            members.removeAll { $0.name == FileHead.hashMember }
            members.append(SectionMember(FileHead.hashMember, .bytes, SecretBytes(copying: hash)))
        }
        // The format wants one; whatever is the same has the same.
        if section["id"] == nil {
            members.insert(SectionMember("id", .bytes, SecretBytes(copying: Array(hash.prefix(16)))), at: 0)
        }
        return (object(section.type.rawValue, members), hash)
    }

    // MARK: - Members

    private static func object(_ type: String, _ members: [SectionMember]) -> JSONObject {
        var object = [JSONObject.Member("type", .text(type))]
        var fields: [JSONValue] = []
        for member in members {
            guard let value = value(of: member) else { continue }
            if type == ExchangeCredentialType.customFields.rawValue, member.name == "fields" {
                fields.append(value)
            } else if !object.contains(where: { $0.name == member.name }) {
                object.append(.init(member.name, value))
            }
        }
        if type == ExchangeCredentialType.customFields.rawValue { object.append(.init("fields", .array(fields))) }
        return JSONObject(object)
    }

    /// The value of a member; nil for one of a kind that isn't known.
    private static func value(of member: SectionMember) -> JSONValue? {
        switch member.kind {
        case .plainText: return .string(member.value.text)
        case .bytes: return .string(member.value.base64URL.text)
        case .integer: return .number(String(member.integer ?? 0))
        case .json: return JSONBytes.read(member.value)
        default:
            guard let type = member.kind.fieldType else { return nil }
            var field = ExchangeField(type, member.value.text, label: member.label).object
            if let type = member.foreignType { field["fieldType"] = .text(type) }
            if let id = member.identifier { field["id"] = .text(String(decoding: id, as: UTF8.self)) }
            if let extensions = member.extensions {
                field["extensions"] = JSONBytes.read(SecretBytes(copyingUTF8Of: extensions))
            }
            return .object(field)
        }
    }

    // MARK: - What is kept in another form

    private static func code(_ section: ItemSection) -> JSONObject {
        let members = section.members.filter { $0.name != KeptMember.written }.map { member in
            member.name == "secret" && member.kind == .bytes
                ? SectionMember("secret", .plainText, Base32.text(of: member.value)) : member
        }
        return object(SectionType.totp.rawValue, members)
    }

    private static func passkey(_ section: ItemSection) -> JSONObject {
        let parts: Set<String> = ["flags", "credWithUV", "credWithoutUV", "largeBlob", "fido2Extensions"]
        var object = object(section.type.rawValue, section.members.filter { !parts.contains($0.name) })
        var extensions = section["fido2Extensions"].flatMap { JSONBytes.read($0)?.object } ?? JSONObject()
        let secrets = (section["credWithUV"], section["credWithoutUV"])
        if secrets.0 != nil || secrets.1 != nil {
            var credentials = JSONObject([.init("algorithm", .text("hmac-sha256"))])
            credentials["credWithUV"] = secrets.0.map { .string($0.base64URL.text) }
            credentials["credWithoutUV"] = secrets.1.map { .string($0.base64URL.text) }
            extensions["hmacCredentials"] = .object(credentials)
        }
        if let blob = section["largeBlob"] {
            let kept = extensions["largeBlob"]?.object.map(ExchangeCredential.init)?.bytes("data")
            if kept.flatMap({ Deflate.unpack($0, limit: Passkey.largestBlob) }) != blob {
                extensions["largeBlob"] = .object(
                    JSONObject([
                        .init("uncompressedSize", .integer(Int64(blob.count))),
                        .init("data", .string(Deflate.pack(blob).base64URL.text)),
                    ]))
            }
        }
        if !extensions.members.isEmpty { object["fido2Extensions"] = .object(extensions) }
        return object
    }
}

extension SectionMember {
    /// The number that it is; nil for one of another kind.
    fileprivate var integer: UInt64? {
        guard kind == .integer else { return nil }
        return value.withUnsafeBytes {
            $0.count == 8 ? UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) : nil
        }
    }
}
