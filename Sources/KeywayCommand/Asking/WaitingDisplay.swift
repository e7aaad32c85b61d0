import AutoFillProtocol
import TerminalInterface

/// Shows on the terminal what goes on while that takes long enough to look at it.
struct WaitingDisplay: Sendable {
    /// Fewer bytes are read before anybody could read what stands there.
    static let leastBytes = 1 << 20

    let context: CommandContext

    /// Runs `body`, and returns when it has ended and the terminal is as it was.
    ///
    /// - Parameter mayCancel: whether the person may give it up there; false for what is done all the same once it began.
    func perform<Success: Sendable>(
        _ title: String, _ text: String?, isLong: Bool, mayCancel: Bool,
        _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        let interface = ProviderInterface.progress(InterfaceProgress(title: title, text: text))
        guard isLong, context.questions.areTyped, let device = try? context.surroundings.openTerminal(),
            let shown = try? Presentation(header: PresentationHeader(service: nil), interface: interface)
        else { return try await body() }
        let work = Task { try await body() }
        let presenter = TerminalPresenter(device: device, appearance: context.surroundings.appearance) { outcome in
            switch outcome {
            case .event(.cancelled) where mayCancel, .abandoned where mayCancel: work.cancel()
            case .event, .abandoned, .failed: break
            }
        }
        presenter.show(shown)
        let outcome = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        await presenter.close()
        return try outcome.get()
    }
}
