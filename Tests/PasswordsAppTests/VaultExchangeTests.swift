import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Synchronization
import Testing

@testable import PasswordsApp

/// Ours, where the testing library has a type of the same name.
typealias Attachment = AutoFillWire.Attachment

/// The app of Passwords between a vault and a broker that are made up: what it asks whom, in which order.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct VaultExchangeTests {
    private let vault = FakeVault()
    private let system = FakeSystem()

    /// Runs `body`, while the person answers what is shown by `answers`, in order; what they saw.
    private func run(
        _ answers: [InterfaceEvent], _ body: @escaping @MainActor (VaultExchange) async throws -> KeywayExchangeReport
    ) async -> (report: Result<KeywayExchangeReport, any Error>, shown: [ProviderInterface]) {
        let seen = Seen()
        var rest = answers[...]
        let person = Conversation { interface in
            seen.shown.append(interface)
            if case .progress = interface { return }
            guard let answer = rest.popFirst() else { return }
            // As the system does: once what is shown was seen.
            Task { @MainActor in seen.person?.receive(answer) }
        }
        seen.person = person
        let exchange = VaultExchange(vault: vault, system: system, person: person)
        do {
            return (.success(try await body(exchange)), seen.shown)
        } catch {
            return (.failure(error), seen.shown)
        }
    }

    @MainActor
    private final class Seen {
        var shown: [ProviderInterface] = []
        weak var person: Conversation?
    }

    private func typed(_ text: String) throws -> InterfaceEvent {
        .submitted(["master-password": .secret(InterfaceSecret(try SealedMemory(text: text)))])
    }

    private func take(_ answers: [InterfaceEvent]) async -> (
        report: Result<KeywayExchangeReport, any Error>, shown: [ProviderInterface]
    ) {
        await run(answers) { try await $0.take(UUID()) }
    }

    private func handOver(_ answers: [InterfaceEvent]) async -> (
        report: Result<KeywayExchangeReport, any Error>, shown: [ProviderInterface]
    ) {
        await run(answers) { try await $0.handOver() }
    }

    private func messages(_ shown: [ProviderInterface]) -> [InterfaceMessage] {
        shown.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    // MARK: - Import

    @Test func nothingIsTakenBeforeTheVaultIsOpen() async throws {
        vault.set { $0.access = .locked }
        _ = await take([.cancelled])
        // Nobody would cancel what comes next if it was.
        try #require(system.calls.isEmpty)
        let outcome = await take([try typed("wrong"), .cancelled])
        #expect(throws: CancellationError.self) { try outcome.report.get() }
        #expect(system.calls.isEmpty && vault.calls == ["unlock wrong"])
        guard case .form(let form) = outcome.shown.last else { throw CancellationError() }
        #expect(form.error == "That is wrong.")
    }

    @Test func nothingIsStoredBeforeThePersonAgreed() async throws {
        vault.set { $0.counts = ImportCounts(new: 2, conflicts: 1) }
        let outcome = await take([.cancelled])
        #expect(throws: CancellationError.self) { try outcome.report.get() }
        #expect(vault.calls == ["compare"])
    }

    @Test func thePersonSeesWhatBecomesOfEverything() async throws {
        vault.set {
            $0.counts = ImportCounts(new: 2, duplicates: 3, conflicts: 1, refused: 1)
            $0.findings = [ImportFinding(item: 1, verdict: .refused, reason: "It is too large.")]
        }
        let shown = try #require(messages(await take([.cancelled]).shown).first)
        for line in [
            "Example hands over 7 items.", "New: 2", "Already there: 3", "Already there with something else: 1",
            "Can’t be stored: 1", "Two: It is too large.",
        ] {
            #expect(shown.text.contains(line), "\(line)")
        }
    }

    @Test(arguments: [ConflictChoice.keepBoth, .skip, .replace])
    func conflictsBecomeWhatThePersonSays(choice: ConflictChoice) async throws {
        vault.set { $0.counts = ImportCounts(new: 1, conflicts: 1) }
        let outcome = await take([.activated(action: choice.rawValue)])
        #expect(try outcome.report.get().items == 5)
        #expect(vault.calls == ["compare", "store \(choice.rawValue)"])
    }

    @Test func ofWhatIsThereNothingIsStored() async throws {
        vault.set { $0.counts = ImportCounts(duplicates: 2) }
        let report = try await take([.activated(action: ConflictChoice.skip.rawValue)]).report.get()
        #expect(report.items == 0 && report.notices.map(\.reason) == ["2 items were there already."])
        #expect(vault.calls == ["compare"])
    }

    @Test func whatIsNoDocumentIsToldAndNotStored() async throws {
        system.set { $0.document = "{}" }
        vault.set { $0.counts = ImportCounts(new: 1) }
        let outcome = await take([])
        #expect(throws: ProtocolError.self) { try outcome.report.get() }
        #expect(!vault.calls.contains { $0.hasPrefix("store") })
    }

    // MARK: - Export

    @Test func theMasterPasswordIsAskedForThoughTheVaultIsOpen() async throws {
        let outcome = await handOver([try typed("wrong"), try typed("right")])
        #expect(try outcome.report.get().items == 4)
        #expect(vault.calls == ["handOver wrong", "handOver right"])
        #expect(system.calls == ["request", "export agreed"])
    }

    @Test func aLockedVaultIsUnlockedByTheSamePassword() async throws {
        vault.set { $0.access = .locked }
        #expect(try await handOver([try typed("right")]).report.get().items == 4)
        #expect(vault.calls == ["unlock right", "handOver right"])
    }

    @Test func whatIsLostIsToldBeforeAnythingLeaves() async throws {
        vault.set { $0.losses = [.init(title: "One", user: "ada", reason: "It has a file.")] }
        let stopped = await handOver([try typed("right"), .cancelled])
        #expect(throws: CancellationError.self) { try stopped.report.get() }
        #expect(system.calls == ["request"])
        #expect(messages(stopped.shown).first?.text.contains("One (ada): It has a file.") == true)
        let agreed = try await handOver([try typed("right"), .activated(action: "go-on")]).report.get()
        #expect(agreed.notices.map(\.item) == ["One (ada)"])
    }

    @Test func nothingIsReadWhereThePersonChoseNobody() async throws {
        system.set { $0.refusal = ProtocolError(.cancelled, "no") }
        let outcome = await handOver([])
        #expect(throws: ProtocolError.self) { try outcome.report.get() }
        #expect(vault.calls.isEmpty && outcome.shown.isEmpty)
    }
}
