import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// Links that set one-time codes up: whoever opens one, nothing comes of it before the person said yes.
@Suite(.timeLimit(.minutes(2))) struct CodeSetupTests {
    private struct Stage {
        let fixture: BrokerFixture
        let client: Connection
        var person: ScriptedPerson { fixture.person }

        init(capabilities: [String] = ["ProvidesOneTimeCodes", "KeywaySetsUpOneTimeCodes"], role: Role = .terminal)
            async throws
        {
            fixture = try BrokerFixture(
                FakeBundles { _, _ in .saved }, information: Sample.declares(capabilities))
            try await fixture.provide([])
            client = try await fixture.client(role)
        }

        var asked: [AskPerson.SettingUpCode] {
            person.questions.compactMap { if case .settingUpCode(let question) = $0 { question } else { nil } }
        }

        /// What comes of a link: who keeps it, or why nobody does.
        func setUp(
            issuer: String = "Example", account: String = "ada", link: String = "otpauth://totp/x?secret=GEZDGNBV"
        ) async throws -> ProtocolError.Code? {
            let code = CodeToSetUp(issuer: issuer, account: account, link: try Sample.sealed(link))
            do throws(ProtocolError) {
                _ = try await client.call(SetUpCode.self, .init(code: code, provider: nil))
                return nil
            } catch {
                return error.code
            }
        }

        func isInHistory() async throws -> Bool {
            try await fixture.client(.terminal).call(ListHistory.self, .init()).entries.contains { $0.event == .save }
        }
    }

    @Test func theQuestionNamesWhatTheLinkSaysAndWhoWouldKeepIt() async throws {
        let stage = try await Stage()
        _ = try await stage.setUp(issuer: "Exam\u{202E}ple", account: "ada")
        let question = try #require(stage.asked.first)
        #expect(question.issuer == "Example" && question.account == "ada")
        #expect(question.provider.identifier == BrokerFixture.provider)
    }

    @Test func nothingIsSetUpWithoutAYes() async throws {
        let stage = try await Stage()
        stage.person.add(answers: false)
        #expect(try await stage.setUp() == .cancelled)
        stage.person.set(nextIsClosed: true)
        #expect(try await stage.setUp() == .cancelled)
        #expect(try await !stage.isInHistory())
    }

    /// Without a desktop nobody could answer, and no terminal that a program drives answers in their place.
    @Test func whereNobodyCanBeAskedNothingIsSetUp() async throws {
        let stage = try await Stage()
        stage.person.set(isThere: false)
        #expect(try await stage.setUp() == .interactionRequired)
        #expect(stage.asked.isEmpty)
    }

    @Test func aProviderThatSetsUpNoCodesIsOfferedNone() async throws {
        let stage = try await Stage(capabilities: ["ProvidesOneTimeCodes"])
        #expect(try await stage.setUp() == .noProvider)
        #expect(stage.asked.isEmpty)
    }

    @Test func whatIsTooLongIsNotAskedAbout() async throws {
        let stage = try await Stage()
        #expect(try await stage.setUp(issuer: String(repeating: "x", count: 513)) == .invalidParameters)
        #expect(try await stage.setUp(account: String(repeating: "x", count: 513)) == .invalidParameters)
        #expect(try await stage.setUp(link: String(repeating: "x", count: 8193)) == .invalidParameters)
        #expect(try await stage.setUp(link: "") == .invalidParameters)
        #expect(stage.asked.isEmpty)
    }

    @Test func aPageCannotOfferALinkItself() async throws {
        let stage = try await Stage(role: .browser)
        #expect(try await stage.setUp() != nil)
        #expect(stage.asked.isEmpty)
    }
}
