import KeywaySystem
import Synchronization

/// Withdraws a request of the same connection: it is answered with `cancelled`, unless its answer is on the way.
package enum CancelRequest: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The id of the request to withdraw.
        package let id: Int

        /// Withdraws the request `id`.
        package init(id: Int) {
            self.id = id
        }
    }

    package static let name = "cancel"
    package static let callers = Set(Role.allCases)
}

extension Connection {
    /// Takes one frame apart and acts on it.
    func receive(_ frame: [UInt8]) {
        let attachments = AttachmentList()
        let head: IncomingFrame
        do {
            head = try IncomingFrame.read(frame, limits: limits, attachments)
        } catch {
            socket.dropDescriptors()
            return refuse(error)
        }
        let count = head.descriptors ?? 0
        guard count <= limits.frameDescriptors, let claimed = socket.claim(count) else {
            socket.dropDescriptors()
            let error = ProtocolError(
                .malformed, "The frame names descriptors that did not come with it, or too many.")
            if head.method != nil { return send(error: error, id: head.id) }
            if let id = head.id { settle(id, .failure(error)) }
            return
        }
        attachments.fill(claimed)
        if let method = head.method {
            if let id = head.id {
                answer(method, id, head.params)
            } else {
                deliver(method, head.params)
            }
        } else if let id = head.id {
            if let error = head.error {
                settle(id, .failure(error.protocolError))
            } else {
                settle(id, .success(head.result))
            }
        } else if head.error == nil {
            refuse(ProtocolError(.malformed, "The frame is neither a request nor an answer."))
        }
    }

    /// Takes the peer's answer, and counts it when nobody waits for it.
    private func settle(_ id: Int, _ result: Swift.Result<FrameMember, ProtocolError>) {
        guard !finish(id, result) else { return }
        let isConfirmation = if case .failure(let error) = result { error.code == .cancelled } else { false }
        state.withLock { state in
            if state.withdrawn.remove(id) == nil || !isConfirmation { state.unawaitedAnswers += 1 }
        }
    }

    // MARK: Requests

    private func answer(_ name: String, _ id: Int, _ params: FrameMember) {
        if name == Hello.name, let greeting { return greet(id, greeting, params) }
        do {
            let method = try method(name)
            try run(method.handler, id, params, role: method.role)
        } catch {
            send(error: error, id: id)
        }
    }

    private func method(_ name: String) throws(ProtocolError) -> (handler: MethodTable.Method, role: Role) {
        guard let role else {
            throw ProtocolError(.helloExpected, "The first message of a connection is `hello`.")
        }
        guard let method = methods.methods[name] else {
            throw ProtocolError(.unknownMethod, "There is no method `\(name.prefix(64))` here.")
        }
        guard method.callers.contains(role) else {
            throw ProtocolError(.notAllowed, "A \(role.rawValue) may not call `\(name)`.")
        }
        return (method, role)
    }

    private func greet(_ id: Int, _ greeting: Greeting, _ params: FrameMember) {
        do {
            let hello = try params.decode(Hello.Parameters.self)
            let answer = try greeting.answer(hello)
            let waiting = state.withLock { state -> [@Sendable () -> Void]? in
                guard state.role == nil else { return nil }
                state.role = hello.role
                state.hello = hello
                defer { state.onGreeting = [] }
                return state.onGreeting
            }
            guard let waiting else { throw ProtocolError(.notAllowed, "A connection is greeted once.") }
            send(result: answer, id: id)
            for body in waiting { body() }
        } catch {
            send(error: error as? ProtocolError ?? ProtocolError(.malformed, "The greeting cannot be read."), id: id)
        }
    }

    private func run(
        _ method: MethodTable.Method, _ id: Int, _ params: FrameMember, role: Role
    ) throws(ProtocolError) {
        let refusal = state.withLock { state -> ProtocolError? in
            guard !state.isClosed else { return ProtocolError(.connectionClosed, "The connection has ended.") }
            guard state.running[id] == nil else {
                return ProtocolError(.malformed, "The request \(id) is not answered yet; an id is used once.")
            }
            guard state.running.count < limits.requestsInFlight else {
                return ProtocolError(
                    .tooManyRequests, "More than \(limits.requestsInFlight) requests at a time: wait for answers.")
            }
            let context = RequestContext(connection: self, requestID: id, role: role)
            state.begun += 1
            state.running[id] = Task {
                await self.finishRequest(method.answer, id, params, context)
            }
            return nil
        }
        if let refusal { throw refusal }
    }

    private func finishRequest(
        _ answer: MethodTable.Answer, _ id: Int, _ params: FrameMember, _ context: RequestContext
    ) async {
        do {
            let result = try await answer(params, context)
            forget(id)
            send(result: result, id: id)
        } catch {
            forget(id)
            send(error: Self.failure(error), id: id)
        }
        context.afterAnswer.run()
    }

    private func forget(_ id: Int) {
        state.withLock { _ = $0.running.removeValue(forKey: id) }
    }

    /// What the peer may learn of an error: ours as they are, of any other only that there was one.
    private static func failure(_ error: any Error) -> ProtocolError {
        switch error {
        case let error as ProtocolError: error
        case is CancellationError: ProtocolError(.cancelled, "The request was cancelled.")
        default: ProtocolError(.internalError, "The request failed inside.")
        }
    }

    // MARK: Notifications

    private func deliver(_ name: String, _ params: FrameMember) {
        if name == CancelRequest.name {
            guard let id = (try? params.decode(CancelRequest.Parameters.self))?.id else { return }
            state.withLock { $0.running[id] }?.cancel()
            return
        }
        guard let role, let notification = methods.notifications[name], notification.callers.contains(role) else {
            return
        }
        try? notification.receive(params, RequestContext(connection: self, requestID: nil, role: role))
    }

    // MARK: Sending answers

    private func send(result: any Encodable & Sendable, id: Int) {
        let attachments = AttachmentList()
        let answer = OutgoingResult(id: id, result: result, attachments: attachments)
        let packet: Packet
        do throws(ProtocolError) { packet = try encode(answer, attachments, "answer") } catch {
            return send(error: error, id: id)
        }
        send(packet)
    }

    func send(error: ProtocolError, id: Int?) {
        guard let packet = try? WireCoding.encode(OutgoingError(id: id, error: WireError(error))) else { return }
        send(packet)
    }
}
