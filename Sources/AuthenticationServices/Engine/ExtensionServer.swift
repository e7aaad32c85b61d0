import AutoFillProtocol
package import AutoFillWire
import Foundation

/// Answers the broker's requests to an extension, one after another, on the main actor.
@MainActor
package final class ExtensionServer {
    private let makeController: @MainActor () -> ASCredentialProviderViewController
    private let broker: BrokerLink
    private let current = CurrentSession<ExtensionSession>()
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A server that makes a controller for every request.
    package init(broker: BrokerLink, makeController: @escaping @MainActor () -> ASCredentialProviderViewController) {
        self.broker = broker
        self.makeController = makeController
    }

    /// What an extension answers on its connection to the broker.
    package nonisolated var methods: MethodTable {
        var table = MethodTable()
        table.on(PerformRequest.self) { try await self.perform($0.request, $1) }
        current.takeEvents(in: &table)
        return table
    }

    private func perform(
        _ request: PerformRequest.Request, _ context: RequestContext
    ) async throws -> PerformRequest.Result {
        // The broker may ask before it has heard our greeting; what is said to it before that is refused.
        _ = try await broker.connection()
        await takeTurn()
        defer { passTurn() }
        try Task.checkCancellation()
        let answer = RequestAnswer(to: request)
        context.afterAnswering { answer.wasSent() }
        return try await current.run(context) { present in
            ExtensionSession(
                request, controller: makeController(), answer: answer, broker: broker, present: present)
        } _: { session in
            try await session.run()
        }
    }

    // MARK: One after another

    private func takeTurn() async {
        guard isBusy else { return isBusy = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func passTurn() {
        guard !waiting.isEmpty else { return isBusy = false }
        waiting.removeFirst().resume()
    }
}
