import KeywaySystem
import AutoFillWire
import AutoFillProtocol
import IdentityIndex
import ProviderHosting
import ServiceMatching

/// What a client may have done with passkeys, and for which pages.
extension ClientDoor {
    func addPasskeys(to table: inout MethodTable) {
        table.on(PasskeySupport.self) { _, context in try await self.support(context) }
        table.on(RegisterPasskey.self) { parameters, context in
            self.remark(parameters, context)
            try self.count(parameters.services ?? [], context)
            return try await self.register(parameters, context)
        }
        table.on(ReportCredential.self) { parameters, context in
            self.remark(parameters, context)
            try self.count(parameters.services ?? [], context)
            try await self.check(parameters, context)
            if context.role == .application { try await self.passReport(parameters.report, context) }
            try await self.broker.desk.tell(parameters.report, caller: try self.caller(context))
            return Nothing()
        }
    }

    // MARK: - Which relying party a page may use

    /// What a page is after.
    enum PasskeyPurpose: Sendable {
        /// A passkey that is there already.
        case stored
        /// A new one.
        case new
    }

    /// Lets pages pass that may use the passkeys of `party`: those on its host or under it, and those that it names
    /// itself. A page that others can read along with uses none.
    ///
    /// What `party` names is fetched from there, past whatever the browser has for its own connections, so that `party`
    /// sees this machine: never for a private window, and not for a passkey that nobody has.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused`.
    func check(
        _ party: RelyingParty, for services: [ServiceIdentifier], _ purpose: PasskeyPurpose = .stored, isPrivate: Bool,
        _ context: RequestContext
    ) async throws(ProtocolError) {
        let refusal = ProtocolError(.refused, "Passkeys of `\(party.identifier)` are not for this page.")
        var others: [ServiceAddress] = []
        for service in services {
            guard let page = ServiceAddress(service, suffixes: suffixes) else { throw refusal }
            if !party.covers(page) { others.append(page) }
        }
        if services.isEmpty || !others.isEmpty { remark(context) { $0.isNotItsOwn = true } }
        guard !services.isEmpty else { throw refusal }
        guard !others.isEmpty else { return }
        guard !isPrivate else { throw refusal }
        if purpose == .stored { guard try await hasPasskey(of: party) else { throw refusal } }
        for page in others { guard await broker.relatedOrigins.cover(page, party) else { throw refusal } }
        remark(context) { $0.isNotItsOwn = false }
    }

    /// Whether a provider that is turned on has named a passkey of `party`.
    private func hasPasskey(of party: RelyingParty) async throws(ProtocolError) -> Bool {
        let service = ServiceIdentifier(party.identifier, kind: .domain)
        return try await !broker.suggester.offers(
            PasskeyFilter(relyingParty: party.identifier), for: [service], from: broker.directory.enabled()
        ).isEmpty
    }

    /// The page of a browser that asks for something of `identifier`'s.
    private func check(
        page services: [ServiceIdentifier]?, _ identifier: String, _ purpose: PasskeyPurpose, isPrivate: Bool?,
        _ context: RequestContext
    ) async throws(ProtocolError) -> RelyingParty {
        let role = context.role
        let party = try RequestBounds.check(identifier, suffixes)
        guard role == .browser || services != nil else { return party }
        guard let services else { throw ProtocolError(.invalidParameters, "A browser says which page asks.") }
        try Suggester.checkBounds(services)
        if role == .browser { try checkPages(services) }
        try await check(party, for: services, purpose, isPrivate: isPrivate == true, context)
        return party
    }

    // MARK: - Choosing

