import AutoFillProtocol
import AutoFillWire
import PasswordsProtocol
import Synchronization
import TerminalInterface

/// Shows on the terminal how far a renewal of the vault's key is, where it lasts long enough to look at. The person may
/// give it up there: the vault is then what it was.
final class RenewalDisplay: Sendable {
    private struct State {
        var presenter: TerminalPresenter?
        var cancel: (@Sendable () -> Void)?
    }

    /// A vault of fewer items is sealed before anybody could read what stands there.
    static let leastItems = 2000

    private let context: CommandContext
    private let state = Mutex(State())

    init(_ context: CommandContext) {
        self.context = context
    }

    /// What the service may tell.
    var methods: MethodTable {
        var methods = MethodTable()
        methods.on(VaultRenewing.self) { progress, _ in self.show(progress) }
        return methods
    }

    /// Runs `body`, and returns when it has ended and the terminal is as it was.
    func perform(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let work = Task { try await body() }
        state.withLock { $0.cancel = { work.cancel() } }
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
        try outcome.get()
    }

    private func show(_ progress: VaultRenewing.Parameters) {
        guard progress.total >= Self.leastItems, context.questions.areTyped else { return }
        state.withLock { state in
            // Nobody waits for it any more.
            guard let cancel = state.cancel else { return }
            let interface = ProviderInterface.progress(
                InterfaceProgress(
                    title: Strings.renewing, text: Strings.renewed(progress.done, of: progress.total),
                    fraction: min(1, Double(progress.done) / Double(max(progress.total, 1)))))
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
