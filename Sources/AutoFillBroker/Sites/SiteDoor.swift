import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ServiceMatching

/// Sites that a browser's profile fills for the first time. Any program can pose as the browser that speaks through
/// Keyway's host: so the person confirms each once, where no page and no program can answer.
final class SiteDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let clock: any TimeSource
    private let sites: ConfirmedSites
    private let siteRefusals: SiteRefusals
    private let limits: AskingLimits
    private let consent: ConsentQuestions
    private let clients: Clients
    private let hasTerminal: @Sendable (TerminalSession) -> Bool
    private let suffixes: PublicSuffixes

    init(
        admission: ClientAdmission, notes: RequestNotes, clock: any TimeSource, sites: ConfirmedSites,
        siteRefusals: SiteRefusals, limits: AskingLimits, consent: ConsentQuestions, clients: Clients,
        hasTerminal: @escaping @Sendable (TerminalSession) -> Bool, suffixes: PublicSuffixes
    ) {
        self.admission = admission
        self.notes = notes
        self.clock = clock
        self.sites = sites
        self.siteRefusals = siteRefusals
        self.limits = limits
        self.consent = consent
        self.clients = clients
        self.hasTerminal = hasTerminal
        self.suffixes = suffixes
    }

    /// What goes to a page.
    struct Handover {
        let parameters: Fill.Parameters
        let credential: Fill.Credential
        let provider: ProviderReference
        let account: String?
        /// Whether the person did something for this very request outside the page: showed who they are, or chose a row or
        /// said yes in a window that names the site.
        let isConfirmed: Bool
    }

    /// Lets a credential go to a page of a site that the profile filled before; else the person is asked.
    ///
    /// - Throws: ``ProtocolError``: `cancelled` when the person does not want it, `interactionRequired` with what to type
    ///   when they cannot be asked, `rateLimited` for a program that asks for one new site after the other, `locked`.
    func confirmSites(_ handover: Handover, _ context: RequestContext) async throws(ProtocolError) {
        if case .passkey = handover.credential { return }
        guard context.role == .browser, !admission.coversAllSites else { return }
        let client = try admission.client(context)
        for site in Set(handover.parameters.services.map(suffixes.site)).sorted() {
            if try isConfirmed(site, of: client.identity) { continue }
            if !handover.isConfirmed { try await ask(site, of: client, handover, context) }
            // Nothing of a private window is written down.
            if handover.parameters.isPrivate != true { try sites.add(site, of: client.identity) }
        }
    }

    private func isConfirmed(_ site: String, of client: ClientIdentity) throws(ProtocolError) -> Bool {
        // What was said in a terminal to an approval for all profiles is said for each.
        if try sites.contains(site, of: client) { return true }
        return try sites.contains(site, of: client.program)
    }

    private func ask(
        _ site: String, of client: ConnectedClient, _ handover: Handover, _ context: RequestContext
    ) async throws(ProtocolError) {
        let name = DisplayText.line(site)
        try siteRefusals.check(.newSite, client.identity, at: clock.now)
        try limits.visit(client, site: site)
        let question = AskPerson.NewSite(
            program: client.name, profile: client.profile?.identifier, service: name, provider: handover.provider,
            account: handover.account.map(DisplayText.line))
        let answer: ConsentQuestions.Answer?
        do throws(ProtocolError) {
            answer = try await consent.ask(
                .newSite(question), reason: "let \(client.name) fill \(name)", terminal: nil)
        } catch {
            // Taken back by who asked is not closed by the person.
            if error.code == .cancelled, !Task.isCancelled {
                siteRefusals.add(.newSite, client.identity, isRefused: false, at: clock.now)
            }
            throw error
        }
        guard let answer else {
            throw ProtocolError(
                .interactionRequired,
                "\(client.name) has never filled \(name) before, and there is no display to ask you on. Run in a "
                    + "terminal: keyway clients allow \(client.identity.identifier.shownIdentifier) \(name)",
                provider: handover.provider.identifier)
        }
        guard answer.isAllowed else {
            siteRefusals.add(.newSite, client.identity, isRefused: true, at: clock.now)
            notes.remark(context) { $0.refusal = "You didn't allow it to fill a new site." }
            throw ProtocolError(
                .cancelled, "You didn't allow \(client.name) to fill \(name).", provider: handover.provider.identifier)
        }
    }

    // MARK: - Accounts of other sites

    /// Has the person say whether the account of another site may go to a page: one question at a time for each profile
    /// of a browser, and none shortly after they refused one or closed it.
    ///
    /// - Parameter ask: asks, and says what came of it.
    /// - Returns: whether they were asked, and said yes.
    /// - Throws: ``ProtocolError``: `rateLimited`, that of a refusal, or what `ask` throws.
    func letOtherSite(
        _ context: RequestContext, _ ask: () async throws(ProtocolError) -> OtherSiteCheck.Outcome
    ) async throws(ProtocolError) -> Bool {
        guard context.role == .browser else { return try await ask().get() }
        let identity = try admission.client(context).identity
        try siteRefusals.check(.otherSite, identity, at: clock.now)
        try siteRefusals.begin(identity)
        defer { siteRefusals.end(identity) }
        let outcome: OtherSiteCheck.Outcome
        do throws(ProtocolError) {
            outcome = try await ask()
        } catch {
            // Taken back by who asked is not closed by the person.
            if error.code == .cancelled, !Task.isCancelled {
                siteRefusals.add(.otherSite, identity, isRefused: false, at: clock.now)
            }
            throw error
        }
        if case .refused = outcome {
            siteRefusals.add(.otherSite, identity, isRefused: true, at: clock.now)
            notes.remark(context) { $0.refusal = "You didn't allow an account of another site to be filled." }
        }
        return try outcome.get()
    }

    // MARK: - In a terminal

    /// Lets a profile fill a site, after the person was asked as for an approval.
    ///
    /// - Throws: ``ProtocolError``: `notFound`, `invalidParameters`, `cancelled`, `notVerified`, `locked`.
    func allow(_ site: String, _ identifier: String, _ context: RequestContext) async throws(ProtocolError) {
        let grant = try await clients.grant(identifier)
        guard grant.role == .browser, ServiceAddress(Self.page(site), suffixes: suffixes) != nil else {
            throw ProtocolError(.invalidParameters, "Give a browser profile and a site, such as example.com.")
        }
        let name = suffixes.site(Self.page(site))
        let question = AskPerson.NewSite(
            program: grant.name, profile: grant.profile?.identifier, service: DisplayText.line(name), provider: nil,
            account: nil)
        let terminal = TerminalQuestions(connection: context.connection, hasTerminal: hasTerminal)
        let reason = "let \(grant.name) fill \(DisplayText.line(name))"
        let answer = try await consent.ask(.newSite(question), reason: reason, terminal: terminal)
        guard let answer else {
            throw ProtocolError(
                .notVerified,
                "Keyway can't ask you: there is no display and no way to verify you. To set one up: keyway verification"
            )
        }
        guard answer.isAllowed else { throw ProtocolError(.cancelled, "Nothing was changed.") }
        notes.remark(change: "\(grant.historyName) can fill one more site", by: answer.method, context)
        try sites.add(name, of: grant.identity)
    }

    private static func page(_ site: String) -> ServiceIdentifier {
        ServiceIdentifier(site.contains("://") ? site : "https://\(site)", kind: .url)
    }
}
