import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ProviderHosting
import Synchronization

/// What the services of providers hand out to programs in terminals: the same verification, limits and history as for a
/// fill, which goes through the broker itself (decision 24).
final class ServiceDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let place: ClientPlace
    private let directory: ProviderDirectory
    private let processes: BundleProcesses
    private let conversations: ServiceConversations
    private let history: History
    private let person: PersonMethods
    private let clock: any TimeSource
    private let unseen = Atomic(0)

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, directory: ProviderDirectory,
        processes: BundleProcesses, conversations: ServiceConversations, history: History,
        person: PersonMethods, clock: any TimeSource
    ) {
        self.person = person
        self.admission = admission
        self.notes = notes
        self.place = place
        self.directory = directory
        self.processes = processes
        self.conversations = conversations
        self.history = history
        self.clock = clock
    }

    /// Answers who wants a service.
    func add(to table: inout MethodTable) {
        table.on(ConnectService.self) { parameters, context in
            try await self.connectService(parameters.provider, context)
        }
    }

    /// Connects a program in a terminal to a provider's service.
    ///
    /// A service that asks before it hands something out judges nothing then; of another one, whoever is connected may
    /// get secrets that nobody else sees, so the program is judged for those now.
    private func connectService(_ provider: String?, _ context: RequestContext) async throws -> ConnectService.Result {
        let bundle = try await directory.provider(provider)
        guard context.role == .terminal else {
            throw ProtocolError(.notAllowed, "A \(context.role.rawValue) reaches no service.")
        }
        if !bundle.asksPermission {
            let verification = try place.verification(true, bundle, nil, account: nil, context)
            notes.remark(context) { $0.tellUnseen(of: bundle.reference) }
            try await pass(.account(unseenAccount), of: bundle, context, verification, nil)
        }
        guard case .terminal(let session) = try place.caller(context) else {
            throw ProtocolError(.notAllowed, "A \(context.role.rawValue) reaches no service.")
        }
        let number =
            bundle.asksPermission
            ? conversations.add(
                .init(connection: context.connection, provider: bundle.reference.identifier) {
                    (purpose, bundle, conversation) async throws(ProtocolError) in
                    try await self.permit(purpose, of: bundle, in: conversation)
                }) : nil
        let end = try await processes.connectService(of: bundle, for: .terminal(session), number: number)
        return ConnectService.Result(connection: end)
    }

    /// Stands for what a service hands out unasked. It is another one each time: a repetition may be for the next account.
    private var unseenAccount: PermitService.Account {
        let number = unseen.add(1, ordering: .relaxed).newValue
        return .init(record: "\nunseen \(number)", user: "", service: "", kind: nil)
    }

    /// Lets a service hand something out in a conversation of this client.
    ///
    /// - Throws: ``ProtocolError``: `notApproved`, `interactionRequired` for a program in the background, `rateLimited`,
    ///   `notVerified`, `cancelled`, `locked`.
    private func permit(
        _ purpose: PermitService.Purpose, of bundle: ProviderBundle, in conversation: ServiceConversations.Conversation
    ) async throws(ProtocolError) {
        // The request that opened the conversation was answered long ago: this one belongs to none of the client's.
        let context = RequestContext(connection: conversation.connection, requestID: nil, role: .terminal)
        let account = purpose.account
        let verification = try place.verification(
            true, bundle, account.map { ServiceIdentifier($0.service, kind: .app) }, account: account?.user, context)
        var subject = HistorySubject()
        subject.tell(purpose, of: bundle.reference)
        subject.method = { verification.method }
        let isNew: Bool
        do throws(ProtocolError) {
            try await admission.admit(context)
            if purpose == .replacement {
                let method = try await verifyForReplacement(of: bundle, context)
                subject.method = { method }
                isNew = true
            } else {
                isNew = try await pass(purpose, of: bundle, context, verification, conversation)
            }
        } catch {
            note(subject, context, error)
            throw error
        }
        if isNew { note(subject, context, nil) }
    }

    /// Verifies the person before everything is replaced that a provider keeps.
    ///
    /// Where nothing can verify them but the master password of what is to be replaced, and that is damaged, the master
    /// password of the backup must do, which its service has seen: else nobody could restore what they have lost.
    private func verifyForReplacement(
        of bundle: ProviderBundle, _ context: RequestContext
    ) async throws(ProtocolError) -> VerificationMethod? {
        if let absence = place.absence(context) { throw absence }
        if await person.verifier.isAll(by: bundle),
            await !person.verifier.methods(.masterPassword).contains(where: \.isAvailable)
        {
            return nil
        }
        return try await person.verifyPerson(
            "to replace what \(DisplayText.line(bundle.reference.name)) keeps with a backup",
            through: place.presenter(true, context))
    }

    /// Judges what would be handed out.
    ///
    /// - Returns: whether it is one more; false for a look that goes on.
    @discardableResult
    private func pass(
        _ purpose: PermitService.Purpose, of bundle: ProviderBundle, _ context: RequestContext,
        _ verification: RequestVerification, _ conversation: ServiceConversations.Conversation?
    ) async throws(ProtocolError) -> Bool {
        if let absence = place.absence(context) { throw absence }
        switch purpose {
        case .use, .replacement: return false
        case .export: return true
        case .names:
            if conversation?.isLooking(at: clock.now) == true { return false }
            try admission.count(namesOf: bundle.reference, context)
            try await verification.guardCredential()
            conversation?.look(since: clock.now)
        case .account(let account):
            try admission.count(accounts: [account.counted(of: bundle.reference)], context)
            try await verification.guardCredential()
        case .comparison(let accounts):
            // Each of them counts as one that is given: a right guess is as good.
            try admission.count(
                accounts: accounts.records.map { PermitService.Account.counted($0, of: bundle.reference) }, context)
            try await verification.guardCredential()
        }
        return true
    }

    private func note(_ subject: HistorySubject, _ context: RequestContext, _ error: ProtocolError?) {
        let entry = subject.entry(client: admission.clientName(context), time: clock.milliseconds, error: error)
        if let entry { history.note(entry) }
    }
}

extension PermitService.Purpose {
    fileprivate var account: PermitService.Account? { if case .account(let account) = self { account } else { nil } }
}

extension PermitService.Account {
    /// What is the same account for whoever counts.
    fileprivate func counted(of provider: ProviderReference) -> String { Self.counted(record, of: provider) }

    /// The same by what its provider calls it.
    fileprivate static func counted(_ record: String, of provider: ProviderReference) -> String {
        [provider.identifier, record].joined(separator: "\n")
    }
}

extension HistorySubject {
    /// It is about whatever a service hands out that does not ask.
    fileprivate mutating func tellUnseen(of provider: ProviderReference) {
        self.provider = provider
        event = .show
        detail = "whatever its service gives to programs: the service doesn't ask first"
    }

    /// It is about what a service hands out.
    fileprivate mutating func tell(_ purpose: PermitService.Purpose, of provider: ProviderReference) {
        self.provider = provider
        switch purpose {
        case .use: break
        case .replacement:
            event = .change
            detail = "replaced by a backup"
        case .export:
            event = .show
            detail = "everything, as an export"
        case .names: event = .list
        case .comparison(let accounts):
            event = .show
            detail = "compared with a document, secrets of accounts: \(accounts.count)"
        case .account(let account):
            event = .show
            (service, self.account, kind) = (account.service, account.user, account.kind)
        }
    }
}
