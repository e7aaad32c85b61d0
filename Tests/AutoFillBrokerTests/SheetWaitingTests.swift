import AutoFillProtocol
import BrokerTestSupport
import ClockTestSupport
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

/// What stands there for long, and what hangs.
extension SheetWindowsTests {
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    @Test func noIsAnAnswerAndBackingOutIsNone() async throws {
        guard case .refused = try await desk(FakeSheets(answer: .refused)).presenter.ask(question) else {
            Issue.record("no was not handed on")
            return
        }
        let presenter = desk(FakeSheets(answer: .cancelled)).presenter
        await #expect(throws: ProtocolError(.cancelled, "")) { try await presenter.ask(question) }
    }

    @Test func aConsentThatWasClosedIsNotPutAgainAtOnce() async throws {
        let (sheets, clock) = (FakeSheets(answer: .cancelled), ManualClock())
        let presenter = desk(sheets, clock: clock).presenter
        let other = AskPerson.Question.consent(.init(program: "Other", path: "/opt/other", permissions: []))
        for (next, count) in [(question, 1), (question, 1), (other, 2)] {
            await #expect(throws: ProtocolError(.cancelled, "")) { try await presenter.ask(next) }
            #expect(sheets.questions.count == count)
        }
        clock.advance(by: ConsentLine.pause)
        await #expect(throws: ProtocolError(.cancelled, "")) { try await presenter.ask(question) }
        #expect(sheets.questions.count == 3)
    }

    private func passkey(of user: String, at page: String = "a.example") -> AskPerson.Question {
        .passkey(
            .init(
                purpose: .creation, service: page, relyingParty: nil,
                choices: [.init(provider: provider, account: user)]))
    }

