import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsExtension

@Suite("Model of the extension")
struct ModelTests {
    private typealias Model = PasswordsModel
    private let services = [
        ASCredentialServiceIdentifier(identifier: "https://m.example.com/login", type: .URL),
        ASCredentialServiceIdentifier(identifier: "example.com", type: .domain),
    ]

    private func failure<Value>(_ code: ProtocolError.Code, _ text: String = "Because.") -> Result<Value, ProtocolError>
    {
        .failure(ProtocolError(code, text))
    }

    private func secret(_ text: String) throws -> [String: InterfaceValue] {
        ["master": .secret(InterfaceSecret(try SealedMemory(text: text)))]
    }

    private func credential(_ text: String) throws -> VaultAnswer {
        .password(.success((user: "ada", password: SealedPassword(memory: try SealedMemory(text: text)))))
    }

    // MARK: Without interface

    @Test func asksForThePasswordAtOnce() throws {
        var model = Model(.silently(record: "7"))
        #expect(model.begin()?.asked == "password 7")
        guard case .complete("ada", let password)? = model.handle(.answer(try credential("x"))) else {
            Issue.record("not completed")
            return
        }
        #expect(try password.memory.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == "x")
        #expect(model.interface == nil)
    }

    @Test(arguments: [
        (ProtocolError.Code.locked, ASExtensionError.Code.userInteractionRequired),
        (.interactionRequired, .userInteractionRequired), (.notFound, .credentialIdentityNotFound),
        (.damaged, .failed), (.connectionClosed, .failed),
    ])
    func endsSilentlyWithTheCodeOfTheReason(reason: ProtocolError.Code, code: ASExtensionError.Code) {
        var model = Model(.silently(record: "7"))
        #expect(model.handle(.answer(.password(failure(reason))))?.cancelled == code)
        #expect(model.interface == nil)
    }

    @Test(arguments: [
        PasswordsModel.Request.silently(record: nil), .openly(record: nil), .code(record: nil, isSilent: true),
        .code(record: nil, isSilent: false),
    ])
    func knowsNoItemWithoutARecord(request: PasswordsModel.Request) {
        var model = Model(request)
        #expect(model.begin()?.cancelled == .credentialIdentityNotFound)
    }

    // MARK: Unlocking

    @Test func asksForTheMasterPasswordAndThenForTheItem() throws {
        var model = Model(.openly(record: "7"))
        #expect(model.begin()?.asked == "status")
        #expect(model.handle(.answer(.status(.success(.locked)))) == nil)
        guard case .form(let form)? = model.interface else {
            Issue.record("no form")
            return
        }
        #expect(form.fields.map(\.kind) == [.secure])
        #expect(form.error == nil)
        #expect(model.handle(.event(.submitted(try secret("correct horse"))))?.asked == "unlock 13")
        guard case .progress? = model.interface else {
            Issue.record("no progress")
            return
        }
        #expect(model.handle(.answer(.unlocked(.success(()))))?.asked == "password 7")
    }

    @Test(arguments: [ProtocolError.Code.wrongPassword, .busy, .timedOut])
    func asksAgainWhereAnotherTryMayHelp(code: ProtocolError.Code) {
        var model = Model(.list([]))
        _ = model.handle(.answer(.status(.success(.locked))))
        _ = model.handle(.answer(.unlocked(failure(code, "Not that one."))))
        guard case .form(let form)? = model.interface else {
            Issue.record("no form")
            return
        }
        #expect(form.error == "Not that one.")
    }

    @Test(arguments: [
        (ProtocolError.Code.damaged, "The vault is damaged"), (.refused, "Couldn’t open the vault"),
        (.system, "Passwords has a problem"),
    ])
    func saysWhatToDoWhereNoTryHelps(code: ProtocolError.Code, title: String) {
        var model = Model(.openly(record: "7"))
        _ = model.handle(.answer(.status(.success(.locked))))
        _ = model.handle(.answer(.unlocked(failure(code, "Do this."))))
        guard case .message(let message)? = model.interface else {
            Issue.record("no message")
            return
        }
        #expect((message.title, message.text, message.style) == (title, "Do this.", .error))
        #expect(model.handle(.event(.activated(action: "again")))?.asked == "status")
    }

