import AuthenticationServices
import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsExtension

@MainActor
@Suite("Texts to insert")
struct TextTests {
    private func text(_ result: PerformRequest.Result) throws -> String? {
        guard case .text(let text) = result else { return nil }
        return try text.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func vault(_ access: VaultStatus.Access = .open) -> FakeVault {
        let vault = FakeVault(access, items: ["a", "b"])
        vault.change {
            $0.notes = "the notes"
            $0.fields = [("PIN", true, "1234"), ("Mail", false, "me@example.com")]
            $0.sections = [
                SectionSummary(number: 3, type: "wifi", isReadable: true, title: nil),
                SectionSummary(number: 4, type: "hologram", isReadable: false, title: nil),
            ]
            $0.members = [("ssid", true, "Home"), ("key", false, "not text")]
        }
        return vault
    }

    private func list(_ shown: ExtensionPresent.Parameters?) throws -> (InterfaceList, ExtensionPresent.Parameters) {
        let shown = try #require(shown)
        guard case .list(let list) = shown.interface else { throw ProtocolError(.internalError, "no list") }
        return (list, shown)
    }

    @Test(arguments: [
        ("Notes", "the notes", #"show id-b ["notes"]"#), ("PIN", "1234", #"show id-b ["fields"]"#),
        ("Mail", "me@example.com", #"show id-b ["fields"]"#), ("Network", "Home", "section id-b 3 opened"),
    ])
    func thePersonPicksAnItemAndThenOneOfItsTexts(name: String, wanted: String, call: String) async throws {
        let vault = vault()
        let broker = try await FakeBroker(vault: vault)
        async let result = broker.perform(.textToInsert)
        let (items, first) = try list(await broker.nextInterface())
        #expect(items.search == .provider && items.sections.flatMap(\.rows).map(\.title) == ["a", "b"])
        broker.send(.chose(row: "item:id-b"), to: first)
        let (texts, second) = try list(await broker.nextInterface())
        #expect(texts.sections.map(\.title) == ["b", nil])
        // What is no text is left out.
        #expect(texts.sections.first?.rows.map(\.title) == ["Notes", "PIN", "Mail", "Network"])
        #expect(texts.sections.first?.rows.map(\.subtitle) == [nil, "Hidden", nil, nil])
        let row = try #require(texts.sections.first?.rows.first { $0.title == name })
        broker.send(.chose(row: row.id), to: second)
        #expect(try text(try await result) == wanted)
        #expect(vault.calls.last == call, "only what was chosen is opened")
        #expect(!vault.calls.contains { $0.contains("password") })
    }

    @Test func whereAnItemHasSeveralSectionsEachTextSaysOfWhichItIs() async throws {
        let vault = vault()
        vault.change {
            $0.sections = [
                SectionSummary(number: 1, type: "passport", isReadable: true, title: nil),
                SectionSummary(number: 2, type: "wifi", isReadable: true, title: "Home"),
                SectionSummary(number: 3, type: "item", isReadable: true, title: nil),
            ]
            $0.members = [("fullName", true, "Ada")]
        }
        let broker = try await FakeBroker(vault: vault)
        async let result = broker.perform(.textToInsert)
        let (_, first) = try list(await broker.nextInterface())
        broker.send(.chose(row: "item:id-b"), to: first)
        let (texts, second) = try list(await broker.nextInterface())
        let titles = try #require(texts.sections.first?.rows.map(\.title))
        #expect(titles == ["Notes", "PIN", "Mail", "Passport: Full name", "Wi-Fi network “Home”: Full name"])
        let row = try #require(texts.sections.first?.rows.last)
        broker.send(.chose(row: row.id), to: second)
        #expect(try text(try await result) == "Ada")
        #expect(vault.calls.last == "section id-b 2 opened")
    }

    @Test func aSearchGoesOnWhereItWasAfterALookAtAnItem() async throws {
        let broker = try await FakeBroker(vault: vault())
        let request = Task { try await broker.perform(.textToInsert) }
        let (_, first) = try list(await broker.nextInterface())
        broker.send(.searched("b"), to: first)
        let (found, second) = try list(await broker.nextInterface())
        #expect(found.sections.flatMap(\.rows).map(\.title) == ["b"])
        broker.send(.chose(row: "item:id-b"), to: second)
        let (_, third) = try list(await broker.nextInterface())
        broker.send(.chose(row: "back"), to: third)
        let (again, _) = try list(await broker.nextInterface())
        #expect(again == found)
        request.cancel()
    }

    @Test func whoGoesOnTypingLooksForAnotherItem() async throws {
        let broker = try await FakeBroker(vault: vault())
        let request = Task { try await broker.perform(.textToInsert) }
        let (_, first) = try list(await broker.nextInterface())
        broker.send(.chose(row: "item:id-a"), to: first)
        let (texts, second) = try list(await broker.nextInterface())
        #expect(texts.search == .provider)
        broker.send(.searched("b"), to: second)
        while true {
            let (found, _) = try list(await broker.nextInterface())
            if found.sections.flatMap(\.rows).map(\.id) == ["item:id-b"] { break }
        }
        request.cancel()
    }

    @Test func aLockedVaultIsUnlockedFirst() async throws {
        let broker = try await FakeBroker(vault: vault(.locked))
        let request = Task { try await broker.perform(.textToInsert) }
        let form = try #require(await broker.nextInterface())
        let typed = InterfaceSecret(try SealedMemory(text: "correct horse"))
        broker.send(.submitted(["master": .secret(typed)]), to: form)
        while case .progress? = await broker.nextInterface()?.interface {}
        request.cancel()
    }

    @Test func whatIsGoneIsSaid() {
        var model = PasswordsModel(.text)
        #expect(model.begin()?.asked == "status")
        #expect(model.handle(.answer(.status(.success(.open))))?.asked == "search  of all kinds")
        var listing = ItemListing()
        (listing.items, listing.total) = ([.example("a")], 1)
        #expect(model.handle(.answer(.found(text: "", .success(listing)))) == nil)
        #expect(model.handle(.event(.chose(row: "item:id-a")))?.asked == "texts id-a")
        let gone = ProtocolError(.notFound, "It is gone.")
        #expect(model.handle(.answer(.texts(.failure(gone)))) == nil)
        guard case .message(let message)? = model.interface else {
            Issue.record("no message")
            return
        }
        #expect(message.title == "Text not found")
        #expect(model.handle(.event(.activated(action: "again")))?.asked == "status")
    }

    @Test(arguments: ["text:7", "text:", "text:-1", "item:id-a", "other"])
    func knowsOnlyTheRowsThatAreShown(row: String) {
        var model = PasswordsModel(.text)
        _ = model.begin()
        let texts = ItemTexts(
            record: "id-a", title: "a", entries: [.init(text: .notes, name: "Notes", isHidden: false)])
        model.screen = .texts(texts, from: ItemListing(), search: nil)
        #expect(model.handle(.event(.chose(row: row))) == nil)
        #expect(model.handle(.event(.chose(row: "text:0")))?.asked == "text notes of id-a")
    }
}
