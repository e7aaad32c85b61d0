package import KeywaySystem
import Synchronization

/// What one side of a connection answers.
package struct MethodTable: Sendable {
    typealias Answer =
        @Sendable (_ params: FrameMember, _ context: RequestContext) async throws -> any Encodable & Sendable
    typealias Reception = @Sendable (_ params: FrameMember, _ context: RequestContext) throws -> Void

    struct Method: Sendable {
        let callers: Set<Role>
        let answer: Answer
    }

    struct Notification: Sendable {
        let callers: Set<Role>
        let receive: Reception
    }

    private(set) var methods: [String: Method] = [:]
    private(set) var notifications: [String: Notification] = [:]

    /// A table that answers nothing.
    package init() {}

    /// Answers `method` with `body`, which runs in a task of its own and is cancelled with the request.
    package mutating func on<M: RemoteMethod>(
        _ method: M.Type, _ body: @escaping @Sendable (M.Parameters, RequestContext) async throws -> M.Result
    ) {
        methods[M.name] = Method(callers: M.callers) { params, context in
            try await body(try params.decode(M.Parameters.self), context)
        }
    }

    /// Tells `body` how each method ended, with its error if it failed, before the answer is sent; it must return at once.
    package mutating func watchAll(
        _ body: @escaping @Sendable (_ name: String, RequestContext, ProtocolError?) -> Void
    ) {
        for (name, method) in methods {
            methods[name] = Method(callers: method.callers) { params, context in
                do {
                    let result = try await method.answer(params, context)
                    body(name, context, nil)
                    return result
                } catch {
                    body(name, context, error as? ProtocolError ?? ProtocolError(.internalError, "\(name) failed."))
                    throw error
                }
            }
        }
    }

    /// Asks `gate` before any method is answered, except for those that are named; what it throws is the answer.
    package mutating func guardAll(
        except open: Set<String>, _ gate: @escaping @Sendable (String, RequestContext) async throws -> Void
    ) {
        for (name, method) in methods where !open.contains(name) {
            methods[name] = Method(callers: method.callers) { params, context in
                try await gate(name, context)
                return try await method.answer(params, context)
            }
        }
    }

    /// Receives `notification` with `body`, in the order of arrival; it must return at once.
    package mutating func on<N: RemoteNotification>(
        _ notification: N.Type, _ body: @escaping @Sendable (N.Parameters, RequestContext) -> Void
    ) {
        notifications[N.name] = Notification(callers: N.callers) { params, context in
            body(try params.decode(N.Parameters.self), context)
        }
    }
}

/// Where a request or notification came from.
package struct RequestContext: Sendable {
    /// The connection that it arrived on.
    package let connection: Connection
    /// The request's number in the peer's counting; nil for a notification.
    package let requestID: Int?
    /// What the peer said it is, and was allowed to be.
    package let role: Role
    let afterAnswer = AfterAnswer()

    /// Where a request came from. Without a number it is about one that was answered before: nobody waits for it.
    package init(connection: Connection, requestID: Int?, role: Role) {
        self.connection = connection
        self.requestID = requestID
        self.role = role
    }

    /// Calls `body` once, when the answer to the request has been handed to the socket.
    package func afterAnswering(_ body: @escaping @Sendable () -> Void) {
        afterAnswer.bodies.withLock { $0.append(body) }
    }
}

/// What is to be done when a request has been answered.
final class AfterAnswer: Sendable {
    let bodies = Mutex<[@Sendable () -> Void]>([])

    func run() {
        let bodies = bodies.withLock { bodies in
            defer { bodies = [] }
            return bodies
        }
        for body in bodies { body() }
    }
}
