import AutoFillProtocol
import AutoFillWire
import IdentityIndex
import KeywaySystem
import ProviderHosting
import ServiceMatching

/// What a client may have done with passkeys, and for which pages.
final class PasskeyDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let place: ClientPlace
    private let questions: ClientQuestions
    private let pages: PasskeyPages
    private let upgrading: UpgradeDoor
    private let authorization: AuthorizationDoor
    private let directory: ProviderDirectory
    private let desk: ProviderRequests
    private let suggester: Suggester
    private let person: PersonMethods
    private let suffixes: PublicSuffixes

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, questions: ClientQuestions,
        pages: PasskeyPages, upgrading: UpgradeDoor, authorization: AuthorizationDoor, directory: ProviderDirectory,
        desk: ProviderRequests, suggester: Suggester, person: PersonMethods, suffixes: PublicSuffixes
    ) {
        self.admission = admission
        self.notes = notes
        self.place = place
        self.questions = questions
        self.pages = pages
        self.upgrading = upgrading
        self.authorization = authorization
        self.directory = directory
        self.desk = desk
        self.suggester = suggester
        self.person = person
        self.suffixes = suffixes
    }

    /// Answers who wants something of passkeys.
    func add(to table: inout MethodTable) {
        table.on(PasskeySupport.self) { _, context in try await self.support(context) }
        table.on(RegisterPasskey.self) { parameters, context in
            self.notes.remark(parameters, context)
            try self.admission.count(parameters.services ?? [], context)
            return try await self.register(parameters, context)
        }
        table.on(ReportCredential.self) { parameters, context in
            self.notes.remark(parameters, context)
            try self.admission.count(parameters.services ?? [], context)
            try await self.check(parameters, context)
            if context.role == .application { try await self.authorization.passReport(parameters.report, context) }
            try await self.desk.tell(parameters.report, caller: try self.place.caller(context))
            return Nothing()
        }
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
        let providers = try await directory.enabled()
        let found = try await suggester.offers(filter, for: parameters.services, from: providers)
        guard !found.isEmpty else {
            throw ProtocolError(.elsewhere, "No provider has a matching passkey for `\(asked.relyingParty)`.")
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
            return try await directory.first(parameters.provider, .registering)
        }
        let able = try await directory.enabled().filter { Capability.registering.isDeclared($0.capabilities) }
        guard !able.isEmpty else { throw ProtocolError(.elsewhere, "No provider is turned on that can save passkeys.") }
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
        let presenter = place.presenter(presents, context)
        guard await presenter.canAsk() else {
            throw ProtocolError(.elsewhere, "There is no desktop session to ask you in.")
        }
        let shown = Array(choices.prefix(Self.mostChoices))
        let site = services.first.map(place.name) ?? party
        let isOther = site != party && !site.hasSuffix("." + party)
        let question = AskPerson.PasskeyChoice(
            purpose: purpose, service: site, relyingParty: isOther ? party : nil, choices: shown)
        switch try await presenter.ask(.passkey(question)) {
        case .chosen(let choice) where shown.indices.contains(choice): return choice
        case .elsewhere: throw ProtocolError(.elsewhere, "You chose another device.")
        default: throw ProtocolError(.cancelled, "You didn't choose a passkey.")
        }
    }

    private static let mostChoices = 50

    // MARK: - What is asked

    private func support(_ context: RequestContext) async throws -> PasskeySupport.Result {
        let providers = try await directory.enabled()
        let keepers = providers.filter { Capability.registering.isDeclared($0.capabilities) }
        return PasskeySupport.Result(
            isAvailable: !keepers.isEmpty,
            canVerify: await person.prospect.isGood(),
            makesInBackground: keepers.contains { Capability.registeringInBackground.isDeclared($0.capabilities) })
    }

    private func register(
        _ parameters: RegisterPasskey.Parameters, _ context: RequestContext
    ) async throws -> RegisterPasskey.Result {
        let asked = parameters.registration
        try RequestBounds.check(asked)
        let party = try await pages.check(
            page: parameters.services, asked.relyingParty, .new, isPrivate: parameters.isPrivate, context)
        if parameters.isConditional { return try await upgrading.upgrade(parameters, at: party, context) }
        let bundle = try await keeper(parameters, context)
        let result = try await questions.ask(
            bundle, .registration(asked, isConditional: false),
            for: ServiceIdentifier(party.identifier, kind: .domain), presents: parameters.presents, context)
        guard case .passkeyRegistration(let credential) = result else {
            throw ProtocolError(.internalError, "The answer isn't a passkey.")
        }
        return RegisterPasskey.Result(credential: credential, provider: bundle.reference)
    }

    private func check(
        _ parameters: ReportCredential.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) {
        try RequestBounds.check(parameters.report, suffixes: suffixes)
        switch parameters.report {
        case .passkeyUpdated(let party, _, _), .passkeyUnknown(let party, _), .passkeysAccepted(let party, _, _):
            _ = try await pages.check(
                page: parameters.services, party, .stored, isPrivate: parameters.isPrivate, context)
        case .passwordUnused:
            guard context.role != .browser else {
                throw ProtocolError(.notAllowed, "A page reports what became of passkeys, and of nothing else.")
            }
        }
    }
}