    @Test func refusesAnEmptyMasterPasswordItself() throws {
        var model = Model(.list([]))
        _ = model.handle(.answer(.status(.success(.locked))))
        #expect(model.handle(.event(.submitted(try secret("")))) == nil)
        guard case .form(let form)? = model.interface else {
            Issue.record("no form")
            return
        }
        #expect(form.error == "Enter the master password.")
    }

    @Test func takesOneMasterPasswordAtATime() throws {
        var model = Model(.list([]))
        _ = model.handle(.answer(.status(.success(.locked))))
        #expect(model.handle(.event(.submitted(try secret("one")))) != nil)
        #expect(model.handle(.event(.submitted(try secret("two")))) == nil)
    }

    @Test func anItemThatIsGoneEndsAnOpenRequest() {
        var model = Model(.openly(record: "7"))
        #expect(model.handle(.answer(.password(failure(.notFound))))?.cancelled == .credentialIdentityNotFound)
    }

    // MARK: The list

    @Test func showsMatchesFirstThenEverything() {
        var model = Model(.list(services))
        #expect(model.begin()?.asked == "status")
        let question = model.handle(.answer(.status(.success(.open))))
        #expect(question?.asked == #"list ["https://m.example.com/login", "example.com"]"#)
        let listing = ItemListing(matches: [.example("b")], items: [.example("a"), .example("b")], total: 2)
        #expect(model.handle(.answer(.list(.success(listing)))) == nil)
        guard case .list(let list)? = model.interface else {
            Issue.record("no list")
            return
        }
        #expect(list.sections.map(\.title) == ["For m.example.com", "All passwords"])
        #expect(list.sections.map { $0.rows.map(\.title) } == [["b"], ["a", "b"]])
        let rows = list.sections.flatMap(\.rows)
        #expect(Set(rows.map(\.id)).count == 3, "ids are unique although an item stands in both sections")
        #expect(rows.first?.subtitle == "ada · b.example")
        for row in rows.filter({ $0.title == "b" }) {
            #expect(model.handle(.event(.chose(row: row.id)))?.asked == "password id-b")
        }
    }

    @Test func saysHowManyThereAreWhenNotAllAreShown() {
        var model = Model(.list([]))
        _ = model.handle(.answer(.list(.success(ItemListing(items: [.example("a")], total: 700)))))
        guard case .list(let list)? = model.interface else {
            Issue.record("no list")
            return
        }
        #expect(list.sections.map(\.title) == ["All passwords (1 of 700; type to search)"])
        #expect(list.search == .provider)
    }

    @Test func searchesThroughTheService() {
        var model = Model(.list([]))
        let listing = ItemListing(items: [.example("a"), .example("b")], total: 2)
        _ = model.handle(.answer(.list(.success(listing))))
        let before = model.interface
        #expect(model.handle(.event(.searched("x")))?.asked == "search x")
        #expect(model.handle(.event(.searched("xy")))?.asked == "search xy")
        _ = model.handle(.answer(.found(text: "x", .success(ItemListing(items: [.example("x")], total: 1)))))
        #expect(model.interface == before, "an answer to an older search is dropped")
        _ = model.handle(.answer(.found(text: "xy", .success(ItemListing()))))
        guard case .list(let list)? = model.interface else {
            Issue.record("no list")
            return
        }
        #expect(list.sections.isEmpty && list.emptyText == "Nothing matches “xy”.")
        #expect(model.handle(.event(.searched(""))) == nil)
        #expect(model.interface == before)
    }

