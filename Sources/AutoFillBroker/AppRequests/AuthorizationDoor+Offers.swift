import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import IdentityIndex
import KeywayCrypto
import KeywaySystem
import ProviderHosting
import WebAuthnValues

/// One credential for an app.
extension AuthorizationDoor {
    /// What the person may take up, and how it is then asked for.
    private enum Offer: Sendable {
        case identity(SuggestionHandles.Offer, request: Int)
        /// The whole list of a provider.
        case list(ProviderBundle)
        /// A passkey that a provider is to make.
        case new(ProviderBundle, request: Int)
        case method(String)
    }

    func authorize(
        _ parameters: AuthorizeApplication.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> AuthorizeApplication.Result {
        let app = try app(context)
        let wishes = try AppWishes(parameters, suffixes)
        notes.remark(context) { ($0.event, $0.service) = (.fill, wishes.site) }
        try admission.count(wishes.domains.map { ServiceIdentifier($0, kind: .domain) }, context)
        let named = await naming(app, wishes.domains)
        if let wanted = try wishes.upgrade() {
            return try await upgradeForApp(wanted, isNamed: named.contains(wanted.relyingParty), context)
        }
        // Of a site that names the app it may learn that there is nothing; of another one not before the person agrees.
        if parameters.onlyImmediate, named.contains(wishes.site) {
            let found = try await offers(wishes, named, onlyImmediate: true, parameters.methods)
            guard !found.isEmpty else { throw Self.nothing(wishes) }
        }
        return try await showing(app, wishes.site, context) { surface throws(ProtocolError) in
            var named = named
            if named.insert(wishes.site).inserted {
                let isCreation = wishes.requests.allSatisfy { if case .registration = $0 { true } else { false } }
                try await permit(app, isCreation ? .creation : .signIn, wishes.site, on: surface, context)
            }
            let offers = try await offers(
                wishes, named, onlyImmediate: parameters.onlyImmediate, parameters.methods)
            guard !offers.isEmpty else { throw Self.nothing(wishes) }
            let offer = try await choose(among: offers, wishes, app, surface)
            return try await perform(offer, wishes, named, app, surface, context)
        }
    }

    private static func nothing(_ wishes: AppWishes) -> ProtocolError {
        ProtocolError(.elsewhere, "No provider has what the app asks for at `\(wishes.site)`.")
    }

    // MARK: - What there is

    /// The passkeys, then the passwords, then the lists of the providers, new passkeys and the app's own ways; of the
    /// domains `named` alone.
    private func offers(
        _ wishes: AppWishes, _ named: Set<String>, onlyImmediate: Bool, _ methods: [String]
    ) async throws(ProtocolError) -> [Offer] {
        let providers = try await directory.enabled()
        var offers: [Offer] = []
        for (index, request) in wishes.requests.enumerated() {
            guard case .assertion(let wanted) = request, named.contains(wanted.relyingParty) else { continue }
            let filter = PasskeyFilter(
                relyingParty: wanted.relyingParty, allowedCredentials: wanted.allowedCredentials)
            let site = ServiceIdentifier(wanted.relyingParty, kind: .domain)
            let found = try await suggester.offers(filter, for: [site], from: providers)
            offers += found.map { .identity($0.offer, request: index) }
        }
        if let index = wishes.requests.firstIndex(of: .password) {
            offers += try await passwords(services(wishes, named), providers).map { .identity($0, request: index) }
        }
        if !onlyImmediate {
            let signsIn = wishes.requests.contains { if case .assertion = $0 { true } else { false } }
            offers += providers.filter {
                wishes.wantsPassword && Capability.listing(passkeys: signsIn).isDeclared($0.capabilities)
                    || signsIn && $0.capabilities.providesPasskeys
            }.map { .list($0) }
        }
        for (index, request) in wishes.requests.enumerated() {
            guard case .registration(let wanted) = request, named.contains(wanted.relyingParty) else { continue }
            offers += providers.filter { Capability.registering.isDeclared($0.capabilities) }
                .map { .new($0, request: index) }
        }
        // Its own ways are no reason to ask: without an account there is nothing that the system would add.
        return offers.isEmpty && onlyImmediate
            ? [] : Array(offers.prefix(Self.mostOffers)) + methods.map { .method($0) }
    }

    private static let mostOffers = 50

    private func passwords(
        _ services: [ServiceIdentifier], _ providers: [ProviderBundle]
    ) async throws(ProtocolError) -> [SuggestionHandles.Offer] {
        var found: [SuggestionHandles.Offer] = []
        _ = try await suggester.suggest(
            Suggest.Parameters(services: services, limit: Self.mostOffers, kinds: [.password]), from: providers,
            namesRecords: false
        ) { offers in
            found = offers
            return offers.map { _ in "" }
        }
        return found
    }

    /// The app's checked domains, most specific first.
    private func services(_ wishes: AppWishes, _ named: Set<String>) -> [ServiceIdentifier] {
        wishes.domains.filter(named.contains).map { ServiceIdentifier($0, kind: .domain) }
    }

    // MARK: - What the person takes up

    private func choose(
        among offers: [Offer], _ wishes: AppWishes, _ app: AppIdentity, _ surface: Surface
    ) async throws(ProtocolError) -> Offer {
        var choices: [AskPerson.AccountChoice.Choice] = []
        var isCreation = true
        for offer in offers {
            switch offer {
            case .identity(let offer, _):
                let identity = offer.identity
                isCreation = false
                choices.append(
                    .init(
                        provider: try await directory.provider(offer.provider).reference, account: identity.user,
                        service: place.name(identity.service), kind: identity.kind))
            case .list(let bundle):
                isCreation = false
                choices.append(.init(provider: bundle.reference))
            case .new(let bundle, let request):
                guard case .registration(let wanted) = wishes.requests[request] else { continue }
                choices.append(.init(provider: bundle.reference, account: wanted.userName, isNew: true))
            case .method(let method): choices.append(.init(provider: nil, method: DisplayText.line(method)))
            }
        }
        let question = AskPerson.AccountChoice(
            program: app.name, purpose: isCreation ? .creation : .signIn, service: wishes.site, choices: choices)
        guard case .chosen(let choice) = try await surface.presenter.ask(.account(question)),
            offers.indices.contains(choice)
        else { throw ProtocolError(.cancelled, "You didn't choose an account.") }
        return offers[choice]
    }

    private func perform(
        _ offer: Offer, _ wishes: AppWishes, _ named: Set<String>, _ app: AppIdentity, _ surface: Surface,
        _ context: RequestContext
    ) async throws(ProtocolError) -> AuthorizeApplication.Result {
        switch offer {
        case .method(let method): return AuthorizeApplication.Result(request: nil, credential: .method(method))
        case .new(let bundle, let index):
            guard case .registration(let wanted) = wishes.requests[index] else { break }
            return try await register(wanted, index, bundle, app, surface, context)
        case .list(let bundle): return try await list(bundle, wishes, named, surface, context)
        case .identity(let offer, let index):
            return try await provide(offer, index, wishes, named, surface, context)
        }
        throw ProtocolError(.internalError, "The choice doesn't exist.")
    }

    // MARK: - Asking the provider

    private func provide(
        _ offer: SuggestionHandles.Offer, _ index: Int, _ wishes: AppWishes, _ named: Set<String>, _ surface: Surface,
        _ context: RequestContext
    ) async throws(ProtocolError) -> AuthorizeApplication.Result {
        let identity = offer.identity
        let bundle = try await directory.first(offer.provider, .suggesting(identity.kind))
        notes.remark(context) { ($0.provider, $0.account, $0.kind) = (bundle.reference, identity.user, identity.kind) }
        try admission.count(
            accounts: [[bundle.reference.identifier, identity.user, wishes.site].joined(separator: "\n")], context)
        var signing: (asked: PasskeyAssertion, data: ClientData)?
        if case .assertion(let wanted) = wishes.requests[index] {
            signing = try assertion(wanted)
        }
        let service = services(wishes, named).first
        let request = ProviderRequest.credential(of: identity, signing: signing?.asked)
        let (result, _) = try await put(request, to: bundle, identity, service, surface, context)
        context.afterAnswering { [desk] in desk.remember(identity, of: bundle) }
        return try answer(result, index, signing?.data, bundle, wishes, named, context)
    }

    private func list(
        _ bundle: ProviderBundle, _ wishes: AppWishes, _ named: Set<String>, _ surface: Surface,
        _ context: RequestContext
    ) async throws(ProtocolError) -> AuthorizeApplication.Result {
        notes.remark(context) { $0.provider = bundle.reference }
        var signing: (index: Int, asked: PasskeyRequestParameters, data: ClientData)?
        for (index, request) in wishes.requests.enumerated() where signing == nil {
            guard bundle.capabilities.providesPasskeys, case .assertion(let wanted) = request,
                named.contains(wanted.relyingParty)
            else { continue }
            let (asked, data) = try assertion(wanted)
            signing = (index, PasskeyRequestParameters(relyingParty: wanted.relyingParty, assertion: asked), data)
        }
        let services = services(wishes, named)
        try admission.count(accounts: [[bundle.reference.identifier, wishes.site].joined(separator: "\n")], context)
        let (result, row) = try await put(
            .list(services, passkeys: signing?.asked), to: bundle, nil, services.first, surface, context)
        if case .passkeyAssertion = result, let signing {
            return try answer(result, signing.index, signing.data, bundle, wishes, named, context)
        }
        guard let index = wishes.requests.firstIndex(of: .password) else {
            throw ProtocolError(.cancelled, "The app asked for a passkey, and you chose something else.")
        }
        try await OtherSiteCheck(stores: stores, suffixes: suffixes, presenter: surface.presenter)
            .pass(result, of: bundle.reference, from: row, to: services)
        return try answer(result, index, nil, bundle, wishes, named, context)
    }

    private func register(
        _ wanted: ApplicationRegistration, _ index: Int, _ bundle: ProviderBundle, _ app: AppIdentity,
        _ surface: Surface, _ context: RequestContext
    ) async throws(ProtocolError) -> AuthorizeApplication.Result {
        let user = if let name = wanted.userName { name } else { try await name(for: wanted, app, surface) }
        notes.remark(context) {
            $0.event = .registration
            ($0.provider, $0.account, $0.kind) = (bundle.reference, user, .passkey)
        }
        let (asked, data) = try registration(wanted, of: user)
        let service = ServiceIdentifier(wanted.relyingParty, kind: .domain)
        let (result, _) = try await put(
            .registration(asked, isConditional: false), to: bundle, nil, service, surface, context)
        guard case .passkeyRegistration(let credential) = result else {
            throw ProtocolError(.internalError, "The answer isn't a passkey.")
        }
        return AuthorizeApplication.Result(
            request: index, credential: .registration(credential, clientData: Data(data.json)),
            userName: wanted.userName == nil ? user : nil)
    }

    /// How the person wants the new account called.
    private func name(
        for wanted: ApplicationRegistration, _ app: AppIdentity, _ surface: Surface
    ) async throws(ProtocolError) -> String {
        let question = AskPerson.NewAccount(program: app.name, service: wanted.relyingParty)
        guard case .named(let text) = try await surface.presenter.ask(.newAccount(question)) else {
            throw ProtocolError(.cancelled, "You didn't enter an account name.")
        }
        let name = DisplayText.line(String(text.prefix(256)))[...].trimmed
        guard !name.isEmpty else { throw ProtocolError(.cancelled, "You didn't enter an account name.") }
        return name
    }

    /// Asks a provider where the person is.
    private func put(
        _ request: ProviderRequest, to bundle: ProviderBundle, _ identity: CredentialIdentity?,
        _ service: ServiceIdentifier?, _ surface: Surface, _ context: RequestContext
    ) async throws(ProtocolError) -> (PerformRequest.Result, InterfaceList.Row?) {
        let (there, asked) = (surface.questions.place, surface.context)
        return try await there.presenting(surface.presents, bundle, service, asked) { relay throws(ProtocolError) in
            let verification = try there.verification(
                surface.presents, bundle, service, account: request.account, asked)
            notes.remark(context) { $0.method = { verification.method } }
            let question = ProviderRequests.Question(
                bundle: bundle, request: request, caller: try there.caller(asked), relay: relay,
                command: WaitingApplications.command, verification: verification)
            guard let identity else { return (try await desk.ask(question), relay?.chosenRow) }
            return (try await desk.askPromised(identity, question, notify: { _ in }), nil)
        }
    }

    // MARK: - What is signed, and what comes back

    private func assertion(
        _ wanted: ApplicationAssertion
    ) throws(ProtocolError) -> (PasskeyAssertion, ClientData) {
        let data = ClientData(
            .get, at: try RequestBounds.check(wanted.relyingParty, suffixes), over: wanted.challenge)
        let asked = PasskeyAssertion(
            clientDataHash: Data(Digest.sha256(data.json)), userVerification: wanted.userVerification,
            allowedCredentials: wanted.allowedCredentials, extensions: wanted.extensions)
        try RequestBounds.check(asked)
        return (asked, data)
    }

    /// The passkey that is wanted, as a provider is asked for it: ES256, which every server takes.
    func registration(
        _ wanted: ApplicationRegistration, of user: String
    ) throws(ProtocolError) -> (PasskeyRegistration, ClientData) {
        let data = ClientData(
            .create, at: try RequestBounds.check(wanted.relyingParty, suffixes), over: wanted.challenge)
        let asked = PasskeyRegistration(
            relyingParty: wanted.relyingParty, userName: user, userHandle: wanted.userHandle,
            clientDataHash: Data(Digest.sha256(data.json)), userVerification: wanted.userVerification, algorithms: [-7],
            excludedCredentials: wanted.excludedCredentials, extensions: wanted.extensions)
        try RequestBounds.check(asked)
        return (asked, data)
    }

    private func answer(
        _ result: PerformRequest.Result, _ index: Int, _ data: ClientData?, _ bundle: ProviderBundle,
        _ wishes: AppWishes, _ named: Set<String>, _ context: RequestContext
    ) throws(ProtocolError) -> AuthorizeApplication.Result {
        switch (result, data) {
        case (.password(let user, let password), _):
            notes.remark(context) { ($0.kind, $0.account) = (.password, user) }
            notePassword(user, password, of: bundle, services(wishes, named), context)
            return AuthorizeApplication.Result(request: index, credential: .password(user: user, password: password))
        case (.passkeyAssertion(let credential), let data?):
            notes.remark(context) { $0.kind = .passkey }
            return AuthorizeApplication.Result(
                request: index, credential: .assertion(credential, clientData: Data(data.json)))
        default: throw ProtocolError(.internalError, "The answer isn't a credential.")
        }
    }
}
