import Dispatch
import FoundationEssentials
import Glibc
package import KeywaySystem
import Synchronization

/// A JSON-RPC 2.0 connection over a Unix socket, in both directions, with descriptors attached to frames.
///
/// Each request of the peer runs in its own task, which is cancelled when the peer cancels the request or disconnects.
/// A malformed message gets an error, and the connection continues. It is closed only if the peer breaks the framing
/// itself (descriptors without an owner, bytes that it never reads).
package final class Connection: Sendable {
    /// What the peer is: known from birth, or what its first message will say.
    package enum Peer: Sendable {
        case known(Role)
        case unknown(Greeting)
    }

    typealias Completion = @Sendable (Swift.Result<FrameMember, ProtocolError>) -> Void

    struct State {
        var role: Role?
        var hello: Hello.Parameters?
        var nextID = 1
        var pending: [Int: Completion] = [:]
        var running: [Int: Task<Void, Never>] = [:]
        /// How many requests of the peer were begun.
        var begun = 0
        var isClosed = false
        var onClose: [@Sendable () -> Void] = []
        var onGreeting: [@Sendable () -> Void] = []
        var onViolation: (@Sendable (ProtocolError) -> Void)?
        var onFrame: (@Sendable ([UInt8]) -> Void)?
        var unawaitedAnswers = 0
        /// Requests that were taken back and whose answers have not come.
        var withdrawn: Set<Int> = []
    }

    /// Who the kernel says is at the other end; nil where it cannot tell.
    package let peer: PeerIdentity?
    private let peerProcess: PeerProcess?
    let limits: WireLimits
    let methods: MethodTable
    let greeting: Greeting?
    let state: Mutex<State>
    let socket: SocketChannel

    /// A conversation over `descriptor`, a connected stream socket. Nothing is read before ``start()``.
    package init(
        descriptor: OwnedDescriptor, peer: Peer, methods: MethodTable = MethodTable(), limits: WireLimits = WireLimits()
    ) {
        self.peer = PeerIdentity(socket: descriptor)
        peerProcess = PeerProcess(socket: descriptor)
        self.limits = limits
        self.methods = methods
        var state = State()
        switch peer {
        case .known(let role):
            state.role = role
            greeting = nil
        case .unknown(let greeting): self.greeting = greeting
        }
        self.state = Mutex(state)
        socket = SocketChannel(descriptor: descriptor, limits: limits)
    }

    /// Begins to read.
    package func start() {
        socket.start { event in
            switch event {
            case .frame(let bytes):
                self.state.withLock { $0.onFrame }?(bytes)
                self.receive(bytes)
            case .tooLarge(let length):
                self.socket.dropDescriptors()
                self.refuseFrame(of: length)
            case .closed: self.close()
            }
        }
    }

    private func refuseFrame(of length: Int) {
        let limit = limits.frameBytes
        refuse(ProtocolError(.frameTooLarge, "A frame of \(length) bytes is over the limit of \(limit)."))
    }

    /// Tells the peer, and whoever watches, that something came which is no message.
    func refuse(_ error: ProtocolError) {
        send(error: error, id: nil)
        state.withLock { $0.onViolation }?(error)
    }

    /// Calls `body` with every frame of the peer that is no message, after the peer was told.
    package func onViolation(_ body: @escaping @Sendable (ProtocolError) -> Void) {
        state.withLock { $0.onViolation = body }
    }

    /// Calls `body` with every frame of the peer as it came, before anything is done with it: for whoever judges the peer.
    package func onFrame(_ body: @escaping @Sendable ([UInt8]) -> Void) {
        state.withLock { $0.onFrame = body }
    }

    /// How many answers came that nobody waited for: given twice, given too late, or to another request. That a request
    /// was taken back may be confirmed once.
    package var unawaitedAnswers: Int { state.withLock { $0.unawaitedAnswers } }

    /// The terminal session of the process that connected; nil when that process is gone, even where another has its
    /// number by now, or when the kernel cannot tell.
    ///
    /// Of a process in the background it is ``TerminalSession/inBackground``: asked again each time, since that changes.
    package var peerSession: TerminalSession? { peerProcess?.session }

    /// Whether the process that connected is in the background of its terminal now.
    package var isPeerInBackground: Bool { peerProcess?.isInBackground ?? false }

    /// The file of the program that the process runs which connected, opened for reading; nil when that process is gone,
    /// or keeps others from looking at it.
    package var peerProgram: OwnedDescriptor? { peerProcess?.program }

    /// The process that connected; nil when it was gone before anybody looked, or when the kernel cannot tell.
    package var client: PeerProcess? { peerProcess }

    /// What the peer said when it greeted; nil before that, and for one that is known from birth.
    package var hello: Hello.Parameters? { state.withLock { $0.hello } }

    /// The role of the peer, once it is known.
    package var role: Role? { state.withLock { $0.role } }

    /// Waits until the peer has said what it is: nothing should be asked of a process that may still be starting.
    ///
    /// - Throws: ``ProtocolError`` with `connectionClosed` when it ends without a greeting, or `cancelled`.
    package func waitForGreeting() async throws(ProtocolError) {
        let (greetings, report) = AsyncStream.makeStream(of: Void.self)
        let isKnown = state.withLock { state in
            if state.role == nil { state.onGreeting.append { report.yield() } }
            return state.role != nil
        }
        if isKnown { return }
        onClose { report.finish() }
        for await _ in greetings { return }
        throw Task.isCancelled
            ? ProtocolError(.cancelled, "The request was cancelled.")
            : ProtocolError(.connectionClosed, "The connection ended before the greeting.")
    }

    /// How many requests of the peer run now, and how many were begun so far.
    package var requests: (running: Int, begun: Int) { state.withLock { ($0.running.count, $0.begun) } }

    /// Whether the conversation has ended.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Calls `body` once when the conversation ends, or at once when it has.
    package func onClose(_ body: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock {
            if !$0.isClosed { $0.onClose.append(body) }
            return $0.isClosed
        }
        if isClosed { body() }
    }

    /// Ends the conversation: what waits for an answer fails, what runs for the peer is cancelled.
    package func close() {
        let ended = state.withLock { state -> State? in
            guard !state.isClosed else { return nil }
            let before = state
            state.isClosed = true
            state.pending = [:]
            state.running = [:]
            state.onClose = []
            state.onGreeting = []
            state.onViolation = nil
            state.onFrame = nil
            return before
        }
        guard let ended else { return }
        socket.close()
        for task in ended.running.values { task.cancel() }
        for completion in ended.pending.values {
            completion(.failure(ProtocolError(.connectionClosed, "The connection ended before the answer came.")))
        }
        for body in ended.onClose { body() }
    }
}

