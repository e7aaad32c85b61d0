import AutoFillProtocol
import KeywayCrypto
import Synchronization

/// The conversation with one browser: takes its requests apart, asks the broker, answers.
final class HostSession: Sendable {
    private struct State {
        /// The way to the broker, which is greeted in the name of the browser's profile.
        var broker: BrokerLink?
        var running: [Int: Task<Void, Never>] = [:]
    }

    private let output: FrameOutput
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
    }

    private func handle(_ request: HostRequest) {
        switch (request.call, request.id) {
        case (.failure(let failure), let id?): output.send(HostReply.failure(failure, id: id))
        // A notification has no answer, whatever is wrong with it.
        case (.failure, nil): break
        case (.success(.cancel(let target)), _): state.withLock { $0.running[target] }?.cancel()
        case (.success(.hello(let hello)), let id?): greet(hello, id: id)
        case (.success(.suggest(let page)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.suggest(page, id: id, broker) }
        case (.success(.fill(let choice)), let id?):
            start(id) { (broker) async throws(HostFailure) in try await self.fill(choice, id: id, broker) }
        case (.success, nil): break
        }
    }

    private func greet(_ hello: HelloParameters, id: Int) {
        do throws(HostFailure) {
            let profile = try Self.profile(of: hello)
            let isFirst = state.withLock { state in
                guard state.broker == nil else { return false }
                state.broker = BrokerLink(connector, profile: profile)
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
    private func start(_ id: Int, _ work: @escaping @Sendable (BrokerLink) async throws(HostFailure) -> Void) {
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

    private func finish(_ id: Int, _ work: @Sendable () async throws(HostFailure) -> Void) async {
        do {
            try await work()
        } catch {
            output.send(HostReply.failure(error, id: id))
        }
        state.withLock { _ = $0.running.removeValue(forKey: id) }
    }

    private func suggest(_ page: Page, id: Int, _ broker: BrokerLink) async throws(HostFailure) {
        let answer: Suggest.Result
        do {
            let parameters = Suggest.Parameters(
                services: page.services, limit: Self.suggestionLimit, isPrivate: page.isPrivate)
            answer = try await broker.suggest(parameters)
        } catch {
            throw HostFailure(error)
        }
        output.send(HostReply.suggestions(answer, id: id, limit: limits.frameBytes))
    }

    private func fill(_ choice: FillChoice, id: Int, _ broker: BrokerLink) async throws(HostFailure) {
        let parameters = Fill.Parameters(
            target: choice.target, services: choice.page.services, presents: false,
            isPrivate: choice.page.isPrivate)
        let credential: Fill.Result
        do {
            credential = try await broker.fill(parameters) { [output] notice in
                output.send(HostReply.waiting(.init(request: id, notice)))
            }
        } catch {
            throw HostFailure(error)
        }
        let reply = try CredentialReply(credential, fields: choice.fields, id: id)
        guard !Task.isCancelled else { throw HostFailure(.cancelled, "The request was cancelled.") }
        output.send(wiping: reply.json)
    }

    /// The most that a menu takes (`suggestionLimit` of `Browser/src/protocol/host.js`).
    private static let suggestionLimit = 100
}
