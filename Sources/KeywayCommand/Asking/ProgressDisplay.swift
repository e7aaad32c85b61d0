import AutoFillProtocol
import AutoFillWire
import PasswordsProtocol
import Synchronization
import TerminalInterface

/// Shows on the terminal how far the vault's service is with something that takes a while, such as a renewal of the key or
/// an import, where it lasts long enough to look at. The person may give it up there: the vault is then what it was.
final class ProgressDisplay: Sendable {
    /// What is said of it.
    struct Words: Sendable {
        /// What goes on.
        let title: String
        /// How far it is.
        let text: @Sendable (_ done: Int, _ total: Int) -> String
    }

    private struct State {
        var presenter: TerminalPresenter?
        var words: Words?
        var cancel: (@Sendable () -> Void)?
    }

    /// Fewer items are done before anybody could read what stands there.
    static let leastItems = 2000

    private let context: CommandContext
    private let state = Mutex(State())

    init(_ context: CommandContext) {
        self.context = context
    }

    /// What the service may tell.
    var methods: MethodTable {
        var methods = MethodTable()
        methods.on(VaultRenewing.self) { progress, _ in self.show(progress.done, progress.total) }
        methods.on(ExchangeProgress.self) { progress, _ in self.show(progress.done, progress.total) }
        return methods
    }

    /// Runs `body`, and returns when it has ended and the terminal is as it was.
    func perform<Success: Sendable>(
        _ words: Words, _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        let work = Task { try await body() }
        state.withLock { state in
            state.words = words
            state.cancel = { work.cancel() }
        }
        let outcome = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        let presenter = state.withLock { state in
            defer { state = State() }
            return state.presenter
        }
        await presenter?.close()
        return try outcome.get()
    }

    private func show(_ done: Int, _ total: Int) {
        guard total >= Self.leastItems, context.questions.areTyped else { return }
        state.withLock { state in
            // Nobody waits for it any more.
            guard let cancel = state.cancel, let words = state.words else { return }
            let interface = ProviderInterface.progress(
                InterfaceProgress(
                    title: words.title, text: words.text(done, total),
                    fraction: min(1, Double(done) / Double(max(total, 1)))))
            guard let shown = try? Presentation(header: PresentationHeader(service: nil), interface: interface) else {
                return
            }
            let presenter = state.presenter ?? presenter(cancel)
            state.presenter = presenter
            presenter?.show(shown)
        }
    }

    private func presenter(_ cancel: @escaping @Sendable () -> Void) -> TerminalPresenter? {
        guard let device = try? context.surroundings.openTerminal() else { return nil }
        return TerminalPresenter(device: device, appearance: context.surroundings.appearance) { outcome in
            switch outcome {
            case .event(.cancelled), .abandoned: cancel()
            case .event, .failed: break
            }
        }
    }
}