    @Test func asksForTheMasterPasswordWhenTheVaultLocksMeanwhile() throws {
        var model = Model(.list([]))
        _ = model.handle(.answer(.list(.success(ItemListing(items: [.example("a")], total: 1)))))
        _ = model.handle(.event(.chose(row: "item:id-a")))
        _ = model.handle(.answer(.password(failure(.locked))))
        _ = model.handle(.event(.submitted(try secret("correct horse"))))
        #expect(model.handle(.answer(.unlocked(.success(()))))?.asked == "password id-a")
    }

    @Test func anItemThatIsGoneLeadsBackToTheList() {
        var model = Model(.list([]))
        _ = model.handle(.answer(.list(.success(ItemListing(items: [.example("a")], total: 1)))))
        _ = model.handle(.event(.chose(row: "item:id-a")))
        _ = model.handle(.answer(.password(failure(.notFound))))
        #expect(model.handle(.event(.activated(action: "again")))?.asked == "status")
        #expect(model.handle(.answer(.status(.success(.open))))?.asked == "list []")
    }

    @Test(arguments: [
        (VaultAnswer.status(.success(.missing)), "keyway passwords init"),
        (.list(.success(ItemListing())), "keyway passwords add"),
        (.status(.failure(ProtocolError(.notFound, "The service does not start."))), "The service does not start."),
    ])
    func saysWhatToDoWhereThereIsNothing(answer: VaultAnswer, hint: String) {
        var model = Model(.list([]))
        #expect(model.handle(.answer(answer)) == nil)
        guard case .message(let message)? = model.interface else {
            Issue.record("no message")
            return
        }
        #expect(message.text.hasSuffix(hint))
    }

    @Test(arguments: [
        InterfaceEvent.chose(row: "item:id-a"), .searched("a"), .submitted([:]), .activated(action: "again"),
        .cancelled,
    ])
    func ignoresWhatBelongsToNoScreen(event: InterfaceEvent) {
        var model = Model(.list([]))
        #expect(model.handle(.event(event)) == nil)
        #expect(model.interface == nil)
    }
}

extension PasswordsModel.Effect {
    /// What is asked of the service, in a word or two.
    var asked: String? {
        guard case .ask(let question) = self else { return nil }
        return switch question {
        case .status: "status"
        case .unlock(let secret): "unlock \(secret.count)"
        case .password(let record): "password \(record)"
        case .list(let services, nil): "list \(services.map(\.identifier))"
        case .list(let services, let passkeys?): "list \(services.map(\.identifier)) \(passkeys.relyingParty)"
        case .search(let text, for: _, let kind): "search \(text)" + (kind == nil ? " of all kinds" : "")
        case .texts(let record): "texts \(record)"
        case .text(let text, let record): "text \(text) of \(record)"
        case .code(let record): "code \(record)"
        case .codes(let services, let text): "codes \(services.map(\.identifier)) \(text)"
        case .sign(let record, let request):
            "sign \(record) \(request.relyingParty) \(request.assertion.allowedCredentials.map { Array($0) })"
                + (request.isPersonVerified == true ? " verified" : "")
        case .make(let registration, let isConditional):
            "make \(registration.userName)" + (isConditional ? " conditional" : "")
                + (registration.isPersonVerified == true ? " verified" : "")
        case .keep(let keeping, let replaces): "keep \(keeping.user)" + (replaces ? " replacing" : "")
        case .places(let keeping): "places for \(keeping.issuer)"
        case .keepCode(let keeping, let record): "keep the code of \(keeping.account) with \(record ?? "a new item")"
        case .report: "report"
        }
    }

    /// The code with which the request is cancelled.
    var cancelled: ASExtensionError.Code? {
        if case .cancel(let code, _) = self { code } else { nil }
    }
}

extension PasswordsModel.Effect? {
    static func == (left: Self, right: _OptionalNilComparisonType) -> Bool {
        if case .none = left { true } else { false }
    }
}
