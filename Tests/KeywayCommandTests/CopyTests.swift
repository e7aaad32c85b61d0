import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import Synchronization
import Testing

@testable import KeywayCommand

/// `--copy`: the clipboard in the place of standard output.
struct CopyTests {
    private static let provider = ProviderReference(identifier: "org.keyway.passwords", name: "Passwords")
    private static let secret = "hunter-Ünd-2"

    /// A desktop whose clipboard says `answer`, and remembers what it was given.
    private final class Desk: Sendable {
        let copied = Mutex<[String]>([])
        var all: [String] { copied.withLock { $0 } }
    }

    /// A broker that fills `secret`, on a desktop where copying ends so; nil without one.
    private func trial(_ answer: DesktopCopy?, _ desk: Desk = Desk(), secret: String = Self.secret) -> Trial {
        var trial = Trial()
        trial.broker.on(Suggest.self) { parameters, _ in
            let suggestion = Suggestion(
                handle: "h", user: "ada", service: "example.com", provider: Self.provider, match: .host,
                kind: parameters.kinds?.first ?? .password)
            return .init(suggestions: [suggestion], more: 0, providers: [Self.provider])
        }
        trial.broker.on(Fill.self) { parameters, _ in
            let credential: Fill.Credential =
                switch parameters.target {
                case .text: .text(try .secret(secret))
                default: .password(user: "ada", password: try .secret(secret))
                }
            return .init(credential: credential, provider: Self.provider)
        }
        trial.broker.on(GeneratePasswords.self) { _, _ in
            .init(
                passwords: [ProposedPassword(kind: "STRONG", value: try .secret(secret))], provider: Self.provider)
        }
        if let answer {
            trial.variables["WAYLAND_DISPLAY"] = "wayland-0"
            trial.copyOnDesktop = { secret, seconds in
                let text = secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                desk.copied.withLock { $0.append("\(text) for \(seconds) s") }
                return answer
            }
        }
        return trial
    }

    /// What the terminal was asked to copy, if it was.
    private static func sentToTerminal(_ trial: Trial) -> String? {
        guard let written = trial.terminal?.written, written.hasPrefix("\u{1B}]52;c;") else { return nil }
        return String(written.dropFirst("\u{1B}]52;c;".count).prefix { $0 != "\u{7}" })
    }

    @Test(arguments: [["fill", "example.com"], ["generate", "example.com"]])
    func aSecretGoesToTheClipboardOfTheDisplay(line: [String]) async throws {
        let desk = Desk()
        let outcome = try await trial(.copied, desk).run(line + ["--copy"])
        #expect(outcome.code == .success)
        #expect(outcome.out.isEmpty)
        #expect(outcome.err.contains("45 seconds") && !outcome.err.contains(Self.secret))
        #expect(desk.all == ["\(Self.secret) for 45 s"])
    }

    @Test func aTextThatWasPickedGoesThereToo() async throws {
        let desk = Desk()
        var trial = trial(.copied, desk)
        trial.terminal = TypingTerminal([])
        let outcome = try await trial.run("insert", "--copy")
        #expect(outcome.code == .success && outcome.out.isEmpty)
        #expect(desk.all == ["\(Self.secret) for 45 s"])
    }

    @Test func theUserNameIsCopiedWhenThatIsWanted() async throws {
        let desk = Desk()
        let outcome = try await trial(.copied, desk).run("fill", "example.com", "--field", "username", "--copy")
        #expect(outcome.code == .success && outcome.out.isEmpty)
        #expect(desk.all == ["ada for 45 s"])
    }

    @Test(arguments: [
        (
            ["fill", "example.com"],
            #"{"user":"ada","copied":"password","clearsAfter":45,"provider":"org.keyway.passwords"}"#
        ),
        (
            ["fill", "example.com", "--field", "username"],
            #"{"copied":"user","clearsAfter":45,"provider":"org.keyway.passwords"}"#
        ),
        (
            ["generate", "example.com"],
            #"{"kind":"STRONG","copied":"password","clearsAfter":45,"provider":"org.keyway.passwords"}"#
        ),
    ])
    func jsonSaysWhatWasCopiedAndHoldsNoSecret(line: [String], json: String) async throws {
        let desk = Desk()
        let outcome = try await trial(.copied, desk).run(line + ["--copy", "--json"])
        #expect(outcome.code == .success)
        #expect(outcome.out.filter { !$0.isWhitespace } == json)
        #expect(desk.all.count == 1)
    }

    /// Where there is no display, none that opens, or one that lets no program copy.
    @Test(arguments: [nil, .noDisplay, .notAllowed] as [DesktopCopy?])
    func otherwiseTheTerminalIsAskedAndNobodyPromisesToClear(answer: DesktopCopy?) async throws {
        var trial = trial(answer)
        trial.terminal = TypingTerminal([])
        let outcome = try await trial.run("fill", "example.com", "--copy")
        #expect(outcome.code == .success && outcome.out.isEmpty)
        #expect(Self.sentToTerminal(trial) == "aHVudGVyLcOcbmQtMg==")
        #expect(outcome.err.contains("can't clear it") && !outcome.err.contains("45"))
        let json = try await trial.run("fill", "example.com", "--copy", "--json")
        #expect(json.out.contains(#""clearsAfter": null"#))
    }

