import AutoFillProtocol
import KeywaySystem
import Testing

@testable import SheetInterface

@Suite struct SheetModelTests {
    private let provider = ProviderReference(identifier: "org.example.manager", name: "Manager")

    private func sheet(_ interface: ProviderInterface, for service: String? = "example.com") throws -> Sheet {
        try Sheet(header: SheetHeader(provider: provider, service: service), interface: interface)
    }

    private func form(error: String? = nil, fields: [String] = ["master"]) -> ProviderInterface {
        .form(
            InterfaceForm(
                title: "Unlock", fields: fields.map { .init(id: $0, label: $0, kind: .secure) }, submitTitle: "Go",
                error: error))
    }

    private func name(_ change: SheetModel.Change) -> String {
        switch change {
        case .none: "none"
        case .update: "update"
        case .replace: "replace"
        case .event: "event"
        }
    }

    @Test func aFormThatDidNotChangeIsLeftAlone() throws {
        var model = SheetModel(try sheet(form()))
        #expect(name(model.update(try sheet(form()))) == "none")
    }

    @Test func aFormWithTheSameFieldsKeepsThem() throws {
        var model = SheetModel(try sheet(form()))
        #expect(name(model.update(try sheet(form(error: "Wrong.")))) == "update")
    }

    @Test func aFormWithOtherFieldsReplaces() throws {
        var model = SheetModel(try sheet(form()))
        #expect(name(model.update(try sheet(form(fields: ["master", "again"])))) == "replace")
    }

    @Test func theSameFormAfterItWasHandedOverIsAskedAgain() throws {
        var model = SheetModel(try sheet(form()))
        _ = model.submit([:])
        #expect(model.isWorking)
        #expect(name(model.update(try sheet(form()))) == "update")
        #expect(!model.isWorking)
    }

