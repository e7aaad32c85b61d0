import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordRules
import PasswordsProtocol
import Testing

@testable import PasswordsExtension

@MainActor
@Suite("Saving and generating in the extension")
struct SavingExtensionTests {
    private func password(_ event: PasswordToSave.Event) throws -> PasswordToSave {
        PasswordToSave(
            service: ServiceIdentifier("https://example.com/join", kind: .url), user: "ada",
            password: AutoFillWire.Attachment(try SealedMemory(text: "one")), session: "s", event: event)
    }

    private func cancellation(_ result: PerformRequest.Result) -> Int? {
        guard case .cancelled(ASExtensionErrorDomain, let code, _) = result else { return nil }
        return code
    }

    private func isSaved(_ result: PerformRequest.Result) -> Bool { if case .saved = result { true } else { false } }

    @Test func savesWithoutInterfaceInAnOpenVault() async throws {
        let vault = FakeVault()
        let broker = try await FakeBroker(vault: vault)
        #expect(isSaved(try await broker.perform(.savePasswordWithoutInteraction(try password(.userInitiated)))))
        #expect(
            isSaved(try await broker.perform(.savePasswordWithoutInteraction(try password(.generatedPasswordFilled)))))
        #expect(vault.calls == ["keep ada false true", "keep ada true false"])
    }

    @Test func anUnlockInBetweenLosesNothing() async throws {
        let vault = FakeVault(.locked)
        let broker = try await FakeBroker(vault: vault)
        let quiet = try await broker.perform(.savePasswordWithoutInteraction(try password(.userInitiated)))
        #expect(cancellation(quiet) == ASExtensionError.Code.userInteractionRequired.rawValue)
        async let result = broker.perform(.savePassword(try password(.userInitiated)))
        let shown = try #require(await broker.nextInterface())
        guard case .form(let form) = shown.interface else {
            Issue.record("no form")
            return
        }
        #expect(form.explanation?.contains("“ada” at example.com") == true && form.submitTitle == "Unlock and save")
        broker.send(
            .submitted(["master": .secret(InterfaceSecret(try SealedMemory(text: "correct horse")))]), to: shown)
        #expect(isSaved(try await result))
        #expect(vault.calls.last == "keep ada false true")
    }

    /// Where nobody was asked yet: what is new is kept quietly, and another password goes only after a question.
    @Test func asksBeforeAnotherPasswordGoes() async throws {
        let vault = FakeVault(items: ["example.com"])
        let broker = try await FakeBroker(vault: vault)
        let quiet = try await broker.perform(.savePasswordWithoutInteraction(try password(.formDidDisappear)))
        #expect(cancellation(quiet) == ASExtensionError.Code.userInteractionRequired.rawValue)
        async let result = broker.perform(.savePassword(try password(.formDidDisappear)))
        let shown = try #require(await broker.nextInterface())
        guard case .message(let message) = shown.interface else {
            Issue.record("no message")
            return
        }
        #expect(message.title == "Replace the password?" && message.text.contains("“ada” at example.com"))
        broker.send(.activated(action: "replace"), to: shown)
        #expect(isSaved(try await result))
        #expect(
            vault.calls.filter { $0.hasPrefix("keep") } == [
                "keep ada false false", "keep ada false false", "keep ada false true",
            ])
    }

    @Test func backingOutKeepsTheOldPassword() async throws {
        let vault = FakeVault(items: ["example.com"])
        let broker = try await FakeBroker(vault: vault)
        async let result = broker.perform(.savePassword(try password(.formDidDisappear)))
        broker.send(.cancelled, to: try #require(await broker.nextInterface()))
        #expect(cancellation(try await result) == ASExtensionError.Code.userCanceled.rawValue)
        #expect(!vault.calls.contains("keep ada false true"))
    }

    @Test func generatesByTheRulesOfPageAndList() async throws {
        let broker = try await FakeBroker(vault: FakeVault(.locked))
        let service = ServiceIdentifier("https://example.com/join", kind: .url)
        let (rules, quirks) = ("minlength: 9; maxlength: 11", "required: digit; required: upper")
        let asked = PasswordsToGenerate(service: service, passwordRules: rules, quirkRules: quirks)
        let result = try await broker.perform(.generatePasswordsWithoutInteraction(asked))
        guard case .generated(let passwords) = result else {
            Issue.record("nothing generated: \(result)")
            return
        }
        #expect(passwords.map(\.kind) == ["STRONG", "ALPHANUMERIC"])
        for password in passwords {
            let bytes = try password.value.sealedMemory().withUnsafeBytes { Array($0) }
            #expect(PasswordRules(parsing: rules).isKept(by: bytes) && PasswordRules(parsing: quirks).isKept(by: bytes))
        }
    }

    @Test func refusesRulesThatNothingCanKeep() async throws {
        let broker = try await FakeBroker(vault: FakeVault())
        let service = ServiceIdentifier("https://example.com/join", kind: .url)
        let asked = PasswordsToGenerate(service: service, passwordRules: "minlength: 20; maxlength: 10")
        let result = try await broker.perform(.generatePasswordsWithoutInteraction(asked))
        guard case .cancelled(_, _, let reason?) = result else {
            Issue.record("not refused: \(result)")
            return
        }
        #expect(reason == "No password can follow these rules: it needs at least 20 characters, and at most 10.")
    }
}
