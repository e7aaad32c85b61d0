import AutoFillProtocol
import KeywayCrypto
import KeywaySystem
import Testing

@testable import TerminalInterface

struct TerminalPresenterTests {
    /// Shows `interface` on `device` until the first outcome, and closes.
    private func outcome(
        of interface: ProviderInterface, on device: FakeDevice, _ appearance: Appearance = Samples.rich
    ) async throws -> PresenterOutcome {
        let (outcomes, sink) = AsyncStream.makeStream(of: PresenterOutcome.self)
        let presenter = TerminalPresenter(device: device, appearance: appearance) { sink.yield($0) }
        presenter.show(try Samples.presentation(interface))
        var iterator = outcomes.makeAsyncIterator()
        let first = try #require(await iterator.next())
        await presenter.close()
        return first
    }

    @Test func choosesARowAndCleansUp() async throws {
        let device = FakeDevice([.type("bob"), .type("\r")])
        guard case .event(.chose(let row)) = try await outcome(of: .list(Samples.list), on: device) else {
            Issue.record("nothing was chosen")
            return
        }
        #expect(row == "2")
        #expect(device.modes == [.keys])
        #expect(device.leaves == 1)
        #expect(device.written.hasSuffix("\u{1B}[J\u{1B}[?25h"))
    }

    @Test func whatIsTypedIntoASecureFieldIsNeverDrawn() async throws {
        let device = FakeDevice([.type("hun"), .type("ter2\r")])
        guard case .event(.submitted(let values)) = try await outcome(of: .form(Samples.form), on: device) else {
            Issue.record("nothing was submitted")
            return
        }
        #expect(values["master"]?.text == "hunter2")
        #expect(!device.written.contains("hun"))
    }

    @Test func aLoneEscapeCancelsWhenNothingFollows() async throws {
        let device = FakeDevice([.type("\u{1B}"), .input(.idle)])
        guard case .event(.cancelled) = try await outcome(of: .list(Samples.list), on: device) else {
            Issue.record("it was not cancelled")
            return
        }
    }

    @Test func controlCAbandons() async throws {
        let device = FakeDevice([.type("\u{3}")])
        guard case .abandoned = try await outcome(of: .list(Samples.list), on: device) else {
            Issue.record("it was not abandoned")
            return
        }
    }

    @Test func controlZStopsAndTheScreenIsDrawnAgain() async throws {
        let device = FakeDevice([.type("\u{1A}"), .input(.resumed), .type("\r")])
        _ = try await outcome(of: .list(Samples.list), on: device)
        #expect(device.suspensions == 1)
        #expect(device.written.components(of: "Choose an account") >= 3)
    }

    @Test(arguments: [true, false])
    func aTerminalThatGoesAwayIsReported(movesCursor: Bool) async throws {
        let device = FakeDevice([.input(.closed)])
        let appearance = Appearance(hasColours: false, hasUnicode: false, movesCursor: movesCursor)
        guard case .failed(let error) = try await outcome(of: .list(Samples.list), on: device, appearance) else {
            Issue.record("nothing failed")
            return
        }
        #expect(error.code == .closed)
        #expect(device.leaves == 1)
    }

    @Test func closingWithoutShowingTouchesNothing() async {
        let device = FakeDevice([])
        let presenter = TerminalPresenter(device: device, appearance: Samples.rich) { _ in }
        await presenter.close()
        #expect(device.written.isEmpty && device.modes.isEmpty)
    }

    @Test func aDumbTerminalIsAskedLineByLine() async throws {
        let device = FakeDevice([.type("9\nbob\n"), .type("1\n")])
        let appearance = Appearance(hasColours: false, hasUnicode: false, movesCursor: false)
        guard case .event(.chose(let row)) = try await outcome(of: .list(Samples.list), on: device, appearance) else {
            Issue.record("nothing was chosen")
            return
        }
        #expect(row == "2")
        #expect(!device.written.contains("\u{1B}"))
        #expect(device.written.contains("2) Example  bob"))
    }

    @Test func aDumbTerminalIsAskedAnewAfterAStop() async throws {
        let device = FakeDevice([.input(.resumed), .type("1\n")])
        let appearance = Appearance(hasColours: false, hasUnicode: false, movesCursor: false)
        _ = try await outcome(of: .list(Samples.list), on: device, appearance)
        #expect(device.written.ranges(of: "2) Example  bob").count == 2)
    }

