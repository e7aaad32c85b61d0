import AutoFillProtocol
import Synchronization
import TerminalInterface

/// Makes a request to a provider and shows on the terminal what the provider wants shown for it.
final class PresentationDesk: Sendable {
    private struct State {
        var request: Int?
        var connection: Connection?
        var cancel: (@Sendable () -> Void)?
        /// Why the request was given up, where that says more than "cancelled".
        var reason: CommandError?
    }

    private let state = Mutex(State())
    private let presenter: TerminalPresenter?
    private let outcomes: AsyncStream<PresenterOutcome>

    /// A desk in `surroundings`; without a terminal it shows nothing.
    init(_ surroundings: Surroundings) {
        let (outcomes, sink) = AsyncStream.makeStream(of: PresenterOutcome.self)
        self.outcomes = outcomes
        presenter = (try? surroundings.openTerminal()).map { device in
            TerminalPresenter(device: device, appearance: surroundings.appearance) { sink.yield($0) }
        }
    }

    /// Whether there is a terminal to show something on.
    var canPresent: Bool { presenter != nil }

    /// What the broker may call.
    var methods: MethodTable {
        var methods = MethodTable()
        methods.on(PresentationShow.self) { message, _ in self.show(message) }
        methods.on(FillWaiting.self) { message, _ in self.wait(message) }
        return methods
    }

    /// Makes the request; returns when it is answered and the terminal is as it was.
    ///
    /// - Throws: ``CommandError`` and ``ProtocolError``.
    func perform<Method: RemoteMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, over connection: Connection
    ) async throws -> Method.Result {
        // Begun while nobody else looks: what the broker says at once must find the request to give it up.
        let call = state.withLock { state in
            let call = Task {
                try await connection.call(method, parameters) { id in self.state.withLock { $0.request = id } }
            }
            state.connection = connection
            state.cancel = { call.cancel() }
            return call
        }
        let listener = Task { for await outcome in self.outcomes { self.act(on: outcome) } }
        let result = await call.result
        listener.cancel()
        await presenter?.close()
        if case .failure = result, let reason = state.withLock({ $0.reason }) { throw reason }
        return try result.get()
    }

    // MARK: From the broker

    private func show(_ message: PresentationShow.Parameters) {
        guard message.request == state.withLock({ $0.request }) else { return }
        let header = PresentationHeader(provider: message.provider, service: message.service)
        do {
            presenter?.show(try Presentation(header: header, interface: message.interface))
        } catch {
            giveUp(CommandError(error))
        }
    }

    /// The provider needs the person and nothing can be shown here: whoever runs a script learns at once what is missing.
    private func wait(_ message: FillWaiting.Parameters) {
        guard message.request == state.withLock({ $0.request }) else { return }
        giveUp(
            CommandError(
                .needsPerson, Strings.waitsForPerson(DisplayText.line(message.provider.name)),
                hint: Strings.runInTerminal(DisplayText.line(message.command))))
    }

    // MARK: From the person

    private func act(on outcome: PresenterOutcome) {
        switch outcome {
        case .event(let event):
            let (connection, request) = state.withLock { ($0.connection, $0.request) }
            guard let connection, let request else { return }
            connection.notify(PresentationEvent.self, .init(request: request, event: event))
        case .abandoned: giveUp(CommandError(.cancelled, Strings.cancelled))
        case .failed(let error): giveUp(CommandError(error))
        }
    }

    private func giveUp(_ reason: CommandError) {
        let cancel = state.withLock { state in
            if state.reason == nil { state.reason = reason }
            return state.cancel
        }
        cancel?()
    }
}
