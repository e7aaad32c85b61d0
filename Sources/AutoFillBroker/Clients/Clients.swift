import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import Synchronization

/// Decides which programs may use the broker. The person decides about each one once, and the decision is stored.
actor Clients {
    /// What a decision needs of the rest of the broker.
    struct Surroundings: Sendable {
        /// Waits until settings can be read.
        let openSettings: @Sendable () async -> Void
        /// Where what a check wants is typed, for a program in a terminal.
        let terminal: @Sendable (Connection) -> any PersonPresenter
        /// Whether there is nothing yet that a program could ask for.
        let isEmpty: @Sendable () async -> Bool
        /// Tells the person.
        let tell: @Sendable (String) -> Void
        /// Remembers what was decided.
        let record: @Sendable (HistoryEntry) -> Void
        /// Forgets what was said to the program about sites.
        let forgetSites: @Sendable (ClientGrants.Grant) throws(ProtocolError) -> Void
    }

    /// One question, and how many requests wait for its answer.
    private struct Asking {
        let program: ClientIdentity
        let number: Int
        let task: Task<ClientGrants.Grant, any Error>
        var waiting: Int
    }

    /// The most programs that wait to be decided about; the oldest are forgotten first.
    private static let maximumWaiting = 64
    /// The most profiles of one program among them: made-up ones must not push out other programs.
    private static let maximumProfiles = 4

    private let file: SettingsFile<ClientGrants>
    private let desk: ConsentQuestions
    private let surroundings: Surroundings
    private let clock: any TimeSource
    private let log: EventLog
    private let digests = ProgramDigests()
    private var asking: [String: Asking] = [:]
    private var pauses = AskingPauses()
    private var nextNumber = 0
    private var waiting: [ClientGrants.Grant] = []
    /// The files of approved programs, for whoever must know at once.
    private nonisolated let approvedPaths = Mutex<Set<String>>([])
    private var lastAsked: [String: Int64] = [:]
    private var open: [String: [ObjectIdentifier: Connection]] = [:]

    /// The programs whose answers are kept in `state`.
    init(
        state: String, seal: SettingsSeal, desk: ConsentQuestions, surroundings: Surroundings, clock: any TimeSource,
        log: EventLog
    ) {
        file = ClientGrants.file(in: state, seal)
        self.desk = desk
        self.surroundings = surroundings
        self.clock = clock
        self.log = log
    }

    // MARK: - Letting in

    /// Waits until the person has let `client` ask, now or before.
    ///
    /// - Returns: the answer.
    /// - Throws: ``ProtocolError``: `notApproved` with what to do, `locked` while that cannot be known, `cancelled`.
    func admit(_ client: ConnectedClient, _ connection: Connection) async throws(ProtocolError) -> ClientGrants.Grant {
        await surroundings.openSettings()
        let digest = await digest(of: client)
        let known = try grants().grant(for: client, digest: digest)
        lastAsked[known?.identifier ?? client.identity.identifier] = clock.milliseconds
        let grant = if let known { known } else { try await ask(client, digest: digest, connection) }
        guard grant.decision == .approved else { throw refusal(grant) }
        // Under the answer that let it in: one for all profiles lets in programs of several identifiers.
        keep(connection, as: grant.identifier)
        return grant
    }

    /// Whether the person has let `client` ask; asks nobody.
    func mayAsk(_ client: ConnectedClient) async -> Bool {
        await surroundings.openSettings()
        let digest = await digest(of: client)
        return (try? grants())?.grant(for: client, digest: digest)?.decision == .approved
    }

    private func digest(of client: ConnectedClient) async -> String? {
        guard let program = client.program, !program.isSystems else { return nil }
        return await digests.digest(of: program)
    }

    /// Whether a program of that file was approved when it was looked last: for room among connections, and no authority.
    nonisolated func isKnown(_ path: String?) -> Bool {
        path.map { path in approvedPaths.withLock { $0.contains(path) } } ?? false
    }

    /// Looks who was approved, before anybody asks.
    func look() { _ = try? grants() }

    /// What was said; where the file is not believed, nothing was.
    private func grants() throws(ProtocolError) -> ClientGrants {
        do throws(ProtocolError) {
            let grants = try file.read() ?? ClientGrants()
            let paths = Set(grants.clients.lazy.filter { $0.decision == .approved }.compactMap(\.path))
            approvedPaths.withLock { $0 = paths }
            return grants
        } catch {
            guard error.code == .damaged else { throw error }
            return ClientGrants()
        }
    }

    private func refusal(_ grant: ClientGrants.Grant) -> ProtocolError {
        ProtocolError(
            .notApproved,
            "You blocked \(grant.name). To allow it, run in a terminal: "
                + "keyway clients approve \(grant.identifier.shownIdentifier)")
    }

    // MARK: - Asking the person

    /// Asks once for one program, however many of its requests wait. Nobody waits any more: the question goes away.
    private func ask(
        _ client: ConnectedClient, digest: String?, _ connection: Connection
    ) async throws(ProtocolError) -> ClientGrants.Grant {
        let identifier = client.identity.identifier
        let grant = grant(client, digest: digest, .waiting, nil)
        note(grant)
        if asking[identifier] == nil { try checkPause(client.identity) }
        var current = asking[identifier] ?? begin(grant, client, connection)
        current.waiting += 1
        asking[identifier] = current
        let result = await withTaskCancellationHandler {
            await current.task.result
        } onCancel: { [number = current.number] in
            Task { await self.giveUp(identifier, number) }
        }
        switch result {
        case .success(let answered):
            // Others may have joined who only look alike: what was said is for the program that the question showed.
            guard answered.covers(client, digest: digest) else {
                throw ProtocolError(.notApproved, "Keyway asked you about another program in the meantime. Try again.")
            }
            return answered
        case .failure(let error):
            throw error as? ProtocolError ?? ProtocolError(.cancelled, "The question was withdrawn.")
        }
    }

    private func begin(
        _ grant: ClientGrants.Grant, _ client: ConnectedClient, _ connection: Connection
    ) -> Asking {
        nextNumber += 1
        let task = Task { [self] in
            defer { asking[grant.identifier] = nil }
            return try await decide(grant, client, connection)
        }
        return Asking(program: client.identity.program, number: nextNumber, task: task, waiting: 0)
    }

    /// One profile of a program is asked about at a time, and none for a while after the person turned one away.
    private func checkPause(_ client: ClientIdentity) throws(ProtocolError) {
        let isAsked = asking.values.contains { $0.program == client.program }
        guard isAsked || pauses.holds(client, at: clock.now) else { return }
        throw ProtocolError(
            .notApproved,
            (isAsked
                ? "Keyway is asking you about another profile of this program."
                : "You blocked this program a moment ago, or closed the question.")
                + " Try again later, or run in a terminal: keyway clients approve \(client.identifier.shownIdentifier)")
    }

    private func giveUp(_ identifier: String, _ number: Int) {
        guard var current = asking[identifier], current.number == number else { return }
        current.waiting -= 1
        asking[identifier] = current
        if current.waiting <= 0 { current.task.cancel() }
    }

    private func decide(
        _ grant: ClientGrants.Grant, _ client: ConnectedClient, _ connection: Connection
    ) async throws(ProtocolError) -> ClientGrants.Grant {
        let isTerminal = client.identity.role == .terminal
        let answer: ConsentQuestions.Answer?
        do throws(ProtocolError) {
            answer = try await desk.ask(
                .consent(Self.consent(grant)), reason: Self.reason(grant),
                terminal: isTerminal ? surroundings.terminal(connection) : nil)
        } catch {
            // Taken back by who asked is not closed by the person.
            if error.code == .cancelled, !Task.isCancelled {
                pauses.turnAway(client.identity, isRefused: false, at: clock.now)
            }
            throw error
        }
        if let answer {
            if !answer.isAllowed { pauses.turnAway(client.identity, isRefused: true, at: clock.now) }
            return try settle(grant, answer)
        }
        // There is nothing yet to be asked for, and nobody can be asked: whoever begins is the person.
        if isTerminal, try isNew(), await surroundings.isEmpty() {
            surroundings.tell(
                "\(grant.name)\(grant.path.map { " (\($0))" } ?? "") is the first program to use Keyway, so Keyway allowed it. To see "
                    + "all allowed programs: keyway clients list")
            return try settle(grant, .init(isAllowed: true, method: nil))
        }
        throw ProtocolError(
            .notApproved,
            "\(grant.name) is not approved, and there is no display to ask you on. Run in a terminal whose program is "
                + "approved: keyway clients approve \(grant.identifier.shownIdentifier)" + desk.remedy())
    }

    /// Whether nobody was ever decided about.
    private func isNew() throws(ProtocolError) -> Bool {
        do throws(ProtocolError) {
            return try file.read() == nil
        } catch {
            guard error.code == .damaged else { throw error }
            return false
        }
    }

    static func consent(_ grant: ClientGrants.Grant) -> AskPerson.Consent {
        let permissions: [AskPerson.Permission] =
            grant.role == .terminal
            ? [.seeAccounts, .receiveCredentials, .changeProviders, .useService]
            : [.seeAccounts, .receiveCredentials]
        // Any file can be called as Keyway's host is and be started by a browser: it is the file that is let in. Of a
        // known program there is no other than Keyway's.
        return AskPerson.Consent(
            program: grant.name, path: (grant.isKnown ? grant.browser : grant.path) ?? "",
            browser: grant.isKnown ? nil : grant.browser, profile: grant.profile?.identifier, isKnown: grant.isKnown,
            permissions: permissions)
    }

    private static func reason(_ grant: ClientGrants.Grant) -> String {
        "let \(grant.name) use Keyway" + (grant.path.map { " (\(DisplayText.line($0)))" } ?? "")
    }

    /// Writes down what the person decided.
    @discardableResult
    private func settle(
        _ grant: ClientGrants.Grant, _ answer: ConsentQuestions.Answer
    ) throws(ProtocolError) -> ClientGrants.Grant {
        let decision: ApprovedClient.Decision = answer.isAllowed ? .approved : .refused
        let settled = grant.decided(decision, at: clock.milliseconds, by: answer.method)
        var grants = try grants()
        grants.put(settled)
        try file.write(grants)
        if answer.isAllowed { pauses.end(settled.identity) }
        waiting.removeAll { $0.identifier == settled.identifier }
        log("client \(settled.identifier) (\(settled.role.rawValue), \(settled.path ?? "known")): \(decision.rawValue)")
        surroundings.record(
            HistoryEntry(
                time: clock.milliseconds, event: .approval, client: settled.historyName, method: answer.method,
                detail: answer.isAllowed ? "Allowed." : "Blocked."))
        return settled
    }

    private func grant(
        _ client: ConnectedClient, digest: String?, _ decision: ApprovedClient.Decision, _ method: VerificationMethod?
    ) -> ClientGrants.Grant {
        ClientGrants.Grant(
            identifier: client.identity.identifier, name: client.name, role: client.identity.role,
            isKnown: client.identity.isKnown, path: client.identity.path,
            digest: digest, profile: client.profile, coversAllProfiles: nil, isUncounted: nil,
            browser: client.identity.browser, decision: decision, decidedAt: nil, method: method)
    }

    private func note(_ grant: ClientGrants.Grant) {
        waiting.removeAll { $0.identifier == grant.identifier }
        if waiting.count(where: { $0.identity.program == grant.identity.program }) >= Self.maximumProfiles,
            let oldest = waiting.firstIndex(where: { $0.identity.program == grant.identity.program })
        {
            waiting.remove(at: oldest)
        }
        waiting = waiting.suffix(Self.maximumWaiting - 1) + [grant]
    }

    // MARK: - What the person sees and changes

    /// All of them: what waits first, then by name.
    func list() async throws(ProtocolError) -> ListClients.Result {
        await surroundings.openSettings()
        let decided = try grants().clients
        let undecided = waiting.filter { one in !decided.contains { $0 == one } }
        let rest = decided.filter { one in !undecided.contains { $0.identifier == one.identifier } }
        let ordered = undecided + rest.sorted { ($0.name, $0.identifier) < ($1.name, $1.identifier) }
        return ListClients.Result(clients: ordered.map { $0.shown(lastAsked: lastAsked[$0.identifier]) })
    }

    /// Approves, refuses, renames or forgets a program.
    ///
    /// - Throws: ``ProtocolError``: `notFound`, `cancelled`, `notVerified` when the person could not be asked, `locked`.
    func change(
        _ parameters: ChangeClient.Parameters, from connection: Connection, _ context: RequestContext
    ) async throws(ProtocolError) -> ListClients.Result {
        let identifier = parameters.identifier
        var grant = try await grant(identifier)
        switch parameters.change {
        case .approve: try await approve(grant, connection)
        case .allowSite: break
        case .refuse:
            try surroundings.forgetSites(grant)
            try settle(grant, .init(isAllowed: false, method: nil))
            end(identifier, after: context)
        case .forget:
            try surroundings.forgetSites(grant)
            pauses.end(grant.identity)
            waiting.removeAll { $0.identifier == identifier }
            var grants = try grants()
            grants.clients.removeAll { $0.identifier == identifier }
            try file.write(grants)
            log("client \(identifier) forgotten")
            end(identifier, after: context)
        case .rename(let name):
            let name = DisplayText.line(name)
            guard !name.isEmpty else { throw ProtocolError(.invalidParameters, "A program needs a name.") }
            grant.name = name
            var grants = try grants()
            if waiting.contains(where: { $0.identifier == identifier }) { note(grant) } else { grants.put(grant) }
            try file.write(grants)
        }
        return try await list()
    }

    /// What was said to the program that is called `identifier`.
    ///
    /// - Throws: ``ProtocolError``: `notFound`, `locked`.
    func grant(_ identifier: String) async throws(ProtocolError) -> ClientGrants.Grant {
        await surroundings.openSettings()
        let known = waiting + (try grants().clients)
        guard let grant = known.first(where: { $0.identifier == identifier }) else {
            throw ProtocolError(
                .notFound,
                "There is no program named `\(DisplayText.line(identifier))`. To see all programs: keyway clients list"
            )
        }
        return grant
    }

    /// Asks the person: whoever types the command may be a program.
    private func approve(_ grant: ClientGrants.Grant, _ connection: Connection) async throws(ProtocolError) {
        guard grant.decision != .approved else { return }
        let answer = try await desk.ask(
            .consent(Self.consent(grant)), reason: Self.reason(grant), terminal: surroundings.terminal(connection))
        guard let answer else {
            throw ProtocolError(
                .notVerified,
                "Keyway can't ask you: there is no display and no way to verify you. To set one up: "
                    + "keyway verification" + desk.remedy())
        }
        guard answer.isAllowed else { throw ProtocolError(.cancelled, "Nothing was changed.") }
        try settle(grant, answer)
    }

    // MARK: - Open connections

    private func keep(_ connection: Connection, as identifier: String) {
        let key = ObjectIdentifier(connection)
        guard open[identifier]?[key] == nil else { return }
        open[identifier, default: [:]][key] = connection
        connection.onClose { Task { await self.drop(key, identifier) } }
    }

    private func drop(_ key: ObjectIdentifier, _ identifier: String) {
        open[identifier]?.removeValue(forKey: key)
        if open[identifier]?.isEmpty == true { open[identifier] = nil }
    }

    /// Ends what the program has open, when the answer is on its way.
    private func end(_ identifier: String, after context: RequestContext) {
        let connections = open[identifier].map { Array($0.values) } ?? []
        context.afterAnswering { for connection in connections { connection.close() } }
    }
}

extension ClientGrants.Grant {
    /// Whom it is about.
    var identity: ClientIdentity {
        ClientIdentity(role: role, isKnown: isKnown, path: path, profile: profile?.identifier, browser: browser)
    }

    /// The same, decided.
    func decided(
        _ decision: ApprovedClient.Decision, at time: Int64, by method: VerificationMethod?
    ) -> ClientGrants.Grant {
        ClientGrants.Grant(
            identifier: identifier, name: name, role: role, isKnown: isKnown, path: path, digest: digest,
            profile: profile, coversAllProfiles: coversAllProfiles, isUncounted: isUncounted,
            coversAllSites: coversAllSites, browser: browser, decision: decision, decidedAt: time, method: method)
    }

    /// As it is shown to the person.
    func shown(lastAsked: Int64?) -> ApprovedClient {
        ApprovedClient(
            identifier: identifier, name: name, path: path, browser: browser, role: role, profile: profile,
            isKnown: isKnown, decision: decision, decidedAt: decidedAt, method: method, lastAsked: lastAsked)
    }
}