    @Test func anotherHeaderReplacesEverything() throws {
        let list = ProviderInterface.list(
            InterfaceList(title: "", sections: [.init(rows: [.init(id: "a", title: "a")])]))
        var model = SheetModel(try sheet(list))
        _ = model.search("a")
        #expect(name(model.update(try sheet(list, for: "other.example"))) == "replace")
        guard case .list(let content) = model.content else { return #expect(Bool(false)) }
        #expect(content.query.isEmpty)
    }

    @Test func anotherKindOfInterfaceReplaces() throws {
        var model = SheetModel(try sheet(form()))
        #expect(name(model.update(try sheet(.progress(.init(title: "Wait"))))) == "replace")
        #expect(name(model.update(try sheet(.progress(.init(title: "Wait", fraction: 0.5))))) == "update")
    }

    @Test func nothingIsTakenWhileTheProviderWorks() throws {
        var model = SheetModel(
            try sheet(.message(.init(title: "", text: "", actions: [.init(id: "a", title: "A")]))))
        guard case .event(.activated("a")) = model.press("a") else { return #expect(Bool(false)) }
        guard case .none = model.press("a") else { return #expect(Bool(false)) }
    }

    @Test func aButtonThatIsNotThereDoesNothing() throws {
        var model = SheetModel(
            try sheet(.message(.init(title: "", text: "", actions: [.init(id: "a", title: "A")]))))
        guard case .none = model.press("b") else { return #expect(Bool(false)) }
        #expect(!model.isWorking)
    }

    @Test func whatIsOverTheBoundsIsRefused() {
        let fields = (0...ProviderInterface.maximumFields).map { "\($0)" }
        #expect(throws: ProtocolError.self) { try sheet(form(fields: fields)) }
    }

    @Test func textOfOthersIsMadeHarmless() throws {
        let header = SheetHeader(
            provider: ProviderReference(identifier: "a\u{1B}b", name: "Ma\u{202E}nager"), service: "ex\nample")
        #expect(header.identifier == "ab")
        #expect(header.name == "Manager")
        #expect(header.service == "ex ample")
    }

    @Test(arguments: [true, nil]) func aSheetSaysThatItsProviderIsBeingDebugged(isDebugged: Bool?) throws {
        let provider = ProviderReference(identifier: "org.example", name: "Manager")
        let message = PresentationShow.Parameters(
            request: 1, provider: provider, service: nil, interface: .progress(.init(title: "t")),
            isDebugged: isDebugged)
        #expect(try Sheet(message).header.isDebugged == (isDebugged == true))
    }

    @Test func noProviderCanLookLikeTheSystem() {
        let imitation = SheetHeader(
            provider: ProviderReference(identifier: "org.evil", name: "Keyway"), service: nil)
        #expect(imitation != SheetHeader(system: nil))
        #expect(imitation.identifier == "org.evil")
    }
}

@Suite struct SheetQueueTests {
    private func sheet(_ title: String) throws -> Sheet {
        try Sheet(header: SheetHeader(system: nil), interface: .progress(.init(title: title)))
    }

    @Test func theFirstIsShownUntilItEnds() throws {
        var queue = SheetQueue()
        #expect(queue.show(try sheet("a"), for: .presentation(1)))
        #expect(queue.show(try sheet("b"), for: .presentation(2)))
        #expect(queue.front?.id == .presentation(1))
        queue.end(.presentation(1))
        #expect(queue.front?.id == .presentation(2))
    }

    @Test func theNewestOfARequestReplacesWhatItHad() throws {
        var queue = SheetQueue()
        _ = queue.show(try sheet("a"), for: .presentation(1))
        _ = queue.show(try sheet("b"), for: .presentation(1))
        #expect(queue.count == 1)
        #expect(try queue.front?.sheet == sheet("b"))
    }

    @Test func whatThePersonClosedStaysAwayUntilItHasEnded() throws {
        var queue = SheetQueue()
        _ = queue.show(try sheet("a"), for: .presentation(1))
        queue.close(.presentation(1))
        #expect(queue.show(try sheet("b"), for: .presentation(1)))
        #expect(queue.count == 0)
        queue.end(.presentation(1))
        _ = queue.show(try sheet("c"), for: .presentation(1))
        #expect(queue.count == 1)
    }

    @Test func requestsAndQuestionsOfOneNumberAreTwo() throws {
        var queue = SheetQueue()
        _ = queue.show(try sheet("a"), for: .presentation(1))
        _ = queue.show(try sheet("b"), for: .question(1))
        #expect(queue.count == 2)
    }

    private func consent(_ name: String) -> Sheet {
        Sheet(.consent(.init(program: name, path: "/\(name)", permissions: [])), in: SheetLanguage(environment: [:]))
    }

    @Test func everythingElseGoesBeforeAConsentThatWaits() throws {
        var queue = SheetQueue()
        _ = queue.show(try sheet("shown"), for: .presentation(1))
        _ = queue.show(consent("waits"), for: .question(1))
        _ = queue.show(try sheet("later"), for: .presentation(2))
        _ = queue.show(try sheet("last"), for: .presentation(3))
        for id in [SheetID.presentation(1), .presentation(2), .presentation(3), .question(1)] {
            #expect(queue.front?.id == id)
            queue.end(id)
        }
    }

    @Test func whatIsSeenAlreadyStays() throws {
        var queue = SheetQueue()
        _ = queue.show(consent("seen"), for: .question(1))
        _ = queue.show(try sheet("later"), for: .presentation(1))
        #expect(queue.front?.id == .question(1))
    }

    @Test func onlyWhatAnyProgramCanCauseGivesWay() throws {
        let language = SheetLanguage(environment: [:])
        let provider = ProviderReference(identifier: "org.example.manager", name: "Manager")
        let enabling = AskPerson.Question.enabling(
            .init(provider: provider, path: "/a", reaches: [], isUnconfined: false))
        let site = AskPerson.Question.otherSite(
            .init(provider: provider, account: "ada", accountService: "a.example", service: "b.example"))
        let verification = AskPerson.Question.verification(
            .init(provider: nil, service: nil, account: nil, method: .pin))
        #expect(consent("a").givesWay)
        #expect(Sheet(enabling, in: language).givesWay)
        #expect(!Sheet(site, in: language).givesWay)
        #expect(!Sheet(verification, in: language).givesWay)
        #expect(try !sheet("a").givesWay)
    }

    @Test func noMoreThanTheLimitWait() throws {
        var queue = SheetQueue()
        for number in 0..<SheetQueue.limit { #expect(queue.show(try sheet("a"), for: .presentation(number))) }
        #expect(!queue.show(try sheet("a"), for: .presentation(SheetQueue.limit)))
        #expect(queue.show(try sheet("b"), for: .presentation(0)))
    }
}
