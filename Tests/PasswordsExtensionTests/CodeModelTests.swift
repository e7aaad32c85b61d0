import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsExtension

/// One-time codes: one that was suggested, and one that is chosen.
@Suite struct CodeModelTests {
    private typealias Model = PasswordsModel
    private let services = [ASCredentialServiceIdentifier(identifier: "https://a.example/code", type: .URL)]

    private func answer(_ text: String) throws -> VaultAnswer {
        .code(
            .success(
                .init(code: Attachment(try SealedMemory(text: text)), validUntil: 60, item: .example("a"))))
    }

    private func completed(_ effect: Model.Effect?) throws -> String? {
        guard case .completeCode(let answer)? = effect else { return nil }
        return try answer.code.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func asksForTheSuggestedCodeAtOnce() throws {
        var model = Model(.code(record: "7", isSilent: true))
        #expect(model.begin()?.asked == "code 7")
        #expect(try completed(model.handle(.answer(try answer("123456")))) == "123456")
        #expect(model.interface == nil)
    }

    @Test(arguments: [
        (ProtocolError.Code.locked, ASExtensionError.Code.userInteractionRequired),
        (.notFound, .credentialIdentityNotFound), (.damaged, .failed),
    ])
    func endsSilentlyWithTheCodeOfTheReason(reason: ProtocolError.Code, code: ASExtensionError.Code) {
        var model = Model(.code(record: "7", isSilent: true))
        #expect(model.handle(.answer(.code(.failure(ProtocolError(reason, "x")))))?.cancelled == code)
    }

    @Test func unlocksFirstWhereItMayAsk() throws {
        var model = Model(.code(record: "7", isSilent: false))
        #expect(model.begin()?.asked == "status")
        #expect(model.handle(.answer(.status(.success(.locked)))) == nil)
        #expect(model.handle(.answer(.unlocked(.success(()))))?.asked == "code 7")
    }

    @Test func aChosenRowIsACodeAndNoPassword() throws {
        var model = Model(.codes(services))
        #expect(model.begin()?.asked == "status")
        #expect(
            model.handle(.answer(.status(.success(.open))))?.asked == #"codes ["https://a.example/code"] "#)
        let listing = ItemListing(matches: [.example("a")], items: [.example("a"), .example("b")], total: 2)
        #expect(model.handle(.answer(.list(.success(listing)))) == nil)
        guard case .list(let list)? = model.interface else {
            Issue.record("no list")
            return
        }
        #expect(list.sections.map(\.title) == ["For a.example", "All one-time codes"])
        #expect(model.handle(.event(.searched("b")))?.asked == #"codes ["https://a.example/code"] b"#)
        let row = try #require(list.sections.last?.rows.last)
        #expect(model.handle(.event(.chose(row: row.id)))?.asked == "code id-b")
        #expect(try completed(model.handle(.answer(try answer("654321")))) == "654321")
    }

    @Test func ofSeveralCodesOfAnItemEachHasItsRow() throws {
        var model = Model(.codes(services))
        let items = [1, 2].map { ItemSummary.example("a", code: $0) }
        #expect(model.handle(.answer(.list(.success(ItemListing(items: items, total: 2))))) == nil)
        guard case .list(let list)? = model.interface else {
            Issue.record("no list")
            return
        }
        let rows = try #require(list.sections.last?.rows)
        #expect(Set(rows.map(\.id)).count == 2)
        #expect(model.handle(.event(.chose(row: rows[1].id)))?.asked == "code id-a:2")
    }

    // MARK: Links that somebody opened

    private func setUp(_ listing: ItemListing) throws -> (model: Model, list: InterfaceList?) {
        let link = try SealedMemory(text: "otpauth://totp/x?secret=GEZDGNBV")
        var model = Model(.setUp(CodeKeeping(issuer: "Example", account: "ada", link: link)))
        #expect(model.begin()?.asked == "status")
        #expect(model.handle(.answer(.status(.success(.open))))?.asked == "places for Example")
        #expect(model.handle(.answer(.list(.success(listing)))) == nil)
        guard case .list(let list)? = model.interface else { return (model, nil) }
        return (model, list)
    }

    @Test func thePersonSaysWithWhichItemTheCodesAreKept() throws {
        var (model, list) = try setUp(
            ItemListing(matches: [.example("b")], items: [.example("a"), .example("b")], total: 2))
        #expect(list?.sections.map(\.title) == [nil, "For Example", "All items"])
        #expect(model.handle(.event(.searched("x")))?.asked == "search x")
        let row = try #require(list?.sections[1].rows.first)
        #expect(model.handle(.event(.chose(row: row.id)))?.asked == "keep the code of ada with id-b")
        guard case .keptCode? = model.handle(.answer(.keptCode(.success(())))) else {
            Issue.record("not kept")
            return
        }
    }

    /// The window holds Enter back until the last search is answered.
    @Test func aSearchIsAnsweredAlsoWhenItShowsTheSame() throws {
        var (model, _) = try setUp(ItemListing(items: [.example("a")], total: 1))
        let found = ItemListing(items: [.example("a")], total: 1)
        for (text, count) in [("a", 1), ("al", 2), ("alp", 3)] {
            _ = model.handle(.event(.searched(text)))
            _ = model.handle(.answer(.found(text: text, .success(found))))
            #expect(model.answeredSearches == count)
        }
        _ = model.handle(.event(.searched("alph")))
        _ = model.handle(.answer(.found(text: "alp", .success(found))))
        #expect(model.answeredSearches == 3, "this answers no search that is waited for")
        _ = model.handle(.event(.searched("")))
        #expect(model.answeredSearches == 4)
    }

    @Test func anEmptyVaultKeepsTheCodesInANewItem() throws {
        var (model, list) = try setUp(ItemListing())
        let row = try #require(list?.sections.first?.rows.first)
        #expect(row.title == "New item: Example")
        #expect(model.handle(.event(.chose(row: row.id)))?.asked == "keep the code of ada with a new item")
    }

    @Test func aVaultWithoutCodesSaysHowToAddOne() {
        var model = Model(.codes(services))
        #expect(model.handle(.answer(.list(.success(ItemListing())))) == nil)
        guard case .message(let message)? = model.interface else {
            Issue.record("no message")
            return
        }
        #expect(message.text.contains("--code"))
    }
}
