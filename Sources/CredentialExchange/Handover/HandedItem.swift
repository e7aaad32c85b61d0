import FoundationEssentials
import KeywayCrypto
import SecretDocuments

/// An item as one manager hands it to another, and what of it stays behind.
///
/// Managers take over what Apple's types hold (`ASImportableItem`): sixteen types of credentials with the members that CXF
/// 1.0 gives them, and no extensions. They read strictly: one value of another form would cost the whole document.
package struct HandedItem: Sendable {
    /// The item.
    package let item: ExchangeItem
    /// What stays behind, and why: sentences without content.
    package let losses: [String]

    /// What is handed over of an item.
    package init(_ item: ExchangeItem) {
        var writer = HandedItemWriter()
        self.item = writer.item(item)
        losses = writer.losses
    }
}

/// Goes through an item and leaves out what has no place.
private struct HandedItemWriter {
    var losses: [String] = []
    /// The parts that no type of Apple's has a member for.
    private var unknown: [String] = []
    private static let toldParts = 10
    private static let known: Set<String> = [
        "id", "creationAt", "modifiedAt", "title", "subtitle", "favorite", "scope", "credentials", "tags", "extensions",
    ]

    mutating func item(_ item: ExchangeItem) -> ExchangeItem {
        var members: [JSONObject.Member] = [.init("id", .text(HandedValue.identifier(item.id)))]
        if let created = item.created { members.append(.init("creationAt", .integer(created))) }
        if let modified = item.modified { members.append(.init("modifiedAt", .integer(modified))) }
        members.append(.init("title", .text(item.title)))
        if let subtitle = item.subtitle { members.append(.init("subtitle", .text(subtitle))) }
        if item.isFavorite { members.append(.init("favorite", .boolean(true))) }
        if let scope = item.object["scope"]?.object { members.append(.init("scope", .object(self.scope(scope)))) }
        members.append(.init("credentials", .array(item.credentials.compactMap { credential($0).map { .object($0) } })))
        if !item.tags.isEmpty { members.append(.init("tags", .array(item.tags.map { .text($0) }))) }
        tellExtensions(of: item)
        for member in item.object.members where !Self.known.contains(member.name) { miss(member.name) }
        if !unknown.isEmpty {
            losses.append(
                "Other providers have no place for these parts of it: \(unknown.prefix(Self.toldParts).joined(separator: ", "))"
                    + (unknown.count > Self.toldParts ? " …" : "."))
        }
        return ExchangeItem(JSONObject(members))
    }

    private mutating func tellExtensions(of item: ExchangeItem) {
        for value in item.object["extensions"]?.elements ?? [] {
            let name = value.object?.publicText("name") ?? ""
            guard name == ImportOrigin.name else {
                miss(name.isEmpty ? "an extension" : name)
                continue
            }
            if value.object?["http"]?.boolean == true {
                losses.append("Other providers can't be told that its password is for HTTP's own sign-in.")
            } else if value.object?.publicText("use") == "forms" {
                losses.append("Other providers can't be told that its password is for forms alone.")
            }
        }
    }

    /// Notes a part; names come from documents of others.
    private mutating func miss(_ name: String) {
        let isReadable = (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        let name = isReadable ? name : "an unnamed one"
        if !unknown.contains(name) { unknown.append(name) }
    }

    // MARK: - Where it is used

    private mutating func scope(_ scope: JSONObject) -> JSONObject {
        var urls: [JSONValue] = []
        for url in (scope["urls"]?.elements ?? []).compactMap(\.publicText) where !url.isEmpty {
            if URL(string: url) != nil {
                urls.append(.text(url))
            } else {
                losses.append("One of its addresses isn't one that other providers can read.")
            }
        }
        let apps = (scope["androidApps"]?.elements ?? []).compactMap { $0.object.flatMap(HandedValue.app) }
        for member in scope.members where !["urls", "androidApps"].contains(member.name) { miss(member.name) }
        return JSONObject([.init("urls", .array(urls)), .init("androidApps", .array(apps.map { .object($0) }))])
    }

    // MARK: - Credentials

    private mutating func credential(_ credential: ExchangeCredential) -> JSONObject? {
        let type = credential.type
        if type == .file {
            losses.append("Other providers have no place for what is in a file.")
            return nil
        }
        guard let schema = ExchangeSchema.members[type] else {
            losses.append("Other providers don't know the kind of one of its credentials.")
            return nil
        }
        guard (try? credential.check()) != nil, let members = HandedValue.members(of: credential, schema) else {
            losses.append(
                type == .totp
                    ? "One of its codes can't be made by other providers."
                    : "A credential (\(type.rawValue)) isn't in the form of its kind.")
            return nil
        }
        for member in credential.object.members where member.name != "type" && schema[member.name] == nil {
            miss("\(member.name) (\(type.rawValue))")
        }
        if type == .passkey { tellMissingExtensions(of: credential, in: members) }
        return JSONObject([.init("type", .text(type.rawValue))] + members.members)
    }

    private mutating func tellMissingExtensions(of credential: ExchangeCredential, in handed: JSONObject) {
        let kept = handed["fido2Extensions"]?.object
        for member in credential.object["fido2Extensions"]?.object?.members ?? [] {
            let name = member.name == "hmacSecret" ? "hmacCredentials" : member.name
            if kept?[name] == nil { miss("\(member.name) (passkey)") }
        }
    }
}