// MARK: - Asking

extension Connection {
    /// Greets the peer: the first thing that the calling side does.
    ///
    /// - Throws: ``ProtocolError``, `versionMismatch` among them.
    @discardableResult
    package func greet(
        as role: Role, name: String, profile: BrowserProfile? = nil
    ) async throws(ProtocolError) -> Hello.Result {
        try await call(Hello.self, Hello.Parameters(role: role, name: name, profile: profile))
    }

    /// Makes a request and waits for its answer. When the task is cancelled, so is the request.
    ///
    /// `willSend` gets the request's id before anything is sent: notifications that belong to a request name it
    /// (``FillWaiting``, ``PresentationShow``).
    ///
    /// - Throws: ``ProtocolError``: the peer's, or `connectionClosed`, or `cancelled`.
    package func call<M: RemoteMethod>(
        _ method: M.Type, _ parameters: M.Parameters, willSend: (Int) -> Void = { _ in }
    ) async throws(ProtocolError) -> M.Result {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
        willSend(id)
        return try await exchange(id, M.name, parameters).get().decode(M.Result.self)
    }

    /// Sends a message that has no answer. It is lost when the conversation has ended.
    ///
    /// - Returns: false when the message is over a limit: nothing was sent then.
    @discardableResult
    package func notify<N: RemoteNotification>(_ notification: N.Type, _ parameters: N.Parameters) -> Bool {
        let attachments = AttachmentList()
        let request = OutgoingRequest(id: nil, method: N.name, params: parameters, attachments: attachments)
        guard let packet = try? encode(request, attachments, "message") else { return false }
        send(packet)
        return true
    }

    private func exchange(
        _ id: Int, _ method: String, _ parameters: some Encodable & Sendable
    ) async -> Swift.Result<FrameMember, ProtocolError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                register(id) { continuation.resume(returning: $0) }
                if Task.isCancelled {
                    finish(id, .failure(.init(.cancelled, "The request was cancelled.")))
                } else {
                    sendRequest(id, method, parameters)
                }
            }
        } onCancel: {
            self.cancelCall(id)
        }
    }

    private func register(_ id: Int, _ completion: @escaping Completion) {
        let isClosed = state.withLock {
            if !$0.isClosed { $0.pending[id] = completion }
            return $0.isClosed
        }
        if isClosed { completion(.failure(ProtocolError(.connectionClosed, "The connection has ended."))) }
    }

    private func sendRequest(_ id: Int, _ method: String, _ parameters: some Encodable) {
        let attachments = AttachmentList()
        let request = OutgoingRequest(id: id, method: method, params: parameters, attachments: attachments)
        do throws(ProtocolError) {
            send(try encode(request, attachments, "request"))
        } catch {
            finish(id, .failure(error))
        }
    }

    private func cancelCall(_ id: Int) {
        guard finish(id, .failure(ProtocolError(.cancelled, "The request was cancelled."))) else { return }
        state.withLock { state in
            // More than a peer may have in flight: it never answers those.
            if state.withdrawn.count >= limits.requestsInFlight { state.withdrawn = [] }
            state.withdrawn.insert(id)
        }
        notify(CancelRequest.self, CancelRequest.Parameters(id: id))
    }

    /// Ends the wait for an answer; false when nobody waits for it any more, as with an answer that comes twice.
    @discardableResult
    func finish(_ id: Int, _ result: Swift.Result<FrameMember, ProtocolError>) -> Bool {
        let completion = state.withLock { $0.pending.removeValue(forKey: id) }
        guard let completion else { return false }
        completion(result)
        return true
    }

    /// One message as bytes; `what` it is, for the error.
    ///
    /// - Throws: ``ProtocolError``: `frameTooLarge` for what the peer would not take, or `internalError`.
    func encode(
        _ message: some Encodable, _ attachments: AttachmentList, _ what: String
    ) throws(ProtocolError) -> Packet {
        let packet: Packet
        do { packet = try WireCoding.encode(message, attachments) } catch {
            throw error as? ProtocolError ?? ProtocolError(.internalError, "The \(what) cannot be encoded.")
        }
        guard packet.bytes.count - 4 <= limits.frameBytes, packet.descriptors.count <= limits.frameDescriptors else {
            throw ProtocolError(
                .frameTooLarge,
                "The \(what) is over the limit of \(limits.frameBytes) bytes and \(limits.frameDescriptors) secrets.")
        }
        return packet
    }

    func send(_ packet: Packet) {
        guard socket.send(packet) else { return close() }
    }
}
