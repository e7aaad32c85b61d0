import AuthenticationServices
import Testing

@testable import PassEntries
@testable import PasswordStore

/// Entries as items of the exchange, and items as entries.
@Suite("Entries that come from another manager or go to one")
struct EntryExchangeTests {
    // MARK: - Helpers

    private func name(_ text: String) throws -> EntryName { try #require(EntryName(text)) }

    private func item(_ entry: String, _ text: String) throws -> EntryItem {
        try #require(EntryItem(try name(entry), EntryContents(SecretBuffer(text.utf8))))
    }

    private func field(
        _ value: String, _ label: String? = nil, _ type: ASImportableEditableField.FieldType = .string
    ) -> ASImportableEditableField {
        .init(id: nil, fieldType: type, value: value, label: label)
    }

    private func login(_ user: String, _ password: String) -> ASImportableCredential {
        .basicAuthentication(
            .init(
                userName: user.isEmpty ? nil : field(user),
                password: password.isEmpty ? nil : field(password, nil, .concealedString)))
    }

    private func item(
        _ title: String, urls: [String] = [], tags: [String] = [], _ credentials: ASImportableCredential...
    ) -> ASImportableItem {
        ASImportableItem(
            id: Data(title.utf8.prefix(64)), title: title,
            scope: urls.isEmpty ? nil : .init(urls: urls.compactMap { URL(string: $0) }), credentials: credentials,
            tags: tags)
    }

    private func data(
        _ items: [ASImportableItem], _ collections: [ASImportableCollection] = []
    ) -> ASExportedCredentialData {
        ASExportedCredentialData(
            accounts: [.init(id: Data([1]), userName: "", email: "", collections: collections, items: items)],
            formatVersion: .v1, exporterRelyingPartyIdentifier: "example.org", exporterDisplayName: "Example",
            timestamp: Date(timeIntervalSince1970: 1_700_000_000))
    }

    private func plan(
        _ items: [ASImportableItem], _ collections: [ASImportableCollection] = [], there: [String: String] = [:]
    ) async throws -> ImportPlan {
        try await ImportPlan(data(items, collections), into: there.keys.compactMap { EntryName($0) }.sorted()) { name in
            there[name.text].map { EntryContents(SecretBuffer($0.utf8)) }
        }
    }

    private func text(_ entry: ImportPlan.Entry) -> String {
        entry.contents.text(0..<entry.contents.count) ?? ""
    }

    private func entries(_ plan: ImportPlan) -> [String: String] {
        Dictionary(plan.entries.map { ($0.name.text, text($0)) }) { $1 }
    }

    // MARK: - From the store

    @Test(
        "what an entry says becomes what managers have places for",
        arguments: [
            ("Web/example.com/ada", "pw\n", "example.com", "ada", ["https://example.com"], ["Web"]),
            (
                "example.com", "pw\nuser: ada\nurl: https://example.com/in\n", "example.com", "ada",
                ["https://example.com/in"], []
            ),
            ("bank/card", "1234\ntitle: Card\n", "Card", "", [], ["bank"]),
            (
                "Web/ada@example.com", "pw\nurl: b.example\n", "example.com", "ada",
                ["https://example.com", "https://b.example"], ["Web"]
            ),
            ("localhost:8080/root", "pw\n", "localhost", "root", ["https://localhost:8080"], []),
        ])
    func places(entry: String, text: String, title: String, user: String, urls: [String], folder: [String]) throws {
        let read = try item(entry, text)
        #expect(read.item.title == title && read.folder == folder)
        #expect(read.item.scope?.urls.map(\.absoluteString) ?? [] == urls)
        guard case .basicAuthentication(let login) = read.item.credentials.first else { throw CancellationError() }
        #expect(login.userName?.value ?? "" == user)
        #expect(login.password?.fieldType == .concealedString)
    }

    @Test func codesByTimeAreSuchAndCountedOnesAreLinksOfTheNextCode() throws {
        let time = try item(
            "otp/example.com/ada",
            "otpauth://totp/ACME:ada%40x?secret=GEZDGNBVGY3TQOJQ&issuer=ACME&algorithm=SHA256&digits=8&period=60\n")
        guard case .totp(let code) = time.item.credentials.last else { throw CancellationError() }
        #expect(code.secret == Data("1234567890".utf8) && code.digits == 8 && code.period == 60)
        #expect(code.algorithm == .sha256 && code.issuer == "ACME" && code.userName == "ada@x")
        let counted = try item("example.com/ada", "pw\notpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ&counter=4&digits=6\n")
        guard case .customFields(let links) = counted.item.credentials.last else { throw CancellationError() }
        #expect(links.label == "One-time codes")
        #expect(links.fields.map(\.value) == ["otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ&counter=5&digits=6"])
        #expect(counted.notices.count == 1)
    }

    @Test func anEntryThatIsNoTextIsNone() throws {
        #expect(EntryItem(try name("x"), EntryContents(SecretBuffer([0xFF, 0x0A]))) == nil)
    }

    @Test func identifiersStayAndShowNothing() throws {
        let one = try item("example.com/ada", "pw\n").item.id
        #expect(one == (try item("example.com/ada", "other\n").item.id) && one.count == 32)
        #expect(one != (try item("example.com/bob", "pw\n").item.id))
    }

    @Test func foldersAreCollections() throws {
        var export = AccountExport()
        for entry in ["a/b/example.com/ada", "a/example.com/bob", "plain"] {
            export.add(try name(entry), EntryContents(SecretBuffer("pw\n".utf8)))
        }
        let account = try #require(export.data(at: .now).accounts.first)
        #expect(account.items.count == 3 && account.collections.map(\.title) == ["a"])
        let folder = try #require(account.collections.first)
        #expect(folder.items.map(\.item) == [account.items[1].id])
        #expect(folder.subcollections.map(\.title) == ["b"])
        #expect(folder.subcollections.first?.items.map(\.item) == [account.items[0].id])
    }

    // MARK: - Into the store

    @Test(
        "an item becomes an entry as people write it",
        arguments: [
            ("example.com", ["https://example.com"], "ada", "pw", "example.com/ada", "pw\n"),
            (
                "Mail", ["https://example.com/in", "https://b.example"], "ada", "pw", "example.com/ada",
                "pw\ntitle: Mail\nurl: https://example.com/in\nurl: https://b.example\n"
            ),
            (
                "example.com", ["http://example.com:8080"], "", "pw", "example.com:8080",
                "pw\nurl: http://example.com:8080\n"
            ),
            ("Router", [], "root", "pw", "Router", "pw\nuser: root\n"),
            ("example.com", ["https://example.com"], "a/b", "pw", "example.com/a_b", "pw\nuser: a/b\n"),
        ])
    func composed(
        title: String, urls: [String], user: String, password: String, name: String, text: String
    ) async throws {
        let plan = try await plan([item(title, urls: urls, login(user, password))])
        #expect(entries(plan) == [name: text] && plan.conflicts == 0 && plan.notices.isEmpty)
    }

    @Test func collectionsAreFolders() async throws {
        let item = item("example.com", urls: ["https://example.com"], login("ada", "pw"))
        let inner = ASImportableCollection(
            id: Data([2]), created: nil, lastModified: nil, title: "a/b", subtitle: nil,
            items: [.init(item: item.id, account: nil)], subcollections: [])
        let outer = ASImportableCollection(
            id: Data([3]), created: nil, lastModified: nil, title: "..", subtitle: nil, items: [],
            subcollections: [inner])
        #expect(entries(try await plan([item], [outer])).keys.sorted() == ["_../a_b/example.com/ada"])
    }

    @Test func whatAnEntryCanNotHoldIsToldOfItsItem() async throws {
        let passkey = ASImportableCredential.passkey(
            .init(
                credentialID: Data([1]), relyingPartyIdentifier: "example.com", userName: "ada", userDisplayName: "",
                userHandle: Data([1]), key: Data([1])))
        var marked = item("Both", login("ada", "pw"), passkey)
        marked.favorite = true
        let plan = try await plan([item("Only", passkey), marked])
        #expect(plan.entries.count == 1 && plan.leftOut == 1 && plan.items == 2)
        #expect(plan.notices.map(\.title) == ["Only", "Both", "Both"])
        #expect(plan.notices.count { $0.reason.contains("passkeys") && $0.reason.contains("example.com") } == 2)
        #expect(plan.notices.contains { $0.reason.contains("favorite") })
    }

    @Test func otherKindsBecomeLinesThatPeopleRead() async throws {
        let card = ASImportableCredential.creditCard(
            .init(
                number: field("4111"), fullName: field("Ada"), cardType: nil, verificationNumber: field("123"),
                pin: nil, expiryDate: field("2029-04"), validFrom: nil))
        let plan = try await plan([item("Visa", card)])
        #expect(
            entries(plan) == ["Visa": "\ncard number: 4111\nname on card: Ada\nsecurity code: 123\nexpires: 2029-04\n"])
        #expect(plan.notices.map(\.reason) == ["Its card becomes lines of text."])
    }

