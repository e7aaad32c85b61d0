import CredentialExchange
import FoundationEssentials
import ImportReading
import Importing
import SecretDocuments
import Testing
import Vault

@testable import VaultExchange

/// A CXF file, read as `keyway import` reads it, stored and exported: nothing is lost but what Docs/exchange.md names.
@Suite struct WholeDocumentTests {
    private static let now: Int64 = 1_790_000_000
    private static let others = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/fixtures/cxf")
    private static let othersAreHere = FileManager.default.fileExists(atPath: others.path)

    @Test(arguments: [
        "generated-account-level", "generated-all-types", "generated-forward-compat", "generated-minimal",
        "generated-quirks", "spec-appendix-a-errata",
    ])
    func aDocumentComesOutAsItWentIn(name: String) throws { try expectSame(try document(name)) }

    @Test(.enabled(if: othersAreHere), arguments: ["real-1password-account", "spec-example-header"])
    func aDocumentOfAnotherProgramComesOutAsItWentIn(name: String) throws {
        try expectSame(Array(try Data(contentsOf: Self.others.appending(path: "\(name).json"))))
    }

    private func expectSame(_ bytes: [UInt8]) throws {
        let (expected, _) = try Self.parts(of: bytes)
        let read = try Self.read(bytes)
        let vault = try ExchangeVault()
        try vault.read(read)
        let (items, collections) = try vault.export()
        #expect(items.count == expected.items.count)
        for item in items {
            let before = try #require(expected.items.first { $0.id == item.id })
            var after = item
            for name in ["creationAt", "modifiedAt"]
            where ExchangeItem.corrected(before.object[name]?.integer, now: expected.now) == nil {
                // What has no time has that of the import.
                after.object[name] = nil
            }
            let (found, wanted) = (normalized(after), normalized(try Self.asItIsExported(before, now: expected.now)))
            #expect(found == wanted, "\(found)\n\(wanted)")
        }
        #expect(
            normalized(collections.map(\.object)) == normalized(expected.collections.compactMap(Self.asItIsExported)))
    }

    // MARK: - References and collections

    @Test func aReferenceStillLeadsToItsItem() throws {
        // Both documents call their first item the same.
        let vault = try ExchangeVault()
        for account in ["one", "two"] {
            try vault.read(
                try Self.read(
                    """
                    {"id": "\(account)", "username": "", "email": "", "collections": [], "items": [
                     {"id": "AA", "title": "target of \(account)", "credentials": []},
                     {"id": "\(account)B", "title": "reference of \(account)", "credentials":
                      [{"type": "item-reference", "reference": {"item": "AA"}}]}]}
                    """))
        }
        let (items, _) = try vault.export()
        #expect(Set(items.map(\.id)).count == 4)
        for account in ["one", "two"] {
            let reference = try #require(items.first { $0.title == "reference of \(account)" })
            let link = try #require(reference.credentials.first?.reference)
            #expect(items.first { $0.id == link.item }?.title == "target of \(account)")
        }
    }

    @Test func identifiersOfEntriesOfOtherFormatsAreOfThatImportAlone() throws {
        let vault = try ExchangeVault()
        for _ in 0..<2 { try vault.read(try Self.read("name,url,username,password\nMail,https://a.example/,ada,one")) }
        let (items, _) = try vault.export()
        #expect(Set(items.map(\.id)).count == 2 && items.allSatisfy { $0.id.utf8.count > 8 })
    }

    private static let inCollections = """
        {"id": "A", "username": "", "email": "", "collections": [
         {"id": "c1", "title": "Work", "creationAt": 1735689600, "items": [{"item": "i1"}], "subCollections": [
          {"id": "c2", "title": "Infra", "items": [{"item": "i1", "note": 3}, {"item": "i2"}]}]}],
         "items": [{"id": "i1", "title": "one", "tags": ["Work"], "credentials": []},
                   {"id": "i2", "title": "two", "credentials": []}]}
        """

    @Test func collectionsComeBackAsCollectionsAndAreTagsMeanwhile() throws {
        let vault = try ExchangeVault()
        let ids = try vault.read(try Self.read(Self.inCollections))
        #expect(try vault.vault.summary(of: ids[0]).tags == ["Work", "Work/Infra"])
        let (items, collections) = try vault.export()
        #expect(items.map(\.tags).sorted { $0.count > $1.count } == [["Work"], []])
        let expected = try Self.parts(of: Array(Self.inCollections.utf8)).parts.collections
        #expect(normalized(collections.map(\.object)) == normalized(expected.map(\.object)))
    }

    @Test func whoTakesTheTagAwayTakesTheItemOutOfTheCollection() throws {
        let vault = try ExchangeVault()
        let ids = try vault.read(try Self.read(Self.inCollections))
        var changes = ItemChanges()
        changes.tags = []
        try vault.vault.edit(ids[1], changes)
        let inner = try #require(try vault.export().collections.first?.subCollections.first)
        #expect(inner.items.map(\.item) == ["i1"])
    }

    @Test func aCollectionWhoseNameIsTooLongForATagIsKept() throws {
        let vault = try ExchangeVault()
        let name = String(repeating: "long ", count: 30)
        let ids = try vault.read(try Self.read(Self.inCollections.replacing("Infra", with: name)))
        #expect(try vault.vault.summary(of: ids[1]).tags.isEmpty)
        #expect(try vault.export().collections.first?.subCollections.first?.items.count == 2)
    }

    // MARK: - Helpers

    /// What the reader of files makes of one.
    private static func read(_ file: [UInt8]) throws -> [UInt8] {
        var written: [UInt8] = []
        let document = ImportedDocument(limit: 1 << 24) {
            written += $0
            return true
        }
        try file.withUnsafeBytes { try document.write(ImportSource($0, now: now)) }
        return written
    }

    private static func read(_ file: String) throws -> [UInt8] { try read(Array(file.utf8)) }

    private typealias Parts = (items: [ExchangeItem], collections: [ExchangeCollection], now: Int64)

    private static func parts(of bytes: [UInt8]) throws -> (parts: Parts, count: Int) {
        let found = try bytes.withUnsafeBytes { bytes in
            let reader = try ExchangeReader(bytes)
            return (reader.accounts.flatMap(\.account.collections), reader.header?.timestamp ?? now)
        }
        let all = try items(bytes)
        return ((all, found.0, found.1), all.count)
    }

    /// An item with the differences that Docs/exchange.md names.
    private static func asItIsExported(_ item: ExchangeItem, now: Int64) throws -> ExchangeItem {
        var item = item
        for name in ["creationAt", "modifiedAt"] {
            let time = ExchangeItem.corrected(item.object[name]?.integer, now: now)
            item.object[name] = time.map { .integer($0) }
        }
        var credentials = item.credentials
        for index in credentials.indices {
            if credentials[index].type == .basicAuthentication { Self.writeFields(of: &credentials[index], in: &item) }
            // Everything is in one account.
            guard var reference = credentials[index].object["reference"]?.object else { continue }
            reference["account"] = nil
            credentials[index].object["reference"] = .object(reference)
        }
        // A code that stands in a field alone has a credential of its own, too.
        for case .fields(_, let codes) in item.parts {
            credentials += codes.map { setup in
                let code = StoredCode(setup.recipe, issuer: setup.issuer, account: setup.account)
                return ExchangeCredential(SectionCredential.object(of: code.section))
            }
        }
        item.object["credentials"] = .array(credentials.map { .object($0.object) })
        return item
    }

    /// A login of drafts of 2024 as CXF 1.0 has it: fields, and its addresses in the scope of the item.
    private static func writeFields(of login: inout ExchangeCredential, in item: inout ExchangeItem) {
        for (name, type) in [("username", ExchangeFieldType.string), ("password", .concealed)] {
            guard let text = login.object[name]?.string else { continue }
            login.object[name] = .object(ExchangeField(type, text).object)
        }
        guard let urls = login.object["urls"] else { return }
        login.object["urls"] = nil
        item.object["scope"] = .object(JSONObject([.init("urls", urls)]))
    }

    /// A collection with the differences that Docs/exchange.md names; nil for one without items.
    private static func asItIsExported(_ collection: ExchangeCollection) -> JSONObject? {
        var object = collection.object
        let inner = collection.subCollections.compactMap(asItIsExported)
        let links = collection.items.map { link in
            var link = link.object
            link["account"] = nil
            return JSONValue.object(link)
        }
        guard !inner.isEmpty || !links.isEmpty else { return nil }
        object["items"] = .array(links)
        object["subCollections"] = inner.isEmpty ? nil : .array(inner.map { .object($0) })
        return object
    }
}
