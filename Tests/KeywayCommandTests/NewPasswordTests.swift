import AutoFillProtocol
import AutoFillWire
import TerminalInterface
import Testing

@testable import KeywayCommand

struct SaveCommandTests {
    private static let provider = ProviderReference(identifier: "org.example.vault", name: "Vault")

    private func trial(_ saved: Received<SavePassword.Parameters>, _ lines: [String] = ["hunter2"]) -> Trial {
        var trial = Trial()
        trial.lines = ListedLines(lines)
        trial.broker.on(SavePassword.self) { parameters, _ in
            saved.append(parameters)
            return .init(provider: Self.provider)
        }
        return trial
    }

    @Test func thePasswordComesFromStandardInput() async throws {
        let saved = Received<SavePassword.Parameters>()
        let outcome = try await trial(saved).run(
            "save", "https://example.com/join", "--user", "ada", "--title", "Example", "--provider", "passwords")
        #expect(outcome.code == .success)
        #expect(outcome.out.isEmpty && outcome.err.contains("Saved in Vault"))
        let offer = try #require(saved.all.first)
        #expect(offer.password.service == ServiceIdentifier("https://example.com/join", kind: .url))
        #expect(offer.password.user == "ada" && offer.password.title == "Example")
        #expect(offer.password.event == .userInitiated && !offer.password.session.isEmpty)
        #expect(try offer.password.password.text == "hunter2")
        #expect(offer.provider == "org.keyway.passwords")
        #expect(!offer.presents)
    }

    @Test func twoOffersAreTwoSessions() async throws {
        let saved = Received<SavePassword.Parameters>()
        let trial = trial(saved, ["one", "two"])
        for _ in 0..<2 { _ = try await trial.run("save", "example.com", "--user", "ada") }
        #expect(Set(saved.all.map(\.password.session)).count == 2)
    }

    @Test func theSitesThatAreNeverAskedAboutAreListedAndTakenBack() async throws {
        let asked = Received<String>()
        var trial = Trial()
        trial.broker.on(ListUnsavedSites.self) { _, _ in .init(sites: ["a.example", "b.example"]) }
        trial.broker.on(AskAboutSite.self) { parameters, _ in
            asked.append(parameters.site)
            return Nothing()
        }
        let listed = try await trial.run("save", "--list-never")
        #expect(listed.code == .success && listed.out == "a.example\nb.example\n")
        let json = try await trial.run("save", "--list-never", "--json").out
        #expect(json.filter { !$0.isWhitespace } == #"{"sites":["a.example","b.example"]}"#)
        #expect(try await trial.run("save", "--ask-again", "a.example").code == .success)
        #expect(asked.all == ["a.example"])
        #expect(try await trial.run("save", "--ask-again").code == .usage)
    }

    @Test func theUserMustBeNamed() async throws {
        let saved = Received<SavePassword.Parameters>()
        #expect(try await trial(saved).run("save", "example.com").code == .usage)
        #expect(saved.all.isEmpty)
    }

    @Test func withoutAPasswordNothingIsOffered() async throws {
        let saved = Received<SavePassword.Parameters>()
        #expect(try await trial(saved, []).run("save", "example.com", "--user", "ada").code == .needsPerson)
        #expect(saved.all.isEmpty)
    }

    @Test func nobodyIsAskedForAPasswordOfAnUnknownProvider() async throws {
        let trial = trial(Received())
        let outcome = try await trial.run("save", "example.com", "--user", "ada", "--provider", "nobody")
        #expect(outcome.code == .notFound)
        #expect(trial.lines?.rest == ["hunter2"])
    }
}

struct ProposeCommandTests {
    private static let provider = ProviderReference(identifier: "org.example.vault", name: "Vault")

    private func trial(
        _ kinds: [String] = ["STRONG", "PASSPHRASE"], asked: Received<GeneratePasswords.Parameters> = Received()
    ) -> Trial {
        var trial = Trial()
        trial.broker.on(GeneratePasswords.self) { parameters, _ in
            asked.append(parameters)
            return .init(
                passwords: try kinds.map { .init(kind: $0, value: try .secret("pw-\($0)")) }, provider: Self.provider)
        }
        return trial
    }

    @Test func theFirstIsTakenWhereNobodyCanChoose() async throws {
        let asked = Received<GeneratePasswords.Parameters>()
        let outcome = try await trial(asked: asked).run("generate", "example.com", "--rules", "minlength: 12;")
        #expect(outcome.out == "pw-STRONG\n")
        #expect(asked.all.first?.request.passwordRules == "minlength: 12;")
        #expect(asked.all.first?.request.service == ServiceIdentifier("example.com", kind: .domain))
    }

    @Test func oneIsChosenByItsKindAndNoneIsDrawn() async throws {
        var trial = trial()
        trial.terminal = TypingTerminal(["\u{1B}[B", "\r"])
        let outcome = try await trial.run("generate", "example.com")
        #expect(outcome.out == "pw-PASSPHRASE\n")
        #expect(trial.terminal?.written.contains("PASSPHRASE") == true)
        #expect(trial.terminal?.written.contains("pw-") == false)
    }

    @Test func aKindCanBeNamed() async throws {
        #expect(try await trial().run("generate", "example.com", "--kind", "passphrase").out == "pw-PASSPHRASE\n")
        let unknown = try await trial().run("generate", "example.com", "--kind", "rune")
        #expect(unknown.code == .notFound)
        #expect(unknown.err.contains("STRONG, PASSPHRASE"))
    }

    @Test func jsonHoldsAllOfThem() async throws {
        let outcome = try await trial().run("generate", "example.com", "--json")
        #expect(outcome.out.contains("\"kind\": \"STRONG\"") && outcome.out.contains("\"password\": \"pw-PASSPHRASE\""))
    }

    @Test func noProposalIsNotFound() async throws {
        #expect(try await trial([]).run("generate", "example.com").code == .notFound)
    }
}
