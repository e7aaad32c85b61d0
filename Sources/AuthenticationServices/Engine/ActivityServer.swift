import AutoFillProtocol
package import AutoFillWire
import Foundation
import KeywaySystem

/// Answers the broker's requests to an application that it started: one activity, on the main actor.
@MainActor
package final class ActivityServer {
    private let makeController: @MainActor () -> KeywayActivityController
    private let broker: BrokerLink
    private var current: (id: Int, session: ActivitySession)?

    /// A server that makes a controller for each activity.
    package init(broker: BrokerLink, makeController: @escaping @MainActor () -> KeywayActivityController) {
        self.broker = broker
        self.makeController = makeController
    }

    /// What an application answers on its connection to the broker.
    package nonisolated var methods: MethodTable {
        var table = MethodTable()
        table.on(ContinueActivity.self) { try await self.proceed($0, $1) }
        table.on(ExtensionEvent.self) { parameters, _ in
            // Not a task of its own for each: events must arrive in the order in which they happened.
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self.receive(parameters) }
            }
        }
        return table
    }

    private func proceed(
        _ parameters: ContinueActivity.Parameters, _ context: RequestContext
    ) async throws -> ContinueActivity.Result {
        // The broker may ask before it has heard our greeting; what is said to it before that is refused.
        _ = try await broker.connection()
        guard current == nil else { throw ProtocolError(.busy, "The app continues another activity.") }
        let id = context.requestID ?? 0
        let controller = makeController()
        controller.broker = broker
        let session = ActivitySession(controller) {
            context.connection.notify(ExtensionPresent.self, .init(request: id, interface: $0))
        }
        current = (id, session)
        defer { current = nil }
        return try await session.run(parameters)
    }

    private func receive(_ parameters: ExtensionEvent.Parameters) {
        guard let current, current.id == parameters.request else { return }
        current.session.receive(parameters.event)
    }
}

/// One activity from the broker's question to its answer.
@MainActor
final class ActivitySession {
    private let controller: KeywayActivityController
    private let present: (ProviderInterface) -> Void
    private let endings: AsyncStream<ContinueActivity.Result>
    private let sink: AsyncStream<ContinueActivity.Result>.Continuation
    private var isOpen = true

    /// A session of `controller`, which nobody has used before.
    init(_ controller: KeywayActivityController, present: @escaping (ProviderInterface) -> Void) {
        self.controller = controller
        self.present = present
        (endings, sink) = AsyncStream.makeStream(of: ContinueActivity.Result.self)
        controller.presentation = { [weak self] in $0.map { self?.show($0) } }
    }

    /// Continues the activity, and answers with the first end of it.
    ///
    /// - Throws: `CancellationError` when the request was taken back.
    func run(_ parameters: ContinueActivity.Parameters) async throws -> ContinueActivity.Result {
        controller.loadViewIfNeeded()
        controller.willAppear()
        controller.didAppear()
        let activity = NSUserActivity(activityType: parameters.type)
        if let token = parameters.token.flatMap(UUID.init(uuidString:)) {
            activity.addUserInfoEntries(from: [ASCredentialImportToken: token])
        }
        let task = Task {
            do {
                sink.yield(.finished(report: try Self.attached(try await controller.application(continue: activity))))
            } catch {
                sink.yield(.init(error))
            }
        }
        defer {
            isOpen = false
            task.cancel()
            controller.willDisappear()
            controller.didDisappear()
        }
        for await ending in endings { return ending }
        throw CancellationError()
    }

    /// Hands `event` to the controller whose interface is shown. Backing out always ends the activity, whatever the
    /// controller does with it.
    func receive(_ event: InterfaceEvent) {
        guard isOpen else { return }
        controller.shown.interface(didReceive: event)
        if case .cancelled = event { sink.yield(.cancelled) }
    }

    private func show(_ interface: ProviderInterface) {
        guard isOpen else { return }
        do throws(ProtocolError) {
            let bounded = try interface.bounded()
            try bounded.checkSize()
            present(bounded)
        } catch {
            // What nobody can see nobody can answer: the person would wait for ever.
            Log.line("\(error)")
            sink.yield(.failed(reason: error.message))
        }
    }

    private static func attached(_ report: KeywayExchangeReport) throws -> Attachment {
        let json = try JSONEncoder().encode(report)
        return Attachment(try json.withUnsafeBytes { try SealedMemory(copying: $0) })
    }
}

extension ContinueActivity.Result {
    /// How an activity ends whose controller threw `error`.
    fileprivate init(_ error: any Error) {
        switch error {
        case is CancellationError, ASExtensionError.userCanceled, ASAuthorizationError.canceled: self = .cancelled
        default: self = .failed(reason: error.localizedDescription)
        }
    }
}
