import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import PasswordRules
import ProviderHosting
import ServiceMatching

/// What a client may have providers asked for.
final class RequestDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let place: ClientPlace
    private let questions: ClientQuestions
    private let pages: PasskeyPages
    private let upgrading: UpgradeDoor
    private let newSites: SiteDoor
    private let authorization: AuthorizationDoor
    private let passkeys: PasskeyDoor
    private let saving: SavingDoor
    private let quirks: SiteQuirks?
    private let directory: ProviderDirectory
    private let desk: ProviderRequests
    private let stores: IdentityStores
    private let suffixes: PublicSuffixes
    private let handles: SuggestionHandles
    private let filled: FilledAccount
    private let clock: any TimeSource

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, questions: ClientQuestions,
        pages: PasskeyPages, upgrading: UpgradeDoor, newSites: SiteDoor, authorization: AuthorizationDoor,
        passkeys: PasskeyDoor, saving: SavingDoor, quirks: SiteQuirks?, directory: ProviderDirectory,
        desk: ProviderRequests, stores: IdentityStores, suffixes: PublicSuffixes, handles: SuggestionHandles,
        filled: FilledAccount, clock: any TimeSource
    ) {
        self.admission = admission
        self.notes = notes
        self.place = place
        self.questions = questions
        self.pages = pages
        self.upgrading = upgrading
        self.newSites = newSites
        self.authorization = authorization
        self.passkeys = passkeys
        self.saving = saving
        self.quirks = quirks
        self.directory = directory
        self.desk = desk
        self.stores = stores
        self.suffixes = suffixes
        self.handles = handles
        self.filled = filled
        self.clock = clock
    }

    /// Answers who wants something of providers.
    func add(to table: inout MethodTable) {
        table.on(Fill.self) { parameters, context in
            self.notes.remark(parameters, context)
            return try await self.fill(parameters, context)
        }
        table.on(SavePassword.self) { parameters, context in
            self.notes.remark(parameters, context)
            return try await self.save(parameters, context)
        }
        table.on(GeneratePasswords.self) { parameters, context in try await self.generate(parameters, context) }
        table.on(ConfigureProvider.self) { parameters, context in try await self.configure(parameters, context) }
    }

    // MARK: - Fill

    /// What a fill asks, and of whom.
    private struct Chosen {
        let bundle: ProviderBundle
        let request: ProviderRequest
        /// The identity, where a suggestion was chosen.
        var identity: CredentialIdentity?

        /// What is the same account for whoever counts.
        func account(for services: [ServiceIdentifier]) -> String {
            let record = identity.map { [$0.recordIdentifier ?? "", $0.user, $0.service.identifier] }
            return ([bundle.reference.identifier] + (record ?? services.prefix(1).map(\.identifier)))
                .joined(separator: "\n")
        }
    }

    private func fill(_ parameters: Fill.Parameters, _ context: RequestContext) async throws -> Fill.Result {
        try await check(parameters, context)
        let chosen = try await choose(parameters, context)
        notes.remark(context) { ($0.provider, $0.account) = (chosen.bundle.reference, chosen.identity?.user) }
        try admission.count(accounts: [chosen.account(for: parameters.services)], context)
        let wasAskedFirst = try await confirmOtherSite(chosen, parameters, context)
        let verification = try place.verification(
            parameters.presents, chosen.bundle, parameters.services.first, account: chosen.identity?.user, context)
        let (result, row) = try await place.presenting(
            parameters.presents, chosen.bundle, parameters.services.first, context
        ) { relay throws(ProtocolError) in
            let question = ProviderRequests.Question(
                bundle: chosen.bundle, request: chosen.request, caller: try place.caller(context), relay: relay,
                command: command(parameters.target, chosen.bundle, for: parameters.services.first),
                verification: verification, absence: place.absence(context))
            guard let identity = chosen.identity else {
                let result = try await desk.ask(question, notify: questions.waitingNotice(chosen.bundle, context))
                return (result, relay?.chosenRow)
            }
            let notify = questions.waitingNotice(chosen.bundle, context)
            let result = try await desk.askPromised(identity, question, notify: notify)
            guard context.role == .browser, try await waitOut(result) else { return (result, nil) }
            return (try await desk.askPromised(identity, question, notify: notify), nil)
        }
        var wasAsked = row != nil || verification.method != nil || wasAskedFirst
        if chosen.identity == nil {
            let check = OtherSiteCheck(
                stores: stores, suffixes: suffixes, presenter: place.presenter(parameters.presents, context))
            let isAllowed = try await check.pass(
                result, of: chosen.bundle.reference, from: row, to: parameters.services)
            wasAsked = wasAsked || isAllowed
        }
        guard let credential = Fill.Credential(result) else {
            throw ProtocolError(.internalError, "The answer isn't a credential.")
        }
        try await newSites.confirmSites(
            SiteDoor.Handover(
                parameters: parameters, credential: credential, provider: chosen.bundle.reference,
                account: credential.user ?? chosen.identity?.user, isConfirmed: wasAsked), context)
        if let identity = chosen.identity, parameters.isPrivate != true {
            context.afterAnswering { [desk] in desk.remember(identity, of: chosen.bundle) }
        }
        notes.remark(context) { ($0.kind, $0.account) = (credential.kind, credential.user ?? $0.account) }
        if let user = credential.user ?? chosen.identity?.user, credential.kind != .oneTimeCode {
            filled.note(
                FilledAccount.Account(provider: chosen.bundle.reference.identifier, user: user),
                on: parameters.services.compactMap { ServiceAddress($0, suffixes: suffixes) },
                isPrivate: parameters.isPrivate == true, at: clock.nowWithSleep)
        }
        upgrading.noteFill(credential, of: chosen.bundle, parameters, context)
        return Fill.Result(credential: credential, provider: chosen.bundle.reference)
    }

    /// Has the person say, outside the page, that the account of another site may go to this one: both are named. Before the
    /// provider is asked for anything, and each time.
    ///
    /// - Returns: whether they were asked, and said yes.
    /// - Throws: ``ProtocolError``: `cancelled`, `interactionRequired`, `rateLimited`.
    private func confirmOtherSite(
        _ chosen: Chosen, _ parameters: Fill.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> Bool {
        guard let identity = chosen.identity, identity.kind == .password else { return false }
        let check = OtherSiteCheck(
            stores: stores, suffixes: suffixes, presenter: place.presenter(parameters.presents, context))
        guard check.isElsewhere(identity, parameters.services) else { return false }
        return try await newSites.letOtherSite(context) { () async throws(ProtocolError) in
            try await check.pass(identity, of: chosen.bundle.reference, to: parameters.services)
        }
    }

    /// Waits until a code has ended that would end before a page could send it.
    ///
    /// - Returns: whether it was such a code; another one is due then.
    /// - Throws: `cancelled`.
    private func waitOut(_ result: PerformRequest.Result) async throws(ProtocolError) -> Bool {
        guard case .oneTimeCode(_, let end?) = result,
            let left = CodeLife.secondsLeft(until: end, now: Double(clock.milliseconds) / 1000), left <= CodeLife.short
        else { return false }
        do {
            try await clock.sleep(for: .seconds(left))
        } catch {
            throw ProtocolError(.cancelled, "The request was cancelled.")
        }
        return true
    }

    private func check(_ parameters: Fill.Parameters, _ context: RequestContext) async throws(ProtocolError) {
        try Suggester.checkBounds(parameters.services)
        if context.role == .browser { try place.checkPages(parameters.services) }
        guard let passkey = parameters.passkey else { return }
        try RequestBounds.check(passkey.assertion)
        try await pages.check(
            try RequestBounds.check(passkey.relyingParty, suffixes), for: parameters.services,
            isPrivate: parameters.isPrivate == true, context)
    }

    /// What is asked for, and of whom.
    private func choose(
        _ parameters: Fill.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> Chosen {
        switch parameters.target {
        case .suggestion(let handle): return try await suggestion(handle, parameters)
        case .passkey: return try await chosen(passkeys.choosePasskey(parameters, context), parameters)
        case .list(let provider):
            let bundle = try await directory.only(provider, .listing(passkeys: parameters.passkey != nil))
            let passkeys = bundle.capabilities.providesPasskeys ? parameters.passkey : nil
            return Chosen(bundle: bundle, request: .list(expanded(parameters.services), passkeys: passkeys))
        case .oneTimeCodes(let provider):
            let bundle = try await directory.only(provider, .oneTimeCodes)
            return Chosen(bundle: bundle, request: .oneTimeCodes(expanded(parameters.services)))
        case .text(let provider):
            return Chosen(bundle: try await directory.only(provider, .text), request: .text)
        }
    }

    private func suggestion(_ handle: String, _ parameters: Fill.Parameters) async throws(ProtocolError) -> Chosen {
        guard let (offer, services) = handles.offer(handle) else {
            throw ProtocolError(.notFound, "The suggestion has expired. Ask for suggestions again.")
        }
        guard services == parameters.services else {
            throw ProtocolError(.refused, "The suggestion was made for other services.")
        }
        return try await chosen(offer, parameters)
    }

    private func chosen(
        _ offer: SuggestionHandles.Offer, _ parameters: Fill.Parameters
    ) async throws(ProtocolError) -> Chosen {
        let identity = offer.identity
        let bundle = try await directory.first(offer.provider, .suggesting(identity.kind))
        guard identity.kind == .passkey else {
            return Chosen(bundle: bundle, request: .credential(of: identity), identity: identity)
        }
        guard let asked = parameters.passkey else {
            throw ProtocolError(.invalidParameters, "A passkey needs something to sign.")
        }
        guard asked.relyingParty == identity.service.identifier else {
            throw ProtocolError(.refused, "The passkey belongs to another relying party.")
        }
        let allowed = asked.assertion.allowedCredentials
        guard let passkey = identity.passkey, allowed.isEmpty || allowed.contains(passkey.credentialID) else {
            throw ProtocolError(.refused, "The site doesn't accept this passkey.")
        }
        return Chosen(
            bundle: bundle, request: .credential(of: identity, signing: asked.assertion), identity: identity)
    }

    private func expanded(_ services: [ServiceIdentifier]) -> [ServiceIdentifier] {
        services.flatMap { ServiceAddress.expanded($0, suffixes: suffixes) }
    }

    // MARK: - Passwords to keep

    private func save(
        _ parameters: SavePassword.Parameters, _ context: RequestContext
    ) async throws -> SavePassword.Result {
        let password = parameters.password
        try RequestBounds.check(password)
        try Suggester.checkBounds([password.service])
        if context.role == .browser { try place.checkPages([password.service]) }
        if context.role == .application { return try await authorization.saveForApp(parameters, context) }
        if context.role == .browser { return try await saving.save(parameters, context) }
        let bundle = try await directory.first(parameters.provider, .saving)
        _ = try await questions.ask(
            bundle, .saving(password), for: password.service, presents: parameters.presents, context)
        return SavePassword.Result(provider: bundle.reference)
    }

    private func generate(
        _ parameters: GeneratePasswords.Parameters, _ context: RequestContext
    ) async throws -> GeneratePasswords.Result {
        try RequestBounds.check(parameters.request)
        try Suggester.checkBounds([parameters.request.service])
        if context.role == .browser { try place.checkPages([parameters.request.service]) }
        let bundle = try await directory.first(parameters.provider, .generating)
        let hasInterface = bundle.capabilities.supportsGeneratePasswordCredentialsWithUI
        let request = parameters.request.knowing(quirks, suffixes)
        let result = try await questions.ask(
            bundle, .generating(request, withInterface: parameters.presents && hasInterface),
            for: request.service, presents: parameters.presents, context)
        guard case .generated(let passwords) = result else {
            throw ProtocolError(.internalError, "The answer isn't a password.")
        }
        return GeneratePasswords.Result(passwords: passwords, provider: bundle.reference)
    }

    // MARK: - Setting up

    private func configure(_ parameters: ConfigureProvider.Parameters, _ context: RequestContext) async throws
        -> Nothing
    {
        let bundle = try await directory.first(parameters.identifier, .configuring)
        _ = try await questions.ask(
            bundle, .configuration, for: nil, presents: parameters.presents ?? true, context, purpose: .configuration)
        return Nothing()
    }

    /// The same for a fill. What the provider's own command does helps a suggestion, and shows nobody a list.
    private func command(_ target: Fill.Target, _ bundle: ProviderBundle, for service: ServiceIdentifier?) -> String {
        switch target {
        case .suggestion, .passkey: questions.command(bundle, for: service)
        case .list: questions.filling([], service)
        case .oneTimeCodes: questions.filling(["--code"], service)
        case .text: "keyway insert"
        }
    }
}

extension PasswordsToGenerate {
    /// The same with what is known of the site in public, unless whoever asks says that.
    fileprivate func knowing(_ quirks: SiteQuirks?, _ suffixes: PublicSuffixes) -> PasswordsToGenerate {
        guard quirkRules == nil, let quirks, let address = ServiceAddress(service, suffixes: suffixes) else {
            return self
        }
        return PasswordsToGenerate(
            service: service, serviceName: serviceName, passwordRules: passwordRules,
            confirmationRules: confirmationRules,
            quirkRules: quirks.passwordRules(of: address.host.written, in: address.site))
    }
}

extension Fill.Credential {
    /// The credential that ends a fill; nil for what ends other requests.
    fileprivate init?(_ result: PerformRequest.Result) {
        switch result {
        case .password(let user, let password): self = .password(user: user, password: password)
        case .passkeyAssertion(let credential): self = .passkey(credential)
        case .oneTimeCode(let code, let validUntil): self = .oneTimeCode(code, validUntil: validUntil)
        case .text(let text): self = .text(text)
        default: return nil
        }
    }
}
