import KeywaySystem
import AutoFillWire
import AutoFillProtocol
import ServiceMatching

/// Sites that a browser's profile fills for the first time. Any program can pose as the browser that speaks through
/// Keyway's host: so the person confirms each once, where no page and no program can answer.
extension ClientDoor {
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
        guard context.role == .browser, admitted.withLock({ $0?.coversAllSites }) != true else { return }
        let client = try client(context)
        for site in Set(handover.parameters.services.map(site)).sorted() {
            if try isConfirmed(site, of: client.identity) { continue }
            if !handover.isConfirmed { try await ask(site, of: client, handover, context) }
            // Nothing of a private window is written down.
            if handover.parameters.isPrivate != true { try broker.sites.add(site, of: client.identity) }
        }
    }

    private func isConfirmed(_ site: String, of client: ClientIdentity) throws(ProtocolError) -> Bool {
        // What was said in a terminal to an approval for all profiles is said for each.
        if try broker.sites.contains(site, of: client) { return true }
        return try broker.sites.contains(site, of: client.program)
    }

    /// The site of a service, as new ones are counted too.
    func site(_ service: ServiceIdentifier) -> String {
        guard let host = ServiceAddress(service, suffixes: suffixes)?.host else { return service.identifier }
        return suffixes.registrableDomain(of: host.text) ?? host.text
    }

    private func ask(
        _ site: String, of client: ConnectedClient, _ handover: Handover, _ context: RequestContext
    ) async throws(ProtocolError) {
        let name = DisplayText.line(site)
        try broker.siteRefusals.check(client.identity, at: broker.clock.now)
        try broker.limits.visit(client, site: site)
        let question = AskPerson.NewSite(
            program: client.name, profile: client.profile?.identifier, service: name, provider: handover.provider,
            account: handover.account.map(DisplayText.line))
        let answer: ConsentDesk.Answer?
        do throws(ProtocolError) {
            answer = try await broker.consent.ask(
                .newSite(question), reason: "let \(client.name) fill \(name)", terminal: nil)
        } catch {
            // Taken back by who asked is not closed by the person.
            if error.code == .cancelled, !Task.isCancelled {
                broker.siteRefusals.add(client.identity, isRefused: false, at: broker.clock.now)
            }
            throw error
        }
        guard let answer else {
            throw ProtocolError(
                .interactionRequired,
                "\(client.name) never filled \(name) before, and there is no display on which you could be asked. In a "
                    + "terminal: keyway clients allow \(client.identity.identifier.shownIdentifier) \(name)",
                provider: handover.provider.identifier)
        }
        guard answer.isAllowed else {
            broker.siteRefusals.add(client.identity, isRefused: true, at: broker.clock.now)
            remark(context) { $0.refusal = "You did not let it fill a site for the first time." }
            throw ProtocolError(
                .cancelled, "You did not let \(client.name) fill \(name).", provider: handover.provider.identifier)
        }
    }

    // MARK: - In a terminal

    /// Lets a profile fill a site, after the person was asked as for an approval.
    ///
    /// - Throws: ``ProtocolError``: `notFound`, `invalidParameters`, `cancelled`, `notVerified`, `locked`.
    func allow(_ site: String, _ identifier: String, _ context: RequestContext) async throws(ProtocolError) {
        let grant = try await broker.clients.grant(identifier)
        guard grant.role == .browser, ServiceAddress(Self.page(site), suffixes: suffixes) != nil else {
            throw ProtocolError(.invalidParameters, "Name a browser's profile and a site, such as example.com.")
        }
        let name = self.site(Self.page(site))
        let question = AskPerson.NewSite(
            program: grant.name, profile: grant.profile?.identifier, service: DisplayText.line(name), provider: nil,
            account: nil)
        let terminal = TerminalQuestions(connection: context.connection, hasTerminal: broker.hasTerminal)
        let reason = "let \(grant.name) fill \(DisplayText.line(name))"
        let answer = try await broker.consent.ask(.newSite(question), reason: reason, terminal: terminal)
        guard let answer else {
            throw ProtocolError(
                .notVerified,
                "You can't be asked: there is no display, and no way to verify who types. Set one up: keyway verification"
            )
        }
        guard answer.isAllowed else { throw ProtocolError(.cancelled, "It stays as it is.") }
        remark(change: "\(grant.historyName) may fill one more site", by: answer.method, context)
        try broker.sites.add(name, of: grant.identity)
    }

    private static func page(_ site: String) -> ServiceIdentifier {
        ServiceIdentifier(site.contains("://") ? site : "https://\(site)", kind: .url)
    }
}
