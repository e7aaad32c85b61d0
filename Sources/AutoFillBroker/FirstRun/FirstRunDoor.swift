import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import ProviderHosting

/// The first run: a browser whose person pressed *Set up Keyway* under a field. All that is decided is decided in windows
/// that no page and no extension can draw.
final class FirstRunDoor: Sendable {
    private let notes: RequestNotes
    private let choices: FirstRunChoices
    private let installed: InstalledProviders
    private let consent: ConsentQuestions
    private let person: PersonMethods

    init(
        notes: RequestNotes, choices: FirstRunChoices, installed: InstalledProviders, consent: ConsentQuestions,
        person: PersonMethods
    ) {
        self.notes = notes
        self.choices = choices
        self.installed = installed
        self.consent = consent
        self.person = person
    }

    /// Answers who may set up.
    func add(to table: inout MethodTable) {
        table.on(SetUpState.self) { _, _ in .init(isOffered: try await self.candidate() != nil) }
        table.on(SetUp.self) { parameters, context in try await self.setUp(parameters, context) }
        table.on(FinishSetUp.self) { _, _ in
            try self.choices.change { $0 = FirstRunChoices.Document() }
            self.choices.postpone(false)
            return Nothing()
        }
    }

    /// The provider that would be turned on, where that is offered: one that came with the system and has a master password.
    private func candidate() async throws(ProtocolError) -> Candidate? {
        let enabled = try await installed.directory.enabled()
        let document = try choices.document()
        let snapshot = try await installed.registry.snapshot()
        guard !document.isUnwanted, !choices.isPostponed,
            let bundle = snapshot.bundles.first(where: {
                $0.problem == nil && $0.checksMasterPassword && MasterPasswordCheck.isInTheBox($0)
            }),
            enabled.isEmpty || document.isUnfinished && enabled.map(\.path) == [bundle.path]
        else { return nil }
        // What the administrator does not allow is not offered.
        guard (try? installed.registry.checkAllowed(bundle.reference.identifier)) != nil else { return nil }
        // One that changed since the person turned it on was on because of them.
        return Candidate(bundle: bundle, takesBack: !snapshot.changed.contains { $0.path == bundle.path })
    }

    /// What would be turned on, and whether it goes off again where the first run is not ended.
    private struct Candidate {
        let bundle: ProviderBundle
        let takesBack: Bool
    }

    private func setUp(
        _ parameters: SetUp.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> SetUp.Result {
        guard parameters.isPrivate != true else {
            throw ProtocolError(.notAllowed, "Keyway isn't set up from a private window. Open another one.")
        }
        guard let candidate = try await candidate() else {
            throw ProtocolError(.refused, "There is nothing to set up here. Run in a terminal: keyway setup")
        }
        guard let sheets = consent.sheets, await sheets.canAsk() else { throw Self.noDisplay }
        guard choices.begin() else {
            throw ProtocolError(.busy, "Keyway is being set up already. Answer its window first.")
        }
        defer { choices.end() }
        let steps = FirstRunSteps(
            bundle: candidate.bundle, choices: choices, installed: installed, sheets: sheets, person: person,
            browser: context.connection.hello?.profile?.browser, takesBack: candidate.takesBack)
        do throws(ProtocolError) {
            let outcome = try await steps.run()
            if outcome == .done { notes.remark(approval: candidate.bundle.reference, "turned on", context) }
            return SetUp.Result(outcome: outcome)
        } catch {
            throw error.code == .interactionRequired ? Self.noDisplay : error
        }
    }

    private static var noDisplay: ProtocolError {
        ProtocolError(
            .interactionRequired, "There is no display to ask you on. Run in a terminal: keyway setup")
    }
}
