import AutoFillProtocol
import AutoFillWire
import Synchronization
import TerminalInterface

/// Makes a request to a provider and shows the provider's interface for it on the terminal.
final class PresentedRequest: Sendable {
    private struct State {
        var request: Int?
        var connection: Connection?
        var cancel: (@Sendable () -> Void)?
        /// Why the request was given up, where that says more than "cancelled".
        var reason: CommandError?
        var presenter: TerminalPresenter?
        /// What is to stand there; nil before the provider shows something, and while it works on what the person did.
        var shown: Presentation?
        /// Whether a question of the system's stands there instead.
        var isPaused = false
        var isOver = true
    }

    private let state = Mutex(State())
    private let device: (any TerminalDevice)?
    private let appearance: Appearance
    private let person: KeywayQuestions
    private let outcomes: AsyncStream<PresenterOutcome>
    private let sink: AsyncStream<PresenterOutcome>.Continuation
    /// Whether it was started on the person's desktop, and not from another machine.
    let isOnDesktop: Bool

    /// A desk for the command of `context`; without a terminal it shows nothing.
    init(_ context: CommandContext) {
        (outcomes, sink) = AsyncStream.makeStream(of: PresenterOutcome.self)
        device = try? context.surroundings.openTerminal()
        appearance = context.surroundings.appearance
        person = context.person
        let variables = context.surroundings.environment
        isOnDesktop =
            variables["SSH_CONNECTION"] == nil
            && ["WAYLAND_DISPLAY", "DISPLAY"].contains { variables[$0]?.isEmpty == false }
        person.sitBeside(
            KeywayQuestions.Neighbour(
                makeRoom: { [weak self] in await self?.makeRoom() }, comeBack: { [weak self] in self?.comeBack() },
                giveUp: { [weak self] in self?.giveUp(CommandError(.cancelled, Strings.cancelled)) }))
    }

    /// Whether there is a terminal to show something on.
    var canPresent: Bool { device != nil }

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
            state.isOver = false
            return call
        }
        let listener = Task { for await outcome in self.outcomes { self.act(on: outcome) } }
        let result = await call.result
        listener.cancel()
        state.withLock { $0.isOver = true }
        await person.endQuestions()
        await takeAway()
        if case .failure = result, let reason = state.withLock({ $0.reason }) { throw reason }
        return try result.get()
    }

    // MARK: From the broker

    private func show(_ message: PresentationShow.Parameters) {
        guard message.request == state.withLock({ $0.request }) else { return }
        let header = PresentationHeader(
            provider: message.provider, service: message.service, isDebugged: message.isDebugged ?? false)
        do {
            let presentation = try Presentation(header: header, interface: message.interface)
            state.withLock { state in
                state.shown = presentation
                draw(&state)
            }
        } catch {
            giveUp(CommandError(error))
        }
    }

    private func draw(_ state: inout State) {
        guard let device, let shown = state.shown, !state.isPaused, !state.isOver else { return }
        let presenter =
            state.presenter
            ?? TerminalPresenter(device: device, appearance: appearance) { [sink] in sink.yield($0) }
        state.presenter = presenter
        presenter.show(shown)
    }

    /// The provider needs the person and nothing can be shown here: whoever runs a script learns at once what is missing.
    private func wait(_ message: FillWaiting.Parameters) {
        guard message.request == state.withLock({ $0.request }) else { return }
        giveUp(
            CommandError(
                .needsPerson, Strings.waitsForPerson(DisplayText.line(message.provider.name)),
                hint: Strings.runInTerminal(DisplayText.line(message.command))))
    }

    // MARK: Beside a question of the system's

    private func makeRoom() async {
        state.withLock { $0.isPaused = true }
        await takeAway()
    }

    private func comeBack() {
        state.withLock { state in
            state.isPaused = false
            draw(&state)
        }
    }

    private func takeAway() async {
        let presenter = state.withLock { state in
            defer { state.presenter = nil }
            return state.presenter
        }
        await presenter?.close()
    }

    // MARK: From the person

    private func act(on outcome: PresenterOutcome) {
        switch outcome {
        case .event(let event):
            let (connection, request) = state.withLock { state in
                // What was answered does not come back after a question.
                if case .searched = event {} else { state.shown = nil }
                return (state.connection, state.request)
            }
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
