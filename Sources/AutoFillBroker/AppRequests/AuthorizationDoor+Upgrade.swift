import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywaySystem
import ProviderHosting

/// A passkey that an app wants made without anybody being asked.
extension AuthorizationDoor {
    /// Makes it where the site names the app and every condition is met.
    ///
    /// - Throws: ``Upgrades/refusal``, whatever was the reason, and as late for each: an app learns of none.
    func upgradeForApp(
        _ wanted: ApplicationRegistration, isNamed: Bool, _ context: RequestContext
    ) async throws(ProtocolError) -> AuthorizeApplication.Result {
        let user = wanted.userName ?? ""
        notes.remark(context) { ($0.event, $0.account, $0.kind) = (.registration, user, .passkey) }
        let (asked, data) = try registration(wanted, of: user)
        guard isNamed else {
            notes.remark(context) { $0.refusal = UnmetCondition.unnamedApp.sentence }
            try? await clock.sleep(for: Upgrades.patience)
            throw Upgrades.refusal
        }
        let party = try RequestBounds.check(wanted.relyingParty, suffixes)
        let made = try await upgrading.upgrade(
            RegisterPasskey.Parameters(registration: asked, provider: nil, isConditional: true, presents: false),
            at: party, context)
        return AuthorizeApplication.Result(
            request: 0, credential: .registration(made.credential, clientData: Data(data.json)))
    }

    /// Remembers that the app was given a password of `user`: its account may be upgraded now.
    func notePassword(
        _ user: String, _ password: Attachment, of bundle: ProviderBundle, _ services: [ServiceIdentifier],
        _ context: RequestContext
    ) {
        upgrading.noteFill(
            .password(user: user, password: password), of: bundle,
            Fill.Parameters(target: .list(provider: nil), services: services, presents: false), context)
    }
}
