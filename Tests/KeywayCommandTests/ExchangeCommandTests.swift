import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Testing

@testable import KeywayCommand

/// `keyway exchange`: what is asked of the broker, and what the person reads of it.
@Suite(.timeLimit(.minutes(5))) struct ExchangeCommandTests {
    private static let passwords = ProviderReference(identifier: "org.keyway.passwords", name: "Passwords")
    private static let store = ProviderReference(identifier: "org.example.store", name: "Sto\u{1B}[2Jre")

    private static let handed = #"{"items": 4, "notices": [{"item": "One", "reason": "It has a file."}]}"#
    private static let stored =
        #"{"items": 3, "notices": [{"item": "Ke\u001b[2Jy", "reason": "No place."}, {"item": "", "reason": "1 more."}]}"#

    private static func attached(_ text: String?) throws(ProtocolError) -> AutoFillWire.Attachment? {
        guard let text else { return nil }
        let bytes = Array(text.utf8)
        let memory = try bytes.withUnsafeBytes { bytes in
            Result { () throws(ProtocolError) in try SealedMemory(copying: bytes) }
        }.get()
        return AutoFillWire.Attachment(memory)
    }

    private static func trial(
        from exporter: ProviderReference = passwords, to destination: ProviderReference = store,
        _ exported: String? = handed, _ imported: String? = stored,
        _ asked: Received<BeginExchange.Parameters> = Received()
    ) -> Trial {
        var trial = Trial()
        trial.terminal = TypingTerminal([])
        trial.broker.on(BeginExchange.self) { parameters, _ in
            asked.append(parameters)
            return .init(
                exporter: exporter, destination: destination, exported: try attached(exported),
                imported: try attached(imported))
        }
        return trial
    }

    @Test func thePersonReadsWhatCouldNotBeCarried() async throws {
        let outcome = try await Self.trial().run("exchange")
        #expect((outcome.code, outcome.out) == (.success, ""))
        #expect(
            outcome.err == """
                keyway: Passwords handed 4 items over to Sto[2Jre, which stored 3. Nothing was deleted.
                keyway: 1 remark from Passwords:
                keyway: “One”: It has a file.
                keyway: 2 remarks from Sto[2Jre:
                keyway: “Ke[2Jy”: No place.
                keyway: 1 more.

                """)
    }

    @Test func asJSONItIsData() async throws {
        let outcome = try await Self.trial().run("exchange", "--json")
        for part in [
            #""from": "org.keyway.passwords""#, #""to": "org.example.store""#, #""handedOver": 4"#, #""stored": 3"#,
            #""item": "One""#, #""reason": "It has a file.""#,
        ] { #expect(outcome.out.contains(part), "\(part)") }
        #expect(outcome.err.isEmpty)
    }

    @Test func whatComesToTheVaultCanBeTakenBack() async throws {
        let outcome = try await Self.trial(from: Self.store, to: Self.passwords).run("exchange")
        #expect(outcome.err.contains("keyway import --undo"))
        let empty = try await Self.trial(
            from: Self.store, to: Self.passwords, Self.handed, #"{"items":0,"notices":[]}"#
        )
        .run("exchange")
        #expect(!empty.err.contains("--undo"))
    }

    @Test(arguments: [nil, "", "{}", "[1]"])
    func anAppThatSaysNothingOfUseCostsNothing(report: String?) async throws {
        let outcome = try await Self.trial(Self.passwords, report).run("exchange")
        #expect(outcome.code == .success && outcome.err.contains("Nothing was deleted"))
    }

    private static func trial(_ exporter: ProviderReference, _ report: String?) -> Trial {
        trial(from: exporter, report, report)
    }

    @Test func theOptionsSayWhoAndWhere() async throws {
        let asked = Received<BeginExchange.Parameters>()
        _ = try await Self.trial(Self.handed, Self.stored, asked).run("exchange", "--from", "a", "--to", "b")
        _ = try await Self.trial(Self.handed, Self.stored, asked).run("exchange", "--window")
        #expect(
            asked.all == [
                .init(provider: "a", destination: "b", presents: true),
                .init(provider: nil, destination: nil, presents: false),
            ])
    }

    @Test func withoutATerminalNobodyIsAsked() async throws {
        let asked = Received<BeginExchange.Parameters>()
        var trial = Self.trial(Self.handed, Self.stored, asked)
        trial.terminal = nil
        let outcome = try await trial.run("exchange")
        #expect(outcome.code == .needsPerson && outcome.err.contains("--window") && asked.all.isEmpty)
    }

    @Test(arguments: [
        (ProtocolError.Code.cancelled, ExitCode.cancelled), (.providerFailed, .providerFailed),
        (.notVerified, .refused), (.noProvider, .notFound),
    ])
    func theExitCodeSaysWhy(reason: ProtocolError.Code, code: ExitCode) async throws {
        var trial = Self.trial()
        trial.broker.on(BeginExchange.self) { _, _ in throw ProtocolError(reason, "no") }
        #expect(try await trial.run("exchange").code == code)
    }
}
