import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import PasswordRules
import ProviderHosting
import ServiceMatching

/// Passwords that pages were sent with. A browser says that a sign-in worked; whether its password is kept is the
/// person's decision, in a window that no page can draw, once for each sign-in.
final class SavingDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let place: ClientPlace
    private let questions: ClientQuestions
    private let directory: ProviderDirectory
    private let desk: ProviderRequests
    private let stores: IdentityStores
    private let consent: ConsentQuestions
    private let unsaved: UnsavedSites
    private let pauses: SavingPauses
    private let quirks: SiteQuirks?
    private let clock: any TimeSource
    private let suffixes: PublicSuffixes

    /// How many accounts of a site are looked at.
    private static let limit = 200

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, questions: ClientQuestions,
        directory: ProviderDirectory, desk: ProviderRequests, stores: IdentityStores, consent: ConsentQuestions,
        unsaved: UnsavedSites, pauses: SavingPauses, quirks: SiteQuirks?, clock: any TimeSource,
        suffixes: PublicSuffixes
    ) {
        self.admission = admission
        self.notes = notes
        self.place = place
        self.questions = questions
        self.directory = directory
        self.desk = desk
        self.stores = stores
        self.consent = consent
        self.unsaved = unsaved
        self.pauses = pauses
        self.quirks = quirks
        self.clock = clock
        self.suffixes = suffixes
    }

    /// Answers who asks for the sites that are never asked about.
    func add(to table: inout MethodTable) {
        table.on(SavingSupport.self) { _, _ in try await self.support() }
        table.on(ChangePasswordPage.self) { parameters, context in try self.changePage(parameters.service, context) }
        table.on(ListUnsavedSites.self) { _, _ in .init(sites: try self.unsaved.list()) }
        table.on(AskAboutSite.self) { parameters, context in
            try self.askAgain(parameters.site, context)
            return Nothing()
        }
    }

    /// Has a provider keep a password of a page, if the person wants that.
    ///
    /// A generated password that the person has just chosen is kept before its form is sent, without a question: it takes
    /// no other's place.
    ///
    /// - Throws: ``ProtocolError``: `notAllowed` for a private window, `interactionRequired` with what to type where the
    ///   person cannot be asked, `cancelled`, `rateLimited`, and what the provider's request throws.
    func save(
        _ parameters: SavePassword.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> SavePassword.Result {
        let password = parameters.password
        guard parameters.isPrivate != true else {
            throw ProtocolError(.notAllowed, "Nothing from a private window is saved.")
        }
        guard let address = ServiceAddress(password.service, suffixes: suffixes) else {
            throw ProtocolError(.invalidParameters, "The request names no site for the password.")
        }
        try admission.count([password.service], context)
        if password.event == .generatedPasswordFilled {
            let bundle = try await directory.first(parameters.provider, .saving)
            return try await hand(password, to: bundle, parameters, context)
        }
        let site = suffixes.site(password.service)
        let able = try await directory.enabled().filter { Capability.saving.isDeclared($0.capabilities) }
        let known = try await known(password.user, at: address, among: able)
        let bundle: ProviderBundle
        if let known { bundle = known.bundle } else { bundle = try await directory.first(parameters.provider, .saving) }
        notes.remark(context) { $0.event = nil }
        let user = known?.identity.user ?? password.user
        let outcome = try await decide(site, password, user, address, known, bundle, context)
        switch outcome {
        case .saved: break
        case .never, .declined: return .init(provider: bundle.reference, outcome: outcome)
        case .unchanged:
            // A generated password is an account's own from now on.
            if password.generatedKind != nil {
                _ = try? await hand(password.agreed(user: user, replaces: false), to: bundle, parameters, context)
            }
            return .init(provider: bundle.reference, outcome: .unchanged)
        }
        pauses.end(site)
        notes.remark(parameters, context)
        return try await hand(password.agreed(user: user, replaces: known != nil), to: bundle, parameters, context)
    }

    /// Passes it on to the provider, which may need the person to be unlocked.
    private func hand(
        _ password: PasswordToSave, to bundle: ProviderBundle, _ parameters: SavePassword.Parameters,
        _ context: RequestContext
    ) async throws(ProtocolError) -> SavePassword.Result {
        _ = try await questions.ask(
            bundle, .saving(password), for: password.service, presents: parameters.presents, context)
        return SavePassword.Result(provider: bundle.reference, outcome: .saved)
    }

    private func support() async throws(ProtocolError) -> SavingSupport.Result {
        let capabilities = try await directory.enabled().map(\.capabilities)
        return .init(
            saves: capabilities.contains(where: Capability.saving.isDeclared),
            generates: capabilities.contains(where: Capability.generating.isDeclared))
    }

    /// Where one changes the password of a site. What is not encrypted is no place for it.
    private func changePage(
        _ service: ServiceIdentifier, _ context: RequestContext
    ) throws(ProtocolError) -> ChangePasswordPage.Result {
        if context.role == .browser { try place.checkPages([service]) }
        guard let address = ServiceAddress(service, suffixes: suffixes), !address.host.isAbsolute,
            address.scheme == .https
        else {
            throw ProtocolError(.invalidParameters, "Give a site that is encrypted, such as https://example.com.")
        }
        if let page = quirks?.changePasswordPage(of: address.host.text, in: address.site) {
            return .init(address: page, isKnown: true)
        }
        return .init(address: address.origin + "/.well-known/change-password", isKnown: false)
    }

    // MARK: - The question

    /// What the person decides, or has decided before. One after the other: what they say to one form of a site counts for
    /// those that were sent meanwhile.
    private func decide(
        _ site: String, _ password: PasswordToSave, _ user: String, _ address: ServiceAddress, _ known: Known?,
        _ bundle: ProviderBundle, _ context: RequestContext
    ) async throws(ProtocolError) -> SavePassword.Outcome {
        // What needs no question waits for none about another site.
        if let settled = try settled(site, address) { return settled }
        do throws(ProtocolError) { try await pauses.turns.enter() } catch {
            if error.code == .cancelled, !Task.isCancelled { return .declined }
            throw error
        }
        defer { pauses.turns.leave() }
        if let settled = try settled(site, address) { return settled }
        let outcome = try await ask(password, user, address, known, bundle, context)
        switch outcome {
        case .saved, .unchanged: break
        case .never:
            try unsaved.add(site)
            notes.remark(change: "Keyway no longer offers to save passwords for \(DisplayText.line(site))", context)
        case .declined: pauses.begin(site, at: clock.now)
        }
        return outcome
    }

    /// What was decided about the site before; nil where the person is to be asked.
    private func settled(_ site: String, _ address: ServiceAddress) throws(ProtocolError) -> SavePassword.Outcome? {
        if try unsaved.contains(site) { return .never }
        if pauses.holds(site, at: clock.now) { return .declined }
        // There, what is sent is the password with a code behind it.
        return quirks?.appendsCode(address.host.written, in: address.site) == true ? .declined : nil
    }

    private func ask(
        _ password: PasswordToSave, _ user: String, _ address: ServiceAddress, _ known: Known?,
        _ bundle: ProviderBundle, _ context: RequestContext
    ) async throws(ProtocolError) -> SavePassword.Outcome {
        guard let presenter = consent.sheets, await presenter.canAsk() else { throw unasked(user, address, bundle) }
        let stored = await stored(known, context)
        let question = AskPerson.SavingPassword(
            account: DisplayText.line(user), service: address.origin, isEncrypted: !address.isInsecure,
            provider: bundle.reference, replaces: known != nil, storedFor: known.flatMap { storedFor($0, address) },
            password: stored == nil ? nil : password.password, stored: stored)
        do throws(ProtocolError) {
            switch try await presenter.ask(.saving(question)) {
            case .allowed: return .saved
            case .never: return .never
            case .unchanged where stored != nil: return .unchanged
            default: return .declined
            }
        } catch {
            switch error.code {
            case .interactionRequired: throw unasked(user, address, bundle)
            // Taken back by who asked is not closed by the person.
            case .cancelled where !Task.isCancelled: return .declined
            default: throw error
            }
        }
    }

    /// Where nobody can be asked, nothing is saved; the person can do it in a terminal.
    private func unasked(_ user: String, _ address: ServiceAddress, _ bundle: ProviderBundle) -> ProtocolError {
        // A name of a page is no word for a shell.
        let isPlain = !user.isEmpty && user.utf8.allSatisfy(Self.isPlain)
        return ProtocolError(
            .interactionRequired,
            "There is no display to ask you on whether to save the password. To save it, run in a terminal: keyway save "
                + "--user \(isPlain ? user : "NAME") \(address.origin)", provider: bundle.reference.identifier)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "@"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: - What is known

    /// An account that is kept already.
    private struct Known {
        let bundle: ProviderBundle
        let identity: CredentialIdentity
    }

    /// Where an account is from that is not from the page itself, but from another host of its site.
    private func storedFor(_ known: Known, _ address: ServiceAddress) -> String? {
        let service = known.identity.service
        guard let own = ServiceAddress(service, suffixes: suffixes), own.host != address.host else { return nil }
        return service.kind == .url ? own.origin : own.host.written
    }

    /// The account called `user` at the page, of the first provider that has one and saves. Where the page named nobody,
    /// the only account there is.
    private func known(
        _ user: String, at address: ServiceAddress, among bundles: [ProviderBundle]
    ) async throws(ProtocolError) -> Known? {
        for bundle in bundles {
            let here = try await stores.use(bundle.reference.identifier) {
                try await $0.reader.matches(address, kinds: [.password], limit: Self.limit).found.map(\.identity)
            }.filter { $0.use != .http }
            // As it is shown to the person: marks that nobody sees make no other account.
            let name = DisplayText.line(user).trimmed
            let fitting =
                name.isEmpty && Set(here.map(\.user)).count == 1
                ? here : here.filter { DisplayText.line($0.user).trimmed == name }
            if let identity = fitting.first(where: { !$0.user.isEmpty }) {
                return Known(bundle: bundle, identity: identity)
            }
        }
        return nil
    }

    /// The password of an account, where its provider gives it without asking anybody. It goes on unread, to be compared
    /// where the question would be drawn.
    private func stored(_ known: Known?, _ context: RequestContext) async -> Attachment? {
        guard let known else { return nil }
        let whole = ProviderRequest.credential(of: known.identity)
        let quiet = ProviderRequest(quiet: whole.quiet, interactive: nil, expectation: whole.expectation)
        do throws(ProtocolError) {
            let question = ProviderRequests.Question(
                bundle: known.bundle, request: quiet, caller: try place.caller(context), relay: nil, command: "")
            guard case .password(_, let password) = try await desk.ask(question) else { return nil }
            return password
        } catch {
            return nil
        }
    }

    // MARK: - Sites that are never asked about

    private func askAgain(_ text: String, _ context: RequestContext) throws(ProtocolError) {
        let page = ServiceIdentifier(text.contains("://") ? text : "https://\(text)", kind: .url)
        guard ServiceAddress(page, suffixes: suffixes) != nil else {
            throw ProtocolError(.invalidParameters, "Give a site, such as example.com.")
        }
        let site = suffixes.site(page)
        guard try unsaved.remove(site) else {
            throw ProtocolError(.notFound, "Keyway does offer to save passwords for \(DisplayText.line(site)).")
        }
        notes.remark(change: "Keyway offers to save passwords for \(DisplayText.line(site)) again", context)
    }
}

extension PasswordToSave {
    /// The same for `user`, after the person agreed. Another password of the account goes only if they were asked that
    /// (`replaces`); else whoever keeps it asks before one does.
    fileprivate func agreed(user: String, replaces: Bool) -> PasswordToSave {
        PasswordToSave(
            service: service, serviceName: serviceName, user: user, password: password, title: title, session: session,
            event: replaces ? .userInitiated : .formDidDisappear, generatedKind: generatedKind)
    }
}
