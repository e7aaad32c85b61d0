import AuthenticationServices

/// What is shown to the person, and what they do about it: one thing is shown, then one answer waited for.
@MainActor
final class Conversation {
    private let show: (ProviderInterface) -> Void
    private var events: [InterfaceEvent] = []
    private var waiting: CheckedContinuation<InterfaceEvent, Never>?

    /// A conversation whose interfaces go to `show`.
    init(show: @escaping (ProviderInterface) -> Void) {
        self.show = show
    }

    /// Takes what the person did.
    func receive(_ event: InterfaceEvent) {
        guard let waiting else { return events.append(event) }
        self.waiting = nil
        waiting.resume(returning: event)
    }

    /// Shows something that needs no answer.
    func tell(_ interface: ProviderInterface) { show(interface) }

    /// Shows something, and returns the first answer that `isMeant` makes something of.
    ///
    /// - Throws: `CancellationError` when the person backs out.
    func ask<Answer>(
        _ interface: ProviderInterface, _ isMeant: (InterfaceEvent) -> Answer?
    ) async throws -> Answer {
        // What was done with the interface before is no answer to this one.
        events.removeAll()
        show(interface)
        while true {
            try Task.checkCancellation()
            let event = events.isEmpty ? await withCheckedContinuation { waiting = $0 } : events.removeFirst()
            if case .cancelled = event { throw CancellationError() }
            if let answer = isMeant(event) { return answer }
        }
    }
}
