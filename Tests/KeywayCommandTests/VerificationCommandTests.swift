import AutoFillProtocol
import AutoFillWire
import Synchronization
import Testing

@testable import KeywayCommand

struct VerificationCommandTests {
    /// What a broker was told to change.
    private final class Kept: Sendable {
        let settings: Mutex<VerificationSettings>
        let pins = Mutex<[String?]>([])

        init(_ settings: VerificationSettings) { self.settings = Mutex(settings) }
    }

    private func trial(
        _ kept: Kept, pin: VerificationMethodState = .init(method: .pin, isAvailable: true),
        _ others: VerificationMethodState...
    ) -> Trial {
        var trial = Trial()
        trial.broker.on(VerificationState.self) { _, _ in
            .init(
                methods: [
                    .init(method: .fingerprint, isAvailable: false, detail: "No finger is enrolled."),
                    pin,
                ] + others, settings: kept.settings.withLock { $0 })
        }
        trial.broker.on(ChangeVerification.self) { parameters, _ in
            kept.settings.withLock { $0 = parameters.settings }
            return Nothing()
        }
        trial.broker.on(ChangePIN.self) { parameters, _ in
            let pin = try parameters.pin?.text
            kept.pins.withLock { $0.append(pin) }
            return Nothing()
        }
        return trial
    }