    @Test func aDumbTerminalHidesSecrets() async throws {
        let device = FakeDevice([.type("hunter2\n")])
        let appearance = Appearance(hasColours: false, hasUnicode: false, movesCursor: false)
        guard case .event(.submitted(let values)) = try await outcome(of: .form(Samples.form), on: device, appearance)
        else {
            Issue.record("nothing was submitted")
            return
        }
        #expect(values["master"]?.text == "hunter2")
        #expect(device.modes.contains(.hiddenLines))
        #expect(!device.written.contains("hunter2"))
    }
}

extension String {
    func components(of part: String) -> Int { ranges(of: part).count }
}

struct PromptTests {
    private func secret(_ steps: [FakeDevice.Step]) throws -> (text: String, device: FakeDevice) {
        let device = FakeDevice(steps)
        let secret = try SecretPrompt(device: device).ask("Password: ")
        return (secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, device)
    }

    @Test func takesASecretWithoutShowingIt() throws {
        let (text, device) = try secret([.type("pä"), .type("x\u{7F}ss\r")])
        #expect(text == "päss")
        #expect(device.written == "Password: \r\n")
        #expect(device.leaves == 1)
    }

    @Test func whatFollowsEnterIsNotPartOfTheSecret() throws {
        #expect(try secret([.type("one\rtwo\r")]).text == "one")
    }

    @Test(arguments: ["\u{3}", "\u{4}", "abc\u{3}"])
    func backingOutIsCancelled(keys: String) {
        #expect(throws: TerminalError(.cancelled, "")) { try secret([.type(keys)]) }
    }

    @Test func aTerminalThatGoesAwayIsNoEmptySecret() {
        #expect(throws: TerminalError(.closed, "")) { try secret([.type("abc"), .input(.closed)]) }
    }

    @Test(arguments: [("y", true), ("Y", true), ("n", false), ("\r", false), ("x", false)])
    func onlyYesIsYes(keys: String, expected: Bool) throws {
        #expect(try ConfirmationPrompt(device: FakeDevice([.type(keys)])).ask("Remove it?") == expected)
    }
}

struct LineDialogueTests {
    @Test func asksFieldByField() throws {
        let form = InterfaceForm(
            title: "Sign in",
            fields: [
                .init(id: "user", label: "User", kind: .text(initial: "ada")),
                .init(id: "password", label: "Password", kind: .secure),
            ], submitTitle: "Go", error: "Wrong.")
        var dialogue = LineDialogue(try Samples.presentation(.form(form)))
        #expect(
            dialogue.introduction == [
                "| Passwords for login.example.com  org.keyway.passwords", "Sign in", "Wrong.",
            ])
        #expect(dialogue.prompt == "User [ada]: ")
        #expect(!dialogue.isHidden)
        let afterUser = dialogue.answer("")
        #expect(afterUser.reaction.isNone)
        #expect(dialogue.prompt == "Password: ")
        #expect(dialogue.isHidden)
        let secret = try SealedMemory(copying: UnsafeRawBufferPointer(start: nil, count: 0))
        let values = dialogue.answer(hidden: secret).values
        #expect(values?["user"]?.text == "ada")
        #expect(values?["password"]?.text == "")
        #expect(dialogue.prompt == nil)
    }

    @Test(arguments: [("1", "a"), ("2", "b")])
    func numbersPressButtons(answer: String, action: String) throws {
        let message = InterfaceMessage(
            title: "T", text: "Text", actions: [.init(id: "a", title: "A"), .init(id: "b", title: "B")])
        var dialogue = LineDialogue(try Samples.presentation(.message(message)))
        guard case .event(.activated(let chosen)) = dialogue.answer(answer).reaction else {
            Issue.record("no button was pressed")
            return
        }
        #expect(chosen == action)
    }

    @Test func anEmptyAnswerCancels() throws {
        var list = LineDialogue(try Samples.presentation(.list(Samples.list)))
        let listReaction = list.answer("").reaction
        #expect(listReaction.isCancelled)
        var message = LineDialogue(try Samples.presentation(.message(.init(title: "T", text: "Text"))))
        let messageReaction = message.answer("").reaction
        #expect(messageReaction.isCancelled)
    }

    @Test func progressAsksNothing() throws {
        let dialogue = LineDialogue(try Samples.presentation(.progress(.init(title: "Working", text: "on it"))))
        #expect(dialogue.prompt == nil)
        #expect(dialogue.introduction.last == "Working: on it")
    }
}
