import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import ProviderHosting

/// What the person hears of a passkey that was made without asking them, and how they take it back.
final class UpgradeAnnouncer: Sendable {
    let upgrades: Upgrades
    let directory: ProviderDirectory
    let desk: ProviderRequests
    let suggester: Suggester
    let notices: NoticeBoard
    let history: History
    let clock: any TimeSource

    init(
        upgrades: Upgrades, directory: ProviderDirectory, desk: ProviderRequests, suggester: Suggester,
        notices: NoticeBoard,
        history: History, clock: any TimeSource
    ) {
        self.upgrades = upgrades
        self.directory = directory
        self.desk = desk
        self.suggester = suggester
        self.notices = notices
        self.history = history
        self.clock = clock
    }

    /// Tells the person of it, with a way back. Where nobody can be told, the history says so, and the next terminal
    /// does what the desktop did not.
    func announce(_ made: Upgrades.Made) async {
        do throws(ProtocolError) {
            try await upgrades.notifier.show(Self.note(made)) {
                Task { await self.takeBack(made) }
            }
        } catch {
            note(made, "Keyway couldn't notify you on the desktop: \(error.message)")
            notices.post(
                made.provider,
                "\(made.provider.name) created a passkey for “\(DisplayText.line(made.user))” at \(made.party.identifier). "
                    + "See: keyway history")
        }
    }

    /// Hides it again: the provider is told that it is not wanted, keeps it, and can show it again.
    func takeBack(_ made: Upgrades.Made) async {
        upgrades.noteTakenBack(made)
        do throws(ProtocolError) {
            let bundle = try await directory.provider(made.provider.identifier)
            let report = CredentialReport.passkeyUnknown(
                relyingParty: made.party.identifier, credentialID: made.credentialID)
            _ = try await desk.ask(
                ProviderRequests.Question(
                    bundle: bundle, request: .report(report), caller: made.caller, relay: nil, command: ""))
            try await hide(made, of: bundle)
            // Whether it is locked is the provider's affair; that it was told is what is known.
            note(
                made,
                "You undid the passkey that was created in the background. Keyway told its provider to hide it, now or "
                    + "the next time it is unlocked.")
        } catch {
            note(made, "You wanted to undo the passkey that was created in the background, but that failed.")
            notices.post(
                made.provider,
                "The passkey for “\(DisplayText.line(made.user))” at \(made.party.identifier) couldn't be undone. "
                    + "Remove it in \(made.provider.name).")
        }
    }

    /// It is suggested no more, whether or not its provider has said so yet.
    private func hide(_ made: Upgrades.Made, of bundle: ProviderBundle) async throws(ProtocolError) {
        let filter = PasskeyFilter(relyingParty: made.party.identifier, allowedCredentials: [made.credentialID])
        let service = ServiceIdentifier(made.party.identifier, kind: .domain)
        for found in try await suggester.offers(filter, for: [service], from: [bundle]) {
            await desk.forget(found.offer.identity, of: bundle)
        }
    }

    private func note(_ made: Upgrades.Made, _ detail: String) {
        history.note(
            HistoryEntry(
                time: clock.milliseconds, event: .change, client: "Keyway", provider: made.provider,
                service: made.party.identifier, account: made.user, kind: .passkey, detail: detail))
    }

    private static func note(_ made: Upgrades.Made) -> DesktopNote {
        let provider = DisplayText.line(made.provider.name)
        return DesktopNote(
            title: "Passkey added",
            text: "\(provider) created a passkey for “\(DisplayText.line(made.user))” at \(made.party.identifier). "
                + "You can use it to sign in next time. Your password still works.",
            undo: made.canTakeBack ? "Undo" : nil,
            elsewise: "If you don't want it, remove it in \(provider).")
    }
}