    @Test(
        "no line of an item can be taken for another",
        arguments: [
            ("two\nlines", "field"), ("otpauth://totp/x?secret=GE", "password"),
        ])
    func hostileValues(value: String, key: String) async throws {
        let plan = try await plan([
            item("x", login("", value), .customFields(.init(id: nil, label: nil, fields: [field(value)])))
        ])
        let text = try #require(entries(plan)["x"])
        #expect(text.hasPrefix("\n"), "the first line is no password")
        #expect(text.contains("\(key): ") || text.contains("\(key):\n"))
    }

    @Test func aFieldCalledLikeTheUserDoesNotBecomeTheUser() async throws {
        let fields = ASImportableCredential.customFields(.init(id: nil, label: nil, fields: [field("eve", "login")]))
        let plan = try await plan([item("example.com", urls: ["https://example.com"], login("ada", "pw"), fields)])
        let entry = try #require(plan.entries.first)
        #expect(EntryContents(entry.contents).user == "ada")
    }

    // MARK: - There and back

    @Test(
        "an item that went into the store comes back the same",
        arguments: [
            "plain note", "several\n\nparagraphs\nuser: not a user\n", " spaces at both ends \n\n", "a: b",
        ])
    func roundTrip(notes: String) async throws {
        let fields = [field("red", "colour", .concealedString), field("42", "answer", .concealedString)]
        let original = item(
            "My bank", urls: ["https://bank.example/in", "https://other.example"], tags: ["Work/Money", "x, y"],
            login("ada@mail.example", "p w : ? "),
            .totp(
                .init(
                    secret: Data("12345678901".utf8), period: 60, digits: 8, userName: "ada", algorithm: .sha512,
                    issuer: "My: Bank")),
            .customFields(.init(id: nil, label: nil, fields: fields)), .note(.init(content: field(notes))))
        let plan = try await plan([original])
        #expect(plan.notices.isEmpty)
        let entry = try #require(plan.entries.first)
        var back = try #require(EntryItem(entry.name, EntryContents(entry.contents))).item
        back.id = original.id
        #expect(back == original)
    }

