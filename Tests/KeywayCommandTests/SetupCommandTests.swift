import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// `keyway setup`: what each step does and leaves alone, and what it says in the end.
struct SetupCommandTests {
    private struct Stage {
        var trial = Trial()
        let done = Received<String>()

        init(
            isOn: Bool = false, vault: VaultStatus.Access = .missing,
            pin: VerificationMethodState.Obstacle? = .notSetUp, hasFingerprint: Bool = false,
            lines: [String]? = nil
        ) {
            let done = done
            trial.lines = lines.map(ListedLines.init)
            trial.machine = FakeMachine(["/home/ada/.config/chromium": FakeMachine.folder()])
            trial.broker.on(ListProviders.self) { _, _ in .init(providers: [.passwords(enabled: isOn)]) }
            trial.broker.on(SetProviderEnabled.self) { parameters, _ in
                done.append("on \(parameters.identifier)")
                return .init(provider: .passwords(enabled: true))
            }
            trial.broker.on(VerificationState.self) { _, _ in
                let byFinger = VerificationMethodState(method: .fingerprint, isAvailable: true)
                let byPIN = VerificationMethodState(method: .pin, isAvailable: pin == nil, detail: nil, obstacle: pin)
                return .init(methods: hasFingerprint ? [byFinger, byPIN] : [byPIN], settings: VerificationSettings())
            }
            trial.broker.on(ChangePIN.self) { parameters, _ in
                done.append("pin \(try parameters.pin?.text ?? "")")
                return Nothing()
            }
            trial.broker.on(FinishSetUp.self) { _, _ in
                done.append("finished")
                return Nothing()
            }
            trial.service.on(VaultStatus.self) { _, _ in
                .init(access: vault, path: "/vault", items: nil, idleLimit: 600)
            }
            trial.service.on(CreateVault.self) { parameters, _ in
                done.append("vault \(try parameters.masterPassword.text)")
                return .init(access: .open, path: "/vault", items: 0, idleLimit: 600)
            }
        }
    }

    private static let good = "gigantic-otter-waffle-nebula-42"

    @Test func eachStepIsDoneInOrder() async throws {
        var stage = Stage()
        stage.trial.terminal = TypingTerminal(answers: [
            ("Turn on", "y"), ("four random words", "n"), ("New master password: ", Self.good + "\r"),
            ("again: ", Self.good + "\r"), ("Set a PIN", "y"), ("New PIN: ", "264813\r"), ("again: ", "264813\r"),
        ])
        let outcome = try await stage.trial.run("setup")
        #expect(
            stage.done.all == [
                "on org.keyway.passwords", "vault \(Self.good)", "pin 264813", "finished",
            ])
        #expect(outcome.err.contains("Strength: strong"))
        #expect(outcome.err.contains("chrome://password-manager/settings"))
        #expect(!outcome.err.contains(Self.good) && !outcome.out.contains(Self.good))
    }

    @Test func whatIsThereIsLeftAlone() async throws {
        var stage = Stage(isOn: true, vault: .locked, pin: nil)
        stage.trial.terminal = TypingTerminal([])
        let outcome = try await stage.trial.run("setup")
        #expect(stage.done.all == ["finished"])
        #expect(outcome.err.contains("You already have a vault: /vault."))
    }

    @Test(arguments: [true, false]) func aFingerprintThatVerifiesIsNamed(hasFingerprint: Bool) async throws {
        var stage = Stage(isOn: true, vault: .locked, hasFingerprint: hasFingerprint)
        stage.trial.terminal = TypingTerminal(answers: [("Set a PIN", "n")])
        let outcome = try await stage.trial.run("setup")
        #expect(outcome.err.contains("Keyway can verify you by your fingerprint.") == hasFingerprint)
        #expect(stage.done.all == ["finished"])
    }

    @Test func aScriptReadsTheMasterPasswordFromLines() async throws {
        let stage = Stage(lines: [Self.good, Self.good])
        let outcome = try await stage.trial.run("setup", "--yes", "--json")
        #expect(stage.done.all == ["on org.keyway.passwords", "vault \(Self.good)", "finished"])
        let steps = #""steps":{"passwords":"done","vault":"done","pin":"skipped","browsers":"unavailable"}"#
        #expect(outcome.out.filter { !$0.isWhitespace }.contains(steps))
        #expect(outcome.err.isEmpty)
    }

    @Test func nothingIsTurnedOnWithoutAYes() async throws {
        var stage = Stage()
        stage.trial.terminal = TypingTerminal(answers: [("Turn on", "n")])
        let outcome = try await stage.trial.run("setup")
        #expect(outcome.code == .cancelled)
        #expect(stage.done.all.isEmpty)
        #expect(outcome.err.contains("run `keyway setup` again"))
    }

    @Test func whoBacksOutOfTheMasterPasswordIsToldHowToGoOn() async throws {
        var stage = Stage()
        stage.trial.terminal = TypingTerminal(answers: [
            ("Turn on", "y"), ("four random words", "n"), ("New master password: ", "\u{1b}"),
        ])
        let outcome = try await stage.trial.run("setup")
        #expect(outcome.code == .cancelled)
        #expect(stage.done.all == ["on org.keyway.passwords"])
        #expect(outcome.err.contains("run `keyway setup` again"))
    }

    @Test func wordsAreShownOnTheTerminalAloneAndTypedOnce() async throws {
        var stage = Stage(isOn: true)
        let terminal = TypingTerminal(answers: [
            ("four random words", "y"), ("type them: ", "wrong\r"), ("type them: ", "\u{1b}"),
        ])
        stage.trial.terminal = terminal
        let outcome = try await stage.trial.run("setup")
        #expect(outcome.code == .cancelled)
        let shown = try #require(
            terminal.written.split(separator: "\r\n").first { $0.hasPrefix("    ") }?.dropFirst(4))
        #expect(shown.split(separator: " ").count == 4)
        #expect(!outcome.err.contains(shown) && !outcome.out.contains(shown))
        #expect(outcome.err.contains("These aren't the words"))
    }

    @Test func anOlderBrokerKnowsNothingOfIt() async throws {
        var stage = Stage(isOn: true, vault: .locked, pin: nil)
        stage.trial.terminal = TypingTerminal([])
        stage.trial.broker.on(FinishSetUp.self) { _, _ in throw ProtocolError(.unknownMethod, "What?") }
        #expect(try await stage.trial.run("setup").err.contains("What works, and what doesn't"))
    }

    @Test func withoutPasswordsItSaysSo() async throws {
        var stage = Stage()
        stage.trial.broker.on(ListProviders.self) { _, _ in .init(providers: []) }
        let outcome = try await stage.trial.run("setup")
        #expect(outcome.code == .notFound)
        #expect(outcome.err.contains("isn't installed"))
    }

    @Test func theDoctorNamesPasswordsFirst() async throws {
        var stage = Stage()
        stage.trial.broker.on(ListProviders.self) { _, _ in
            .init(providers: [
                .passwords(enabled: false, name: "Another", identifier: "org.another"), .passwords(enabled: false),
            ])
        }
        #expect(try await stage.trial.run("doctor").out.contains("-> keyway setup"))
        stage.trial.broker.on(ListProviders.self) { _, _ in
            .init(providers: [.passwords(enabled: false, name: "Another", identifier: "org.another")])
        }
        #expect(try await stage.trial.run("doctor").out.contains("-> keyway providers enable org.another"))
    }
}
