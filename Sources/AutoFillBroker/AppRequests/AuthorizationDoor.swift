import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import ProviderHosting
import ServiceMatching

/// What an app may have done: for the sites that name it, and for others where the person says so each time.
final class AuthorizationDoor: Sendable {
    let admission: ClientAdmission
    let notes: RequestNotes
    let place: ClientPlace
    let questions: ClientQuestions
    let upgrading: UpgradeDoor
    let directory: ProviderDirectory
    let desk: ProviderRequests
    let stores: IdentityStores
    let suggester: Suggester
    let clock: any TimeSource
    let person: PersonMethods
    let hasTerminal: @Sendable (TerminalSession) -> Bool
    let appSites: AppSites
    let answers: WaitingApplications
    let notices: NoticeBoard
    let suffixes: PublicSuffixes

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, questions: ClientQuestions,
        upgrading: UpgradeDoor, directory: ProviderDirectory, desk: ProviderRequests, stores: IdentityStores,
        suggester: Suggester, clock: any TimeSource, person: PersonMethods,
        hasTerminal: @escaping @Sendable (TerminalSession) -> Bool, appSites: AppSites, answers: WaitingApplications,
        notices: NoticeBoard, suffixes: PublicSuffixes
    ) {
        self.admission = admission
        self.notes = notes
        self.place = place
        self.questions = questions
        self.upgrading = upgrading
        self.directory = directory
        self.desk = desk
        self.stores = stores
        self.suggester = suggester
        self.clock = clock
        self.person = person
        self.hasTerminal = hasTerminal
        self.appSites = appSites
        self.answers = answers
        self.notices = notices
        self.suffixes = suffixes
    }

    /// Where the person sees a request of an app: in a window, or in the terminal in which they answer it.
    struct Surface: Sendable {
        let questions: ClientQuestions
        let context: RequestContext
        /// Whether interfaces are drawn by the terminal.
        let presents: Bool
        /// Called when the request has ended.
        var finish: @Sendable (Bool) -> Void = { _ in }

        /// Where the system's own questions are put.
        var presenter: any PersonPresenter { questions.place.presenter(presents, context) }
    }

    /// Answers apps, and the terminals in which the person answers them.
    func add(to table: inout MethodTable) {
        table.on(AuthorizeApplication.self) { parameters, context in
            try await self.authorize(parameters, context)
        }
        table.on(AnswerApplication.self) { parameters, context in try await self.answer(parameters, context) }
    }

    // MARK: - Who asks

    /// The app at the other end.
    ///
    /// - Throws: ``ProtocolError``: `notApproved` for a program that the system does not name, `notAllowed` for a process
    ///   of a provider, which signs in nowhere.
    func app(_ context: RequestContext) throws(ProtocolError) -> AppIdentity {
        guard let process = context.connection.client, !process.isOfOurChild else {
            throw ProtocolError(.notAllowed, "A process of a provider can't ask for accounts.")
        }
        guard let program = try admission.client(context).program else {
            throw ProtocolError(.notApproved, "Keyway can't find out which program asks.")
        }
        return appSites.app(process, program)
    }

    /// Which of `domains` name the app.
    func naming(_ app: AppIdentity, _ domains: [String]) async -> Set<String> {
        let sites = appSites
        return await withTaskGroup(of: String?.self) { group in
            for domain in domains {
                group.addTask { await sites.name(app, at: domain) ? domain : nil }
            }
            var named: Set<String> = []
            for await domain in group { if let domain { named.insert(domain) } }
            return named
        }
    }

    // MARK: - Where, and whether at all

    /// Where the person is asked: in a window, else in the terminal in which they type what the app is told.
    ///
    /// - Parameter site: for which site the app asks; nil for one that wants to give its accounts away.
    /// - Throws: ``ProtocolError``: `interactionRequired` when nobody came in time, `busy`, `cancelled`.
    func surface(
        for app: AppIdentity, _ site: String?, _ context: RequestContext
    ) async throws(ProtocolError) -> Surface {
        let window = Surface(questions: questions, context: context, presents: false)
        if await window.presenter.canAsk() { return window }
        let subject = WaitingApplications.Subject(program: app.name, path: DisplayText.line(app.path), service: site)
        let terminal: WaitingApplications.Terminal?
        do throws(ProtocolError) {
            terminal = try await Deadline.run(ProviderRequest.personLimit, clock, "") {
                try await self.answers.wait(for: subject) {
                    if let request = context.requestID {
                        context.connection.notify(
                            AuthorizationWaiting.self, .init(request: request, command: WaitingApplications.command))
                    }
                    self.notices.post(
                        nil,
                        "\(subject.program) (\(subject.path)) \(subject.wish). To answer: "
                            + WaitingApplications.command)
                }
            }
        } catch {
            guard error.code == .timedOut else { throw error }
            throw ProtocolError(
                .interactionRequired,
                "There is no display, and you didn't answer in a terminal. Run: \(WaitingApplications.command)")
        }
        guard let terminal else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        return Surface(
            questions: terminal.questions, context: terminal.context, presents: true, finish: terminal.finish)
    }

    /// Runs `body` where the person is asked.
    func showing<Result>(
        _ app: AppIdentity, _ site: String, _ context: RequestContext,
        _ body: (Surface) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        let surface = try await surface(for: app, site, context)
        do throws(ProtocolError) {
            let result = try await body(surface)
            surface.finish(true)
            return result
        } catch {
            surface.finish(false)
            throw error
        }
    }

    /// Asks the person about an app that the site does not name: at each request, with program and site named.
    ///
    /// In a terminal a program may type; so it also takes what only the person knows, where there is such a thing.
    ///
    /// - Throws: ``ProtocolError``: `cancelled` when they do not want it, `notVerified`, `interactionRequired`.
    func permit(
        _ app: AppIdentity, _ purpose: AskPerson.ApplicationPurpose, _ site: String, on surface: Surface,
        _ context: RequestContext
    ) async throws(ProtocolError) {
        let path = DisplayText.line(app.path)
        let question = AskPerson.UnnamedApplication(program: app.name, path: path, purpose: purpose, service: site)
        guard case .allowed = try await surface.presenter.ask(.application(question)) else {
            notes.remark(context) {
                $0.refusal = "You didn't allow it to ask for \(site), which doesn't list it as its own."
            }
            throw ProtocolError(.cancelled, "You didn't allow \(app.name) to ask for \(site).")
        }
        guard surface.context.role == .terminal, await person.verifier.methods().contains(where: \.isAvailable)
        else {
            return
        }
        let subject = VerificationSubject(
            service: site, reason: "Let \(app.name) (\(path)), which the site doesn't list as its own, ask for \(site)")
        _ = try await person.verifier.verify(subject, through: surface.presenter)
    }

    // MARK: - In a terminal

    private func answer(
        _ parameters: AnswerApplication.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> AnswerApplication.Result {
        guard parameters.presents, case .terminal(let session) = try place.caller(context), hasTerminal(session)
        else { throw ProtocolError(.interactionRequired, "You can answer an app only in a terminal.") }
        let (endings, sink) = AsyncStream.makeStream(of: Bool.self)
        let terminal = WaitingApplications.Terminal(questions: questions, context: context) { isGiven in
            sink.yield(isGiven)
            sink.finish()
        }
        guard let subject = answers.take(terminal) else {
            throw ProtocolError(.notFound, "No app is waiting for an answer.")
        }
        for await isGiven in endings {
            return AnswerApplication.Result(
                program: subject.program, path: subject.path, service: subject.service, isGiven: isGiven)
        }
        throw ProtocolError(.cancelled, "The request was cancelled.")
    }

    // MARK: - What apps tell

    /// Lets a report of an app pass, or a password that it wants kept, for a site that names it or where the person says
    /// so; `body` is run where the person is asked.
    func passing<Result>(
        _ domain: String, _ purpose: AskPerson.ApplicationPurpose, _ context: RequestContext,
        _ body: (Surface?) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        let app = try app(context)
        try admission.count([ServiceIdentifier(domain, kind: .domain)], context)
        let isNamed = await naming(app, [domain]).contains(domain)
        if isNamed, purpose == .report { return try await body(nil) }
        return try await showing(app, domain, context) { surface throws(ProtocolError) in
            if !isNamed { try await permit(app, purpose, domain, on: surface, context) }
            return try await body(surface)
        }
    }

    /// Has a provider keep the password of an app's account.
    func saveForApp(
        _ parameters: SavePassword.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> SavePassword.Result {
        guard let address = ServiceAddress(parameters.password.service, suffixes: suffixes) else {
            throw ProtocolError(.invalidParameters, "The request names no site for the password.")
        }
        let able = try await directory.enabled().filter { Capability.saving.isDeclared($0.capabilities) }
        guard let bundle = able.first else { throw ProviderDirectory.noneEnabled(.saving) }
        return try await passing(address.host.text, .save, context) { surface throws(ProtocolError) in
            guard let surface else {
                throw ProtocolError(.internalError, "There is no display or terminal to ask you on.")
            }
            notes.remark(context) { $0.provider = bundle.reference }
            _ = try await surface.questions.ask(
                bundle, .saving(parameters.password), for: parameters.password.service, presents: surface.presents,
                surface.context)
            return SavePassword.Result(provider: bundle.reference)
        }
    }

    /// Lets a report of an app pass.
    func passReport(_ report: CredentialReport, _ context: RequestContext) async throws(ProtocolError) {
        let site: String
        switch report {
        case .passkeyUpdated(let party, _, _), .passkeyUnknown(let party, _), .passkeysAccepted(let party, _, _):
            site = party
        case .passwordUnused(let domain, _):
            let service = ServiceIdentifier(domain, kind: .domain)
            site = ServiceAddress(service, suffixes: suffixes)?.host.text ?? domain
        }
        try await passing(site, .report, context) { (_) throws(ProtocolError) in }
    }
}
