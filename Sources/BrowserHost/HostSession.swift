import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import Synchronization
import WebAuthnValues

/// The connection to one browser: parses its requests, asks the broker, and answers.
final class HostSession: Sendable {
    private struct State {
        /// The way to the broker, which is greeted in the name of the browser's profile.
        var broker: HostLink?
        /// The minor version of the protocol that the extension speaks.
        var minor = 0
        var running: [Int: Task<Void, Never>] = [:]
    }

    let output: FrameOutput
    /// What forms were sent with.
    let held = HeldPasswords()
    /// What was filled, as digests.
    let filled = FilledPasswords()
    private let connector: any BrokerConnecting
    private let limits: WireLimits
    private let state = Mutex(State())

    init(output: FrameOutput, broker: any BrokerConnecting, limits: WireLimits = WireLimits()) {
        self.output = output
        connector = broker
        self.limits = limits
    }

    /// Takes what the browser sent. Returns at once; answers follow when they are there.
    func receive(_ event: FrameReader.Event) {
        switch event {
        case .tooLarge(let length):
            let failure = HostFailure.malformed("A message of \(length) bytes is over \(limits.frameBytes).")
            output.send(HostReply.failure(failure, id: nil))
        case .frame(let bytes):
            do {
                handle(try HostRequest(frame: bytes, limits: limits))
            } catch {
                output.send(HostReply.failure(error, id: nil))
            }
        }
    }

    /// Withdraws whatever still runs.
    func end() {
        let running = state.withLock { state in
            defer { state.running = [:] }
            return state.running.values
        }
        for task in running { task.cancel() }
        held.removeAll()
        filled.removeAll()
    }