    @Test func whatWasExportedIsADuplicateOfWhatIsThere() async throws {
        let store = [
            "Web/example.com/ada": "pw\nnote\nurl: https://other.example\n",
            "otp/example.com/ada": "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ\n",
            "plain": "secret\nkey: value\n\ntext\n",
        ]
        var export = AccountExport()
        for (entry, text) in store.sorted(by: { $0.key < $1.key }) {
            export.add(try name(entry), EntryContents(SecretBuffer(text.utf8)))
        }
        let plan = try await ImportPlan(export.data(at: .now), into: store.keys.compactMap { EntryName($0) }.sorted()) {
            store[$0.text].map { EntryContents(SecretBuffer($0.utf8)) }
        }
        #expect(plan.duplicates == 3 && plan.entries.isEmpty)
    }

    // MARK: - What is there already

    @Test func anotherEntryForTheAccountIsNeverOverwritten() async throws {
        let there = ["Web/example.com/ada": "old\n", "Web/imported/example.com/ada": "older\n"]
        let plan = try await plan(
            [item("example.com", urls: ["https://example.com"], login("ada", "new"))], there: there)
        #expect(entries(plan) == ["Web/imported-2/example.com/ada": "new\n"] && plan.conflicts == 1)
        #expect(plan.withoutConflicts.entries.isEmpty && plan.withoutConflicts.notices.count == 1)
    }

