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
    /// - Parameter withFolders: whether the collections that they lie in become tags.
    /// - Returns: what they became, in order.
    @discardableResult
    func read(_ bytes: [UInt8], withFolders: Bool = false) throws -> [ItemID] {
        var items: [ItemID] = []
        try bytes.withUnsafeBytes { bytes in
            let document = try ExchangeReader(bytes)
            for account in document.accounts {
                let reader = ItemReader(limits: .test, now: Self.now, account: withFolders ? account.account : nil)
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
/// and without what says the same as nothing.
func normalized(_ item: ExchangeItem) -> String {
    func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(plain))
        case .object(let object):
            .object(JSONObject(object.members.map { .init($0.name, plain($0.value)) }.sorted { $0.name < $1.name }))
        default: value
        }
    }
    var object = item.object
    let credentials = (object["credentials"]?.elements ?? []).map { string(plain($0)) }.sorted()
    object["credentials"] = .array(credentials.map { .text($0) })
    for name in ["tags", "extensions"] where object[name]?.elements?.isEmpty == true { object[name] = nil }
    if object["favorite"] == .boolean(false) { object["favorite"] = nil }
    return string(plain(.object(object)))
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