    /// Who closed one by mistake presses the page's button again; a page that asks on by itself is stopped, whatever
    /// account it names.
    @Test func aPageThatAsksOnIsStoppedForAWhile() async throws {
        let (sheets, clock) = (FakeSheets(answer: .cancelled), ManualClock())
        let presenter = desk(sheets, clock: clock).presenter
        for (user, page, count) in [
            ("a", "a.example", 1), ("b", "www.a.example", 2), ("c", "a.example", 3), ("d", "a.example", 3),
            ("a", "another.a.example", 3), ("a", "b.example", 4),
        ] {
            await #expect(throws: ProtocolError(.cancelled, "")) {
                try await presenter.ask(passkey(of: user, at: page))
            }
            #expect(sheets.questions.count == count)
        }
        clock.advance(by: ConsentLine.pause)
        await #expect(throws: ProtocolError(.cancelled, "")) { try await presenter.ask(passkey(of: "a")) }
        #expect(sheets.questions.count == 5)
    }

    private func codes(of issuer: String) -> AskPerson.Question {
        .settingUpCode(.init(issuer: issuer, account: "ada", provider: provider))
    }

    /// Any page can have links opened, one after the other: *Not Now* stops them, too.
    @Test func linksForCodesThatAreRefusedStopForAWhile() async throws {
        let (sheets, clock) = (FakeSheets(answer: .refused), ManualClock())
        let presenter = desk(sheets, clock: clock).presenter
        for issuer in ["A", "B", "C"] {
            guard case .refused = try await presenter.ask(codes(of: issuer)) else {
                Issue.record("no was not handed on")
                return
            }
        }
        await #expect(throws: ProtocolError(.cancelled, "")) { try await presenter.ask(codes(of: "D")) }
        #expect(sheets.questions.count == 3)
        clock.advance(by: ConsentLine.pause)
        _ = try await presenter.ask(codes(of: "D"))
        #expect(sheets.questions.count == 4)
    }

    /// Many of them would keep every other question out.
    @Test func oneLinkForCodesIsAskedAboutAtATime() async throws {
        let sheets = FakeSheets()
        let presenter = desk(sheets).presenter
        let first = Task { try await presenter.ask(codes(of: "A")) }
        try await eventually { sheets.questions.count == 1 }
        await #expect(throws: ProtocolError(.busy, "")) { try await presenter.ask(codes(of: "B")) }
        first.cancel()
        _ = await first.result
        let next = Task { try await presenter.ask(codes(of: "C")) }
        try await eventually { sheets.questions.count == 2 }
        next.cancel()
    }

    @Test func morePasskeysThanCanWaitAreNotAsked() async throws {
        let sheets = FakeSheets()
        let presenter = desk(sheets).presenter
        let failed = Count()
        let tasks = (0..<ConsentLine.limit + 3).map { number in
            Task {
                do { _ = try await presenter.ask(passkey(of: "\(number)")) } catch {
                    failed.value.withLock { $0 += 1 }
                }
            }
        }
        try await eventually { failed.value.withLock { $0 } == 2 }
        #expect(sheets.questions.count <= 1)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    @Test func aQuestionDoesNotStandThereForEver() async throws {
        let (sheets, clock) = (FakeSheets(), ManualClock())
        let presenter = desk(sheets, clock: clock).presenter
        let task = Task { try await presenter.ask(question) }
        try await clock.waitForSleeper(of: SheetWatch.interval)
        try await clock.waitForSleeper(of: ProviderRequest.personLimit)
        clock.advance(by: ProviderRequest.personLimit)
        await #expect(throws: ProtocolError(.cancelled, "")) { try await task.value }
        try await eventually { sheets.withdrawn == 1 }
        #expect(sheets.killed == 0)
    }

    @Test func oneConsentIsAskedAtATimeAndOtherQuestionsDoNotWaitForIt() async throws {
        let sheets = FakeSheets()
        let presenter = desk(sheets).presenter
        let first = Task { try await presenter.ask(question) }
        try await eventually { sheets.questions.count == 1 }
        let second = Task { try await presenter.ask(question) }
        let site = AskPerson.Question.otherSite(
            .init(provider: provider, account: "ada", accountService: "a.example", service: "b.example"))
        let other = Task { try await presenter.ask(site) }
        try await eventually { sheets.questions.count == 2 }
        #expect(sheets.questions[1] == site)
        first.cancel()
        try await eventually { sheets.questions.count == 3 }
        for task in [first, second, other] {
            task.cancel()
            await #expect(throws: ProtocolError(.cancelled, "")) { try await task.value }
        }
    }

    @Test func moreConsentsThanCanWaitAreNotAsked() async throws {
        let sheets = FakeSheets()
        let presenter = desk(sheets).presenter
        let failed = Count()
        let tasks = (0..<ConsentLine.limit + 3).map { _ in
            Task {
                do { _ = try await presenter.ask(question) } catch { failed.value.withLock { $0 += 1 } }
            }
        }
        try await eventually { failed.value.withLock { $0 } == 2 }
        #expect(sheets.questions.count <= 1)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        // The place is free again.
        let last = Task { try await presenter.ask(question) }
        let before = sheets.questions.count
        try await eventually { sheets.questions.count > before }
        last.cancel()
        _ = await last.result
    }

    @Test func aProgramThatHangsIsReplacedAndTheQuestionPutAgain() async throws {
        let (sheets, clock) = (FakeSheets(answer: .allowed, hangs: 1), ManualClock())
        let presenter = desk(sheets, clock: clock).presenter
        let task = Task { try await presenter.ask(question) }
        try await eventually { sheets.questions.count == 1 }
        try await clock.waitForSleeper(of: SheetWatch.patience)
        clock.advance(by: SheetWatch.patience)
        guard case .allowed = try await task.value else {
            Issue.record("it was not asked again")
            return
        }
        #expect(sheets.killed == 1)
        #expect(sheets.starts == 2)
    }

    @Test func whatAProviderShowsIsShownByTheProgramAfterOneThatHung() async throws {
        let (sheets, clock) = (FakeSheets(hangs: 1), ManualClock())
        let desk = desk(sheets, clock: clock)
        let relay = desk.relay(provider: provider, service: nil)
        #expect(await relay.isAvailable())
        let (heard, connection) = try connect(relay)
        try relay.show(interface)
        try await eventually { sheets.shown.count == 1 }
        try await clock.waitForSleeper(of: SheetWatch.patience)
        clock.advance(by: SheetWatch.patience)
        try await eventually { sheets.shown.count == 2 }
        #expect(sheets.shown[0] == sheets.shown[1])
        #expect(heard.events.withLock { $0.isEmpty })
        withExtendedLifetime(connection) {}
    }

    @Test func twoProgramsThatHangAreEnough() async throws {
        let (sheets, clock) = (FakeSheets(hangs: 3), ManualClock())
        let presenter = desk(sheets, clock: clock).presenter
        let task = Task { try await presenter.ask(question) }
        for number in 1...2 {
            try await eventually { sheets.questions.count == number }
            try await clock.waitForSleeper(of: SheetWatch.patience)
            clock.advance(by: SheetWatch.patience)
            try await eventually { sheets.killed == number }
        }
        await #expect(throws: ProtocolError(.connectionClosed, "")) { try await task.value }
        #expect(await !presenter.canAsk())
        #expect(sheets.starts == 2)
    }

    @Test func aProgramThatAnswersIsAskedOnlyWhileSomethingStandsThere() async throws {
        let (sheets, clock) = (FakeSheets(answer: .allowed), ManualClock())
        let presenter = desk(sheets, clock: clock).presenter
        for _ in 0..<3 {
            guard case .allowed = try await presenter.ask(question) else { return #expect(Bool(false)) }
            try await clock.waitForSleeper(of: SheetWatch.interval)
            clock.advance(by: SheetWatch.interval)
        }
        #expect(sheets.starts == 1)
        #expect(sheets.killed == 0)
    }
}
