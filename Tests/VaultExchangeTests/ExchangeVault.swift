import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import SecretDocuments
import Testing
import Vault

@testable import VaultExchange

/// A vault in a folder of its own, into which documents are read and out of which they are written.
final class ExchangeVault {
    private static let now: Int64 = 1_790_000_000
    private let folder: String
    let vault: UnlockedVault

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let environment = VaultEnvironment(epochs: EpochFolder(folder + "/epochs"))
        let path = folder + "/test.vault"
        let key = try Vault.create(
            at: path, password: secret("password"), derivation: PasswordDerivation(memoryMiB: 64, passes: 3),
            environment: environment)
        vault = try LockedVault.open(at: path, environment: environment).unlock(with: key)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Stores the items of a document.
    ///
    /// - Returns: what they became, in order.
    @discardableResult
    func read(_ bytes: [UInt8]) throws -> [ItemID] {
        var items: [ItemID] = []
        try bytes.withUnsafeBytes { bytes in
            let document = try ExchangeReader(bytes)
            let places = ExchangePlaces(document.accounts.map(\.account))
            for account in document.accounts {
                let reader = ItemReader(limits: .test, now: Self.now, account: account.account.id, places: places)
                var next = document.items(of: account)
                while let item = try next.next() { items.append(try vault.add(try reader.read(item).draft)) }
            }
        }
        return items
    }

    /// An item as it is exported.
    func item(_ id: ItemID, taken: Set<String> = []) throws -> ExchangedItem {
        let (summary, body, sections) = try vault.contents(of: id)
        var taken = taken
        return ExchangedItem(summary, body, sections, taken: &taken)
    }

    /// Everything as it is exported: the items in their order, and the collections that they lie in.
    func export() throws -> (items: [ExchangeItem], collections: [ExchangeCollection]) {
        var ids: [ItemID] = []
        try vault.forEachSummary { ids.append($0.id) }
        var references = ExchangedReferences()
        for id in ids { references.note(id, try vault.contents(of: id).sections) }
        let tree = CollectionTree()
        var (items, taken) = ([ExchangeItem](), Set<String>())
        for id in ids {
            let (summary, body, sections) = try vault.contents(of: id)
            let item = ExchangedItem(summary, body, sections, taken: &taken, references: references)
            items.append(item.item)
            for place in item.places { tree.add(item.item.id, at: place) }
        }
        return (items, tree.collections)
    }
}

extension ItemLimits {
    /// Limits that tests reach.
    static let test = ItemLimits(
        titleCharacters: 300, userCharacters: 300, addresses: 50, addressCharacters: 2000, tags: 50,
        tagCharacters: 100, fields: 40, fieldNameCharacters: 300, fieldBytes: 65_536, passwordBytes: 16_384,
        notesBytes: 1 << 20)
}

func secret(_ text: String) -> SecretBytes { SecretBytes(copyingUTF8Of: text) }

func text(_ secret: SecretBytes?) -> String? {
    secret?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

/// An item of a document, as it is written there.
func item(_ json: String) throws -> ExchangeItem {
    let value = try Array(json.utf8).withUnsafeBytes { try JSONScanner.document($0) }
    return ExchangeItem(try #require(value.object))
}

/// What the vault would store for an item.
func read(_ json: String) throws -> ImportedItem {
    try ItemReader(limits: .test, now: 1_790_000_000).read(try item(json))
}

/// JSON of an item with the members of every object in the order of their names, credentials in the order of their text,
/// and without what says the same as nothing: `null`, an empty list of tags, extensions or addresses.
func normalized(_ item: ExchangeItem) -> String {
    var object = item.object
    let credentials = (object["credentials"]?.elements ?? []).map { string(plain($0)) }.sorted()
    object["credentials"] = .array(credentials.map { .text($0) })
    for name in ["tags", "extensions"] where object[name]?.elements?.isEmpty == true { object[name] = nil }
    if object["favorite"] == .boolean(false) { object["favorite"] = nil }
    if var scope = object["scope"]?.object {
        scope = JSONObject(scope.members.filter { $0.value.elements?.isEmpty != true })
        object["scope"] = scope.members.isEmpty ? nil : .object(scope)
    }
    return string(plain(.object(object)))
}

/// JSON of collections, likewise, with the collections and the items in each in the order of their text.
func normalized(_ collections: [JSONObject]) -> String {
    string(.array(collections.map { JSONValue.text(normalized($0)) }.sorted { string($0) < string($1) }))
}

private func normalized(_ collection: JSONObject) -> String {
    var object = collection
    object["items"] = .array(
        (object["items"]?.elements ?? []).map { JSONValue.text(string(plain($0))) }.sorted { string($0) < string($1) })
    object["subCollections"] = .text(normalized((object["subCollections"]?.elements ?? []).compactMap(\.object)))
    return string(plain(.object(object)))
}

private func plain(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(plain))
    case .object(let object):
        .object(
            JSONObject(
                object.members.filter { !$0.value.isNull }.map { .init($0.name, plain($0.value)) }
                    .sorted { $0.name < $1.name }))
    default: value
    }
}

private func string(_ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    let writer = JSONWriter<Never> { bytes += $0 }
    writer.value(value)
    writer.end()
    return String(decoding: bytes, as: UTF8.self)
}

/// The documents of the repository.
func document(_ name: String) throws -> [UInt8] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: tests.appending(path: "Vectors/exchange/\(name).json")))
}

/// The items of a document.
func items(_ bytes: [UInt8]) throws -> [ExchangeItem] {
    try bytes.withUnsafeBytes { bytes in
        let document = try ExchangeReader(bytes)
        var items: [ExchangeItem] = []
        for account in document.accounts {
            var next = document.items(of: account)
            while let item = try next.next() { items.append(item) }
        }
        return items
    }
}
