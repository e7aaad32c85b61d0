import AuthenticationServices

/// What a request shows to the person, and what they do about it, as a conversation: show one thing, wait for one answer.
@MainActor
final class Conversation {
    private let show: (ProviderInterface) -> Void
    private var events: [InterfaceEvent] = []
    private var waiting: CheckedContinuation<InterfaceEvent, any Error>?

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

    /// Ends it: whoever waits, waits no longer.
    func end() {
        waiting?.resume(throwing: CancellationError())
        waiting = nil
    }

    /// Shows something that needs no answer.
    func tell(_ interface: ProviderInterface) {
        show(interface)
    }

    /// Shows something and waits for what the person does.
    ///
    /// - Throws: `CancellationError` when they back out, or when the request is over.
    func ask(_ interface: ProviderInterface) async throws -> InterfaceEvent {
        // What was done with the interface before is no answer to this one.
        events.removeAll()
        show(interface)
        return try await next()
    }

    /// Waits for what the person does next with what is shown.
    ///
    /// - Throws: as ``ask(_:)``.
    func next() async throws -> InterfaceEvent {
        try Task.checkCancellation()
        let event =
            events.isEmpty
            ? try await withCheckedThrowingContinuation { waiting = $0 } : events.removeFirst()
        if case .cancelled = event { throw CancellationError() }
        return event
    }
}
