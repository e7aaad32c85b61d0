import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem

/// A process of a bundle that the broker asks: an extension, or an app that continues an activity.
@MainActor
enum ServedProcess {
    /// Answers the broker with `methods` until it lets go of the process.
    static func run(as role: Role, _ methods: () -> MethodTable) -> Never {
        do {
            try ProcessHardening.applyUnlessDebugged()
            try connect(as: role, methods())
        } catch {
            giveUp(error)
        }
        while true { RunLoop.main.run() }
    }

    private static func connect(as role: Role, _ methods: MethodTable) throws {
        let connection = Connection(
            descriptor: try BrokerLink.inheritedDescriptor(), peer: .known(.broker), methods: methods)
        connection.onClose { exit(EXIT_SUCCESS) }
        BrokerLink.process.greet(over: connection, as: role)
        connection.start()
        Task {
            do {
                _ = try await BrokerLink.process.connection()
            } catch {
                giveUp(error)
            }
        }
    }

    private static func giveUp(_ error: any Error) -> Never {
        // A broker that ends while it is being greeted is the ordinary end.
        if (error as? ProtocolError)?.code == .connectionClosed { exit(EXIT_SUCCESS) }
        Log.line("\(error)")
        exit(EXIT_FAILURE)
    }
}

/// What answers one request of the broker, and may show an interface for it.
@MainActor
protocol InterfaceSession {
    /// Takes what the person did in the interface that is shown.
    func receive(_ event: InterfaceEvent)
}

/// The session that answers now: what the person does reaches no other.
@MainActor
final class CurrentSession<Session: InterfaceSession & Sendable> {
    private var current: (id: Int, session: Session)?

    /// Whether one answers.
    var isBusy: Bool { current != nil }

    /// Runs `body` with the session that `make` makes; what it shows belongs to the request of `context`.
    func run<Result: Sendable>(
        _ context: RequestContext, _ make: (_ present: @escaping (ProviderInterface) -> Void) -> Session,
        _ body: (Session) async throws -> Result
    ) async throws -> Result {
        let id = context.requestID ?? 0
        let session = make { context.connection.notify(ExtensionPresent.self, .init(request: id, interface: $0)) }
        current = (id, session)
        defer { current = nil }
        return try await body(session)
    }

    /// Hands on what the person did, in the order in which it happened.
    nonisolated func takeEvents(in table: inout MethodTable) {
        table.on(ExtensionEvent.self) { parameters, _ in
            // Not a task of its own for each: they would overtake each other.
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    guard let current = self.current, current.id == parameters.request else { return }
                    current.session.receive(parameters.event)
                }
            }
        }
    }
}

extension ProviderInterface {
    /// Presents it, within its bounds.
    ///
    /// - Returns: why it cannot be; what nobody can see nobody can answer, and the person would wait for ever.
    @MainActor
    func objection(presenting present: (ProviderInterface) -> Void) -> String? {
        do throws(ProtocolError) {
            let bounded = try bounded()
            try bounded.checkSize()
            present(bounded)
            return nil
        } catch {
            Log.line("\(error)")
            return error.message
        }
    }
}