    @Test func everyMethodIsShownWithWhatItLacks() async throws {
        let outcome = try await trial(Kept(.init(providers: ["org.x": .never]))).run("verification")
        #expect(
            outcome.out == """
                fingerprint  not ready    No finger is enrolled.
                PIN          ready
                asked        when-set-up  not again for 5 min
                org.x        never

                """)
    }

    @Test func jsonHasTheSame() async throws {
        let outcome = try await trial(Kept(.init(rule: .always, grace: 0))).run("verification", "--json")
        #expect(
            outcome.out == """
                {
                  "methods": [
                    {
                      "method": "fingerprint",
                      "available": false,
                      "detail": "No finger is enrolled."
                    },
                    {
                      "method": "pin",
                      "available": true,
                      "detail": null
                    }
                  ],
                  "rule": "always",
                  "grace": 0,
                  "providers": {},
                  "limits": null
                }

                """)
    }

    @Test func whatIsNotNamedStays() async throws {
        let kept = Kept(.init(rule: .never, grace: 77))
        let trial = trial(kept)
        #expect(try await trial.run("verification", "set", "--grace", "0").out.contains("every time"))
        #expect(kept.settings.withLock { $0 } == .init(rule: .never, grace: 0))
        _ = try await trial.run("verification", "set", "--rule", "always")
        #expect(kept.settings.withLock { $0 } == .init(rule: .always, grace: 0))
    }

    @Test func ruleOfOneProviderIsSetAndTakenBack() async throws {
        let kept = Kept(.init())
        let trial = trial(kept)
        _ = try await trial.run("verification", "set", "--rule", "never", "--provider", "passwords")
        #expect(kept.settings.withLock { $0.providers } == ["org.keyway.passwords": .never])
        #expect(kept.settings.withLock { $0.rule } == .whenSetUp)
        _ = try await trial.run("verification", "set", "--rule", "default", "--provider", "org.keyway.passwords")
        #expect(kept.settings.withLock { $0.providers }.isEmpty)
        #expect(
            try await trial.run("verification", "set", "--rule", "never", "--provider", "nobody").code == .notFound)
    }

    /// A provider that is gone keeps its rule until somebody takes it back.
    @Test func ruleOfAProviderThatIsGoneIsTakenBack() async throws {
        let kept = Kept(.init(providers: ["org.gone": .never]))
        _ = try await trial(kept).run("verification", "set", "--rule", "default", "--provider", "org.gone")
        #expect(kept.settings.withLock { $0.providers }.isEmpty)
    }

    @Test(arguments: [
        ["--rule", "default"], [], ["--provider", "passwords"], ["--provider", "passwords", "--grace", "5"],
    ])
    func contradictionsChangeNothing(options: [String]) async throws {
        let kept = Kept(.init())
        let words = ["verification", "set"] + options
        guard case .run(let invocation) = try CommandLineParser.parse(words) else { return }
        _ = invocation
        let trial = trial(kept)
        let outcome =
            switch options.count {
            case 0: try await trial.run("verification", "set")
            case 2: try await trial.run("verification", "set", options[0], options[1])
            default: try await trial.run("verification", "set", options[0], options[1], options[2], options[3])
            }
        #expect(outcome.code == .usage)
        #expect(kept.settings.withLock { $0 } == .init())
    }

    @Test func pinIsTypedTwiceAndGoesToTheBrokerSealed() async throws {
        let kept = Kept(.init())
        var trial = trial(kept)
        let terminal = TypingTerminal(["123456\r", "123456\r"])
        trial.terminal = terminal
        let outcome = try await trial.run("verification", "pin", "set")
        #expect(outcome.code == .success)
        #expect(kept.pins.withLock { $0 } == ["123456"])
        #expect(!terminal.written.contains("123456"))
    }

    /// Too many wrong ones, or a PIN that was forgotten, would lock its owner out for good.
    @Test(arguments: [
        (nil, true), (VerificationMethod.loginPassword, false), (.fingerprint, false), (.system, false),
    ])
    func whoSetsAPINAndHasNothingElseIsWarned(other: VerificationMethod?, warns: Bool) async throws {
        let others = VerificationMethodState(method: other ?? .system, isAvailable: other != nil)
        var trial = trial(Kept(.init()), others)
        trial.lines = ListedLines(["123456", "123456"])
        for outcome in [try await trial.run("verification", "pin", "set"), try await trial.run("verification")] {
            #expect(outcome.code == .success)
            #expect(outcome.err.contains("Only the PIN") == warns)
        }
    }

    @Test(arguments: [
        (VerificationMethodState(method: .pin, isAvailable: false, detail: "None is set.", obstacle: .notSetUp), false),
        (VerificationMethodState(method: .pin, isAvailable: false, detail: "Wrong ones.", obstacle: .lockedOut), true),
    ])
    func whereNoPINIsSetNobodyIsWarned(pin: VerificationMethodState, warns: Bool) async throws {
        let outcome = try await trial(Kept(.init()), pin: pin).run("verification")
        #expect(outcome.err.contains("Only the PIN") == warns)
    }

    @Test(arguments: [(["123456", "123457"], ExitCode.failure), (["12345", "12345"], .usage), ([], .needsPerson)])
    func pinThatIsNoneIsNotSent(lines: [String], code: ExitCode) async throws {
        let kept = Kept(.init())
        var trial = trial(kept)
        trial.lines = ListedLines(lines)
        #expect(try await trial.run("verification", "pin", "set").code == code)
        #expect(kept.pins.withLock { $0 }.isEmpty)
    }

    @Test func pinIsRemoved() async throws {
        let kept = Kept(.init())
        let outcome = try await trial(kept).run("verification", "pin", "remove", "--json")
        #expect(outcome.out.contains("\"pin\": false"))
        #expect(kept.pins.withLock { $0 } == [nil])
    }

    @Test func oldPINIsAskedForWhereTheNewOneWasTyped() async throws {
        let kept = Kept(.init())
        var trial = trial(kept)
        trial.terminal = TypingTerminal(answers: [
            ("New PIN", "new-pin\r"), ("New PIN, again", "new-pin\r"), ("Keyway PIN", "old-pin\r"),
        ])
        let learnt = Received<String>()
        trial.broker.on(ChangePIN.self) { _, context in
            let question = AskPerson.Question.verification(
                .init(provider: nil, service: nil, account: nil, reason: "to change the PIN", method: .pin))
            if case .secret(let secret) = try await context.connection.call(AskPerson.self, .init(question)).answer {
                learnt.append(try secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
            }
            return Nothing()
        }
        #expect(try await trial.run("verification", "pin", "set").code == .success)
        #expect(learnt.all == ["old-pin"])
        #expect(trial.terminal?.written.contains("to change the PIN") == true)
    }
}
