import AutoFillProtocol
package import AutoFillWire
import Foundation
import KeywaySystem

/// Answers the broker's requests to an application that it started: one activity, on the main actor.
@MainActor
package final class ActivityServer {
    private let makeController: @MainActor () -> KeywayActivityController
    private let broker: BrokerLink
    private let current = CurrentSession<ActivitySession>()

    /// A server that makes a controller for each activity.
    package init(broker: BrokerLink, makeController: @escaping @MainActor () -> KeywayActivityController) {
        self.broker = broker
        self.makeController = makeController
    }

    /// What an application answers on its connection to the broker.
    package nonisolated var methods: MethodTable {
        var table = MethodTable()
        table.on(ContinueActivity.self) { try await self.proceed($0, $1) }
        current.takeEvents(in: &table)
        return table
    }

    private func proceed(
        _ parameters: ContinueActivity.Parameters, _ context: RequestContext
    ) async throws -> ContinueActivity.Result {
        // The broker may ask before it has heard our greeting; what is said to it before that is refused.
        _ = try await broker.connection()
        guard !current.isBusy else { throw ProtocolError(.busy, "The app continues another activity.") }
        let controller = makeController()
        controller.broker = broker
        return try await current.run(context) { present in
            ActivitySession(controller, present: present)
        } _: { session in
            try await session.run(parameters)
        }
    }
}

/// One activity from the broker's question to its answer.
@MainActor
final class ActivitySession: InterfaceSession {
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
        guard isOpen, let objection = interface.objection(presenting: present) else { return }
        sink.yield(.failed(reason: objection))
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