    @Test func theSameTwiceIsStoredOnceAndAnotherOneBesideIt() async throws {
        let one = item("example.com", urls: ["https://example.com"], login("ada", "pw"))
        let other = item("example.com", urls: ["https://example.com"], login("ada", "other"))
        let plan = try await plan([one, one, other])
        #expect(entries(plan) == ["example.com/ada": "pw\n", "imported/example.com/ada": "other\n"])
        #expect(plan.duplicates == 1 && plan.conflicts == 1)
    }

    @Test func anEntryWithMoreThanTheItemIsADuplicate() async throws {
        let there = ["example.com/ada": "pw\ncolour: red\nmore\n"]
        let plan = try await plan([item("Example", urls: ["https://example.com"], login("ada", "pw"))], there: there)
        #expect(plan.duplicates == 1 && plan.entries.isEmpty)
    }

    @Test func whatIsTooLargeIsLeftOutAndTold() async throws {
        let large = item("x", login("", "pw"), .note(.init(content: field(String(repeating: "x", count: 1 << 20)))))
        let plan = try await plan([large, item("y", login("", "pw"))])
        #expect(plan.leftOut == 1 && plan.entries.map(\.name.text) == ["y"])
        #expect(plan.notices.map(\.title) == ["x"])
    }

    // MARK: - Writing

    @Test func anImportIsWrittenWholeOrNotAtAll() async throws {
        try await OpenStore.with { open in
            let store = open.store
            let wanted = ["a/one", "a/b/two", "three"]
            func entries() throws -> [ImportPlan.Entry] {
                try wanted.map {
                    .init(name: try name($0), contents: SecretBuffer("\($0)\n".utf8), isBesideAnother: false)
                }
            }
            // What is in the way of the last one: a folder called like its file.
            try FileManager.default.createDirectory(
                atPath: "\(open.settings.folder)/three.gpg", withIntermediateDirectories: false)
            await #expect(throws: StoreError.self) {
                try await store.insert(try entries(), from: "Example") { _ in }
            }
            #expect(store.tree().entries.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: "\(open.settings.folder)/a"))
            try FileManager.default.removeItem(atPath: "\(open.settings.folder)/three.gpg")
            try await store.insert(try entries(), from: "Example") { _ in }
            #expect(store.tree().entries.map(\.text) == wanted.sorted())
            #expect(try await open.text(try name("a/b/two")) == "a/b/two\n")
        }
    }

    @Test func whatAppearsInBetweenTakesTheOthersBack() async throws {
        try await OpenStore.with { open in
            let entries = try ["one", "two"].map {
                ImportPlan.Entry(name: try name($0), contents: SecretBuffer("x\n".utf8), isBesideAnother: false)
            }
            await #expect(throws: StoreError.exists) {
                try await open.store.insert(entries, from: "Example") { done in
                    guard done == 2 else { return }
                    _ = FileManager.default.createFile(
                        atPath: "\(open.settings.folder)/two.gpg", contents: Data("theirs".utf8))
                }
            }
            #expect(open.store.tree().entries.map(\.text) == ["two"])
            let left = FileManager.default.contents(atPath: "\(open.settings.folder)/two.gpg")
            #expect(left == Data("theirs".utf8))
        }
    }
}