    private func handle(_ request: HostRequest) {
        switch (request.call, request.id) {
        case (.failure(let failure), let id?): output.send(HostReply.failure(failure, id: id))
        // A notification has no answer, whatever is wrong with it.
        case (.failure, nil): break
        case (.success(.cancel(let target)), _): state.withLock { $0.running[target] }?.cancel()
        case (.success(.hello(let hello)), let id?): greet(hello, id: id)
        case (.success(.suggest(let asked)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.suggest(asked, id: id, broker) }
        case (.success(.available), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.available(id: id, broker) }
        case (.success(.get(let asked)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.get(asked, id: id, broker) }
        case (.success(.create(let asked)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.create(asked, id: id, broker) }
        case (.success(.report(let asked)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.report(asked, id: id, broker) }
        case (.success(.savingSupport), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.savingSupport(id: id, broker) }
        case (.success(.generate(let asked)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.generate(asked, id: id, broker) }
        case (.success(.keep(let form)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.keep(form, id: id, broker) }
        case (.success(.submit(let form)), let id?):
            start(id) { (_) async throws(HostFailure) in try self.submit(form, id: id) }
        case (.success(.settle(let asked)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.settle(asked, id: id, broker) }
        case (.success(.unsavedSites), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.unsavedSites(id: id, broker) }
        case (.success(.askAgain(let asked)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.askAgain(asked, id: id, broker) }
        case (.success(.changePage(let page)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.changePage(page, id: id, broker) }
        case (.success(.texts(let page)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.texts(page, id: id, broker) }
        case (.success(.insert(let asked)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.insert(asked, id: id, broker) }
        case (.success(.setUp(let page)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.setUp(page, id: id, broker) }
        case (.success(.fill(let choice)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.fill(choice, id: id, broker) }
        case (.success(.state), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.state(id: id, broker) }
        case (.success(.lock(let provider)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.lock(provider, id: id, broker) }
        case (.success, nil): break
        }
    }

    private func greet(_ hello: HelloParameters, id: Int) {
        do throws(HostFailure) {
            let profile = try Self.profile(of: hello)
            let isFirst = state.withLock { state in
                guard state.broker == nil else { return false }
                state.broker = HostLink(connector, profile: profile)
                state.minor = hello.protocol.minor
                return true
            }
            guard isFirst else { throw HostFailure(.invalid, "A conversation is greeted once.") }
            output.send(HostReply.result(HostReply.Greeting(), id: id))
        } catch {
            output.send(HostReply.failure(error, id: id))
        }
    }

    /// In whose name the broker is asked. The person approves each profile of a browser by itself.
    private static func profile(of hello: HelloParameters) throws(HostFailure) -> BrowserProfile {
        let (version, ours) = (hello.protocol, ProtocolVersion.current)
        guard version.major == ours.major else {
            throw HostFailure(
                .versionMismatch, "The extension speaks protocol \(version), Keyway speaks \(ours): update the older.")
        }
        guard let profile = hello.profile else {
            throw HostFailure(
                .versionMismatch, "The extension does not say which profile of the browser asks: update it.")
        }
        return profile
    }

    /// Runs `work` for the request `id` in a task that `cancel` reaches.
    private func start(_ id: Int, _ work: @escaping @Sendable (HostLink) async throws(HostFailure) -> HostAnswer) {
        let refusal = state.withLock { state -> HostFailure? in
            guard let broker = state.broker else { return HostFailure(.invalid, "The first message is `hello`.") }
            guard state.running[id] == nil else { return .malformed("The request \(id) is not answered yet.") }
            guard state.running.count < limits.requestsInFlight else {
                return HostFailure(.tooManyRequests, "More than \(limits.requestsInFlight) requests at a time.")
            }
            state.running[id] = Task {
                await self.finish(id) { () async throws(HostFailure) in try await work(broker) }
            }
            return nil
        }
        if let refusal { output.send(HostReply.failure(refusal, id: id)) }
    }

    private func finish(_ id: Int, _ work: @Sendable () async throws(HostFailure) -> HostAnswer) async {
        let answer: HostAnswer
        do {
            answer = try await work()
        } catch {
            answer = .plain(HostReply.failure(error, id: id))
        }
        // First: whoever reads the answer may use its number again at once.
        state.withLock { _ = $0.running.removeValue(forKey: id) }
        output.send(answer)
    }

    private func suggest(_ asked: SuggestParameters, id: Int, _ broker: HostLink) async throws(HostFailure)
        -> HostAnswer
    {
        let isSetUp = await broker.isSetUp
        if !isSetUp, await offersSetUp(asked, broker) { return .plain(HostReply.setUpOffer(id: id)) }
        let answer: Suggest.Result
        do {
            let kinds: [CredentialKind] =
                asked.wantsCodes ? [.oneTimeCode] : asked.passkeys == nil ? [.password] : [.password, .passkey]
            let parameters = Suggest.Parameters(
                services: asked.page.services, limit: Self.suggestionLimit, isPrivate: asked.page.isPrivate,
                kinds: kinds, passkeys: asked.passkeys,
                includesShared: knowsShared ? true : nil)
            answer = try await broker.suggest(parameters)
        } catch {
            throw HostFailure(error)
        }
        // The last provider was turned off since the suggestion before this one.
        if isSetUp, answer.providers.isEmpty, await offersSetUp(asked, broker) {
            return .plain(HostReply.setUpOffer(id: id))
        }
        let saysHowLong = state.withLock { $0.minor >= 1 }
        return .plain(HostReply.suggestions(answer, id: id, limit: limits.frameBytes, saysHowLong: saysHowLong))
    }

    /// Whether Keyway can be set up from here: asked before anything that the person would be asked about this browser for.
    private func offersSetUp(_ asked: SuggestParameters, _ broker: HostLink) async -> Bool {
        guard knowsSetUp, !asked.wantsCodes, !asked.page.isPrivate, asked.page.realm == nil else { return false }
        // A broker of another release may know nothing of it.
        return (try? await broker.call(SetUpState.self, Nothing()))?.isOffered ?? false
    }

    private func setUp(_ page: Page, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        do {
            let result = try await broker.call(SetUp.self, .init(isPrivate: page.isPrivate))
            return .plain(HostReply.result(HostReply.SetUpOutcome(outcome: result.outcome), id: id))
        } catch {
            throw HostFailure(error)
        }
    }

    /// Whether the extension knows `setUp`, which the protocol has since version 1.1.
    private var knowsSetUp: Bool { state.withLock { $0.minor >= 1 } }

    /// Whether the extension knows the match `shared`, which the protocol has since version 1.1.
    private var knowsShared: Bool { state.withLock { $0.minor >= 1 } }

    private func state(id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        do {
            let status = try await broker.call(BrokerStatus.self, Nothing())
            return .plain(HostReply.result(HostReply.State(status.running), id: id))
        } catch {
            throw HostFailure(error)
        }
    }

    private func lock(_ provider: String, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        do {
            _ = try await broker.call(LockProvider.self, .init(identifier: provider))
            return .plain(HostReply.result(HostReply.Nothing(), id: id))
        } catch {
            throw HostFailure(error)
        }
    }

    private func fill(_ choice: FillChoice, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        let frame = AskingFrame(page: choice.page)
        let clientData = choice.passkey.map { frame.clientData(.get, Array($0.challenge)) }
        let parameters = Fill.Parameters(
            target: choice.target, services: choice.page.services, presents: false,
            isPrivate: choice.page.isPrivate,
            passkey: try passkey(choice.passkey, frame, clientData))
        let credential = try await fill(parameters, id: id, broker)
        filled.note(credential, on: choice.page)
        let reply = try CredentialReply(
            credential, fields: choice.fields, clientData: clientData, id: id,
            saysHowLong: state.withLock { $0.minor >= 1 })
        return try awaited(reply.json)
    }

    // MARK: - Texts

    private func texts(_ page: Page, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        do {
            // The providers are said with the suggestions, of which none are wanted here.
            let answer = try await broker.suggest(
                Suggest.Parameters(services: page.services, limit: 1, isPrivate: page.isPrivate, kinds: [.password]))
            return .plain(HostReply.result(HostReply.TextProviders(answer), id: id))
        } catch {
            throw HostFailure(error)
        }
    }

    private func insert(_ asked: InsertParameters, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer
    {
        let parameters = Fill.Parameters(
            target: .text(provider: asked.provider), services: asked.page.services, presents: false,
            isPrivate: asked.page.isPrivate)
        let text = try await fill(parameters, id: id, broker)
        return try awaited(try CredentialReply(text: text, id: id).json)
    }

    private func passkey(
        _ request: PageAssertion?, _ frame: AskingFrame, _ clientData: ClientData?
    ) throws(HostFailure) -> PasskeyRequestParameters? {
        guard let request, let clientData else { return nil }
        return try request.parameters(frame, clientData)
    }

    private func fill(
        _ parameters: Fill.Parameters, id: Int, _ broker: HostLink
    ) async throws(HostFailure) -> Fill.Result {
        do {
            return try await broker.fill(parameters) { [output] notice in
                output.send(HostReply.waiting(.init(request: id, notice)))
            }
        } catch {
            throw HostFailure(error)
        }
    }

    /// The answer that holds a secret, unless nobody waits for it any more.
    func awaited(_ json: SecretBuffer) throws(HostFailure) -> HostAnswer {
        guard !Task.isCancelled else {
            json.removeAll()
            throw HostFailure(.cancelled, "The request was cancelled.")
        }
        return .secret(json)
    }

    // MARK: - Passkeys

    private func available(id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        do {
            let support = try await broker.call(PasskeySupport.self, Nothing())
            return .plain(HostReply.result(support, id: id))
        } catch {
            throw HostFailure(error)
        }
    }

    private func get(_ asked: GetParameters, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        let (page, request) = (asked.frame.page, asked.request)
        let clientData = asked.frame.clientData(.get, Array(request.challenge))
        let parameters = Fill.Parameters(
            target: asked.handle.map { .suggestion(handle: $0) } ?? .passkey, services: page.services, presents: false,
            isPrivate: page.isPrivate, passkey: try request.parameters(asked.frame, clientData))
        guard case .passkey(let credential) = try await fill(parameters, id: id, broker).credential else {
            throw HostFailure(.providerFailed, "The provider delivered something else than was asked for.")
        }
        return try awaited(try PasskeyReply.assertion(credential, clientData, id: id))
    }

    private func create(_ asked: CreateParameters, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer
    {
        let (page, request) = (asked.frame.page, asked.request)
        let clientData = asked.frame.clientData(.create, Array(request.challenge))
        let parameters = RegisterPasskey.Parameters(
            registration: request.registration(asked.frame, clientData), provider: nil,
            isConditional: asked.isConditional, presents: false, isPrivate: page.isPrivate, services: page.services)
        let credential: PasskeyRegistrationCredential
        do {
            credential = try await broker.call(RegisterPasskey.self, parameters).credential
        } catch {
            throw HostFailure(error)
        }
        return try awaited(try PasskeyReply.registration(credential, clientData, for: request, id: id))
    }

    private func report(_ asked: ReportParameters, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer
    {
        do {
            _ = try await broker.call(
                ReportCredential.self,
                .init(report: asked.report, services: asked.page.services, isPrivate: asked.page.isPrivate))
            return .plain(HostReply.result(HostReply.Nothing(), id: id))
        } catch {
            throw HostFailure(error)
        }
    }

    /// The most that a menu takes (`suggestionLimit` of `Browser/src/protocol/host.js`).
    private static let suggestionLimit = 100
}
