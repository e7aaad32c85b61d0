import AutoFillWire
import AutoFillProtocol

/// What the history learns of a client's requests.
extension ClientDoor {
    /// Adds to what a request is about.
    func remark(_ context: RequestContext, _ change: (inout HistorySubject) -> Void) {
        guard let request = context.requestID else { return }
        subjects.withLock { change(&$0[request, default: HistorySubject()]) }
    }

    /// Notes how each request ended, before it is answered.
    func noteAll(in table: inout MethodTable) {
        table.watchAll { [self] _, context, error in
            let subject = context.requestID.flatMap { request in
                subjects.withLock { $0.removeValue(forKey: request) }
            }
            let entry = (subject ?? HistorySubject()).entry(
                client: clientName(context), time: broker.clock.milliseconds, error: error)
            if let entry { broker.history.note(entry) }
        }
    }

    /// What the person knows the client by: what they called the program, or its file, and never what it says of itself.
    func clientName(_ context: RequestContext) -> String {
        if let grant = admitted.withLock({ $0 }) { return grant.historyName }
        if let client = try? client(context) { return client.historyName }
        return arrival.withLock { $0?.name } ?? context.role.rawValue
    }

    /// Answers questions about the history.
    func addHistory(to table: inout MethodTable) {
        table.on(ListHistory.self) { parameters, _ in try await self.broker.history.list(parameters) }
        table.on(ClearHistory.self) { _, context in
            let method = try await self.broker.person.verifyPerson(
                "to forget the history", through: self.presenter(true, context))
            try self.broker.sites.forgetAll()
            try await self.broker.history.clear(for: self.clientName(context), by: method)
            return Nothing()
        }
    }

    // MARK: - What each request is about

    func remark(_ parameters: Fill.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .fill
            subject.isPrivate = parameters.isPrivate == true
            subject.service = parameters.services.first.map(name)
        }
    }

    func remark(_ parameters: Suggest.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.isPrivate = parameters.isPrivate == true
            subject.service = parameters.services.first.map(name)
        }
    }

    func remark(_ parameters: RegisterPasskey.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .registration
            subject.isPrivate = parameters.isPrivate == true
            subject.service = parameters.registration.relyingParty
            subject.account = parameters.registration.userName
            subject.kind = .passkey
        }
    }

    func remark(_ parameters: ReportCredential.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.isPrivate = parameters.isPrivate == true
            subject.service = parameters.services?.first.map(name)
        }
    }

    func remark(_ parameters: SavePassword.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .save
            subject.isPrivate = parameters.isPrivate == true
            subject.service = name(parameters.password.service)
            subject.account = parameters.password.user
            subject.kind = .password
        }
    }

    /// A decision of the person's about a provider.
    func remark(approval provider: ProviderReference, _ detail: String, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .approval
            subject.provider = provider
            subject.detail = detail
        }
    }

    /// A change of a setting; `method` is how the person was verified for it.
    func remark(change detail: String, by method: VerificationMethod? = nil, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .change
            subject.detail = detail
            subject.method = { method }
        }
    }
}
