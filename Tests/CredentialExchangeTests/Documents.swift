import FoundationEssentials
import KeywayCrypto
import SecretDocuments
import Testing

@testable import CredentialExchange

/// The documents of the repository, and those that lie beside it, whose licences keep them out.
enum Documents {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let own = root.appending(path: "Tests/Vectors/exchange")
    static let others = root.deletingLastPathComponent().appending(path: "shared/fixtures/cxf")
    static let othersAreHere = FileManager.default.fileExists(atPath: others.path)

    static let names = [
        "generated-account-level", "generated-all-types", "generated-forward-compat", "generated-minimal",
        "generated-quirks", "spec-appendix-a-errata",
    ]
    static let othersNames = ["real-1password-account", "spec-example-header"]

    static func bytes(_ name: String, in folder: URL = own) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "\(name).json")))
    }
}

/// A document, read and written again.
func copy(_ bytes: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    try bytes.withUnsafeBytes { bytes in
        let document = try ExchangeReader(bytes)
        let writer = ExchangeWriter<Never>(document.header) { result += $0 }
        for account in document.accounts {
            writer.begin(account.account)
            var items = document.items(of: account)
            while let item = try items.next() { writer.add(item) }
            writer.endAccount()
        }
        writer.end()
    }
    return result
}

/// A document with the members of every object in the order of their names, as text.
func normalized(_ bytes: [UInt8]) throws -> String {
    func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(sorted))
        case .object(let object):
            .object(
                JSONObject(object.members.map { .init($0.name, sorted($0.value)) }.sorted { $0.name < $1.name }))
        default: value
        }
    }
    var text: [UInt8] = []
    let writer = JSONWriter<Never> { text += $0 }
    writer.value(sorted(try bytes.withUnsafeBytes { try JSONScanner.document($0) }))
    writer.end()
    return String(decoding: text, as: UTF8.self)
}

/// All items of a document.
func items(_ bytes: [UInt8]) throws -> [ExchangeItem] {
    try bytes.withUnsafeBytes { bytes in
        let document = try ExchangeReader(bytes)
        var found: [ExchangeItem] = []
        for account in document.accounts {
            var items = document.items(of: account)
            while let item = try items.next() { found.append(item) }
        }
        return found
    }
}