    @Test(
        arguments: [
            (nil, "neither a display nor a terminal"), (.noDisplay, "neither a display nor a terminal"),
            (.notAllowed, "lets no program copy without a window"),
        ] as [(DesktopCopy?, String)])
    func withoutATerminalEitherNothingIsGivenOut(answer: DesktopCopy?, said: String) async throws {
        let outcome = try await trial(answer).run("fill", "example.com", "--copy")
        #expect(outcome.code == .needsPerson)
        #expect(outcome.out.isEmpty && outcome.err.contains(said) && !outcome.err.contains(Self.secret))
        #expect(outcome.err.contains("Without --copy"))
    }

    @Test(arguments: [(74_994, true), (74_995, false)])
    func aTerminalGetsOnlyWhatTerminalsTake(length: Int, fits: Bool) async throws {
        var trial = trial(nil, secret: String(repeating: "x", count: length))
        trial.terminal = TypingTerminal([])
        let outcome = try await trial.run("fill", "example.com", "--copy")
        #expect(outcome.code == (fits ? .success : .failure))
        #expect((Self.sentToTerminal(trial) != nil) == fits)
        if !fits { #expect(outcome.err.contains("74994 bytes")) }
    }

    @Test(arguments: ["--qr", "--add"])
    func aCodeIsEitherCopiedOrSomethingElse(option: String) async throws {
        let desk = Desk()
        let outcome = try await trial(.copied, desk).run("code", "example.com", option, "--copy")
        #expect(outcome.code == .usage)
        #expect(outcome.err.contains("either --copy or \(option)"))
        #expect(desk.all.isEmpty)
    }

    @Test func aDesktopThatFailsIsSaidAndTheTerminalIsLeftAlone() async throws {
        var trial = trial(.copied)
        trial.terminal = TypingTerminal([])
        trial.copyOnDesktop = { _, _ in throw CommandError(.failure, Strings.clipboardFailed("signal 9")) }
        let outcome = try await trial.run("fill", "example.com", "--copy")
        #expect(outcome.code == .failure && outcome.err.contains("signal 9"))
        #expect(Self.sentToTerminal(trial) == nil)
    }

    // MARK: The program that copies

    /// A program in the place of `keyway-clipboard`, which does what the variable says.
    private static let clipboard = DesktopClipboard(program: Expected.root + "Tests/KeywayCommandTests/Fakes/keyway")

    private static func copy(_ script: String, _ variables: [String: String] = [:]) async throws -> DesktopCopy {
        let environment = ["PATH": "/usr/bin:/bin", "XDG_TEST_SCRIPT": script]
        return try await clipboard.copy(
            SecretBytes(copyingUTF8Of: secret), seconds: 45, environment.merging(variables) { $1 })
    }

    @Test func theProgramGetsTheSecretOutOfSight() async throws {
        let script = "[ \"$(cat /dev/fd/4)\" = '\(Self.secret)' ] && [ $# = 1 ] && [ $1 = 45 ] && echo copied >&3"
        #expect(try await Self.copy(script) == .copied)
    }

    @Test func theProgramGetsOnlyTheVariablesThatItNeeds() async throws {
        let script = #"[ "$DISPLAY" = :9 ] && [ -z "$OTHER$WAYLAND_DEBUG" ] && echo copied >&3"#
        let variables = ["DISPLAY": ":9", "OTHER": "x", "WAYLAND_DEBUG": "1"]
        #expect(try await Self.copy(script, variables) == .copied)
    }

    @Test(arguments: [("exit 69", DesktopCopy.noDisplay), ("exit 77", .notAllowed)])
    func howItEndsSaysWhy(script: String, answer: DesktopCopy) async throws {
        #expect(try await Self.copy(script) == answer)
    }

    @Test(arguments: [
        ("exit 65", "longer than the clipboard of this display"), ("exit 0", "ended with exit 0"),
        ("echo copies >&3", "ended with exit 0"), ("kill -9 $$", "ended with signal 9"),
    ])
    func anyOtherEndIsAFailure(script: String, said: String) async throws {
        await #expect {
            _ = try await Self.copy(script)
        } throws: { error in
            (error as? CommandError)?.message.contains(said) == true
        }
    }

    @Test func aProgramThatIsNotThereIsSaid() async throws {
        let clipboard = DesktopClipboard(program: "/nonexistent/keyway")
        await #expect(throws: CommandError.self) {
            _ = try await clipboard.copy(SecretBytes(copyingUTF8Of: Self.secret), seconds: 45, [:])
        }
    }
}