    /// The passkey that the person chooses, for a page that offers no menu.
    ///
    /// - Throws: ``ProtocolError``: `elsewhere` where none fits, where nobody could be asked, and where the person wants
    ///   another device; `cancelled`.
    func choosePasskey(
        _ parameters: Fill.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> SuggestionHandles.Offer {
        guard let asked = parameters.passkey else {
            throw ProtocolError(.invalidParameters, "A passkey needs something to sign.")
        }
        let filter = PasskeyFilter(
            relyingParty: asked.relyingParty, allowedCredentials: asked.assertion.allowedCredentials)
        let providers = try await broker.directory.enabled()
        let found = try await broker.suggester.offers(filter, for: parameters.services, from: providers)
        guard !found.isEmpty else {
            throw ProtocolError(.elsewhere, "Nobody has such a passkey of `\(asked.relyingParty)`.")
        }
        let choices = found.map {
            AskPerson.PasskeyChoice.Choice(provider: $0.provider, account: $0.offer.identity.user)
        }
        let choice = try await ask(
            .signIn, asked.relyingParty, choices, parameters.services, parameters.presents, context)
        return found[choice].offer
    }

    /// The provider that is to keep a new passkey: the one that is named, or the one that the person chooses.
    private func keeper(
        _ parameters: RegisterPasskey.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> ProviderBundle {
        guard context.role == .browser, parameters.provider == nil else {
            return try await broker.directory.first(parameters.provider, .registering)
        }
        let able = try await broker.directory.enabled().filter { Capability.registering.isDeclared($0.capabilities) }
        guard !able.isEmpty else { throw ProtocolError(.elsewhere, "No provider that is turned on keeps passkeys.") }
        let account = parameters.registration.userName
        let choices = able.map { AskPerson.PasskeyChoice.Choice(provider: $0.reference, account: account) }
        let choice = try await ask(
            .creation, parameters.registration.relyingParty, choices, parameters.services ?? [], parameters.presents,
            context)
        return able[choice]
    }

    /// What the person chooses, by its number.
    private func ask(
        _ purpose: AskPerson.PasskeyChoice.Purpose, _ party: String, _ choices: [AskPerson.PasskeyChoice.Choice],
        _ services: [ServiceIdentifier], _ presents: Bool, _ context: RequestContext
    ) async throws(ProtocolError) -> Int {
        let presenter = presenter(presents, context)
        guard await presenter.canAsk() else {
            throw ProtocolError(.elsewhere, "There is no desktop session on which the person could choose.")
        }
        let shown = Array(choices.prefix(Self.mostChoices))
        let site = services.first.map(name) ?? party
        let isOther = site != party && !site.hasSuffix("." + party)
        let question = AskPerson.PasskeyChoice(
            purpose: purpose, service: site, relyingParty: isOther ? party : nil, choices: shown)
        switch try await presenter.ask(.passkey(question)) {
        case .chosen(let choice) where shown.indices.contains(choice): return choice
        case .elsewhere: throw ProtocolError(.elsewhere, "You wanted another device.")
        default: throw ProtocolError(.cancelled, "You chose no passkey.")
        }
    }

    private static let mostChoices = 50

    // MARK: - What is asked

    private func support(_ context: RequestContext) async throws -> PasskeySupport.Result {
        let providers = try await broker.directory.enabled()
        let keepers = providers.filter { Capability.registering.isDeclared($0.capabilities) }
        return PasskeySupport.Result(
            isAvailable: !keepers.isEmpty,
            canVerify: await broker.person.prospect.isGood(),
            makesInBackground: keepers.contains { Capability.registeringInBackground.isDeclared($0.capabilities) })
    }

    private func register(
        _ parameters: RegisterPasskey.Parameters, _ context: RequestContext
    ) async throws -> RegisterPasskey.Result {
        let asked = parameters.registration
        try RequestBounds.check(asked)
        let party = try await check(
            page: parameters.services, asked.relyingParty, .new, isPrivate: parameters.isPrivate, context)
        if parameters.isConditional { return try await upgrade(parameters, at: party, context) }
        let bundle = try await keeper(parameters, context)
        let result = try await ask(
            bundle, .registration(asked, isConditional: false),
            for: ServiceIdentifier(party.identifier, kind: .domain), presents: parameters.presents, context)
        guard case .passkeyRegistration(let credential) = result else {
            throw ProtocolError(.internalError, "The answer is no passkey.")
        }
        return RegisterPasskey.Result(credential: credential, provider: bundle.reference)
    }

    private func check(
        _ parameters: ReportCredential.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) {
        try RequestBounds.check(parameters.report, suffixes: suffixes)
        switch parameters.report {
        case .passkeyUpdated(let party, _, _), .passkeyUnknown(let party, _), .passkeysAccepted(let party, _, _):
            _ = try await check(page: parameters.services, party, .stored, isPrivate: parameters.isPrivate, context)
        case .passwordUnused:
            guard context.role != .browser else {
                throw ProtocolError(.notAllowed, "A page reports what became of passkeys, and of nothing else.")
            }
        }
    }
}
