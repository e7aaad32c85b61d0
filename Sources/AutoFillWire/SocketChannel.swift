import Dispatch
import Glibc
import KeywaySystem
import Synchronization

/// Reads frames and descriptors from one socket as they arrive, and writes without ever blocking.
final class SocketChannel: Sendable {
    /// What came in, in order, on one queue.
    enum Event {
        /// A frame. Its descriptors are claimed with ``SocketChannel/claim(_:)`` before the handler returns.
        case frame([UInt8])
        case tooLarge(Int)
        case closed
    }

    private struct Incoming {
        var reader: FrameReader
        var descriptors: [OwnedDescriptor] = []
    }

    private struct Outgoing {
        var packets: [Packet] = []
        var sent = 0
        var waitingBytes = 0
        var isClosed = false
        var reader: Source?
        var writer: Source?
    }

    /// A source of libdispatch, to be kept in a locked place.
    private struct Source: @unchecked Sendable {
        // SAFETY: libdispatch's objects may be used from any thread; only Swift's overlay lacks the annotation.
        let source: any DispatchSourceProtocol
    }

    /// One queue reads for every connection of the process: a frame costs microseconds, and order needs no thought.
    private static let queue = DispatchQueue(label: "org.keyway.sockets")
    private static let chunk = 1 << 16
    private static let chunksAtOnce = 16

    private let descriptor: OwnedDescriptor
    private let limits: WireLimits
    private let incoming: Mutex<Incoming>
    private let outgoing = Mutex(Outgoing())

    init(descriptor: OwnedDescriptor, limits: WireLimits) {
        self.descriptor = descriptor
        self.limits = limits
        incoming = Mutex(Incoming(reader: FrameReader(limit: limits.frameBytes)))
        _ = fcntl(descriptor.rawValue, F_SETFL, fcntl(descriptor.rawValue, F_GETFL) | O_NONBLOCK)
    }

    // MARK: Reading

    /// Calls `handler` with everything that comes, until the socket is closed by either side.
    func start(_ handler: @escaping @Sendable (Event) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.rawValue, queue: Self.queue)
        source.setEventHandler { self.readAvailable(handler) }
        // The source keeps this object, and so the descriptor, until libdispatch has let go of it.
        source.setCancelHandler { _ = self.descriptor }
        let isClosed = outgoing.withLock {
            if !$0.isClosed { $0.reader = Source(source: source) }
            return $0.isClosed
        }
        source.activate()
        if isClosed { source.cancel() }
    }

    /// The next `count` descriptors that arrived, or nil when there are fewer.
    func claim(_ count: Int) -> [OwnedDescriptor]? {
        incoming.withLock { state in
            guard count >= 0, count <= state.descriptors.count else { return nil }
            defer { state.descriptors.removeFirst(count) }
            return Array(state.descriptors[..<count])
        }
    }

    /// Closes what arrived beside a frame that could not be read.
    func dropDescriptors() {
        incoming.withLock { $0.descriptors = [] }
    }

    /// Reads until nothing is there: that a peer has hung up is told once, perhaps with bytes that it left behind.
    private func readAvailable(_ handler: @escaping @Sendable (Event) -> Void) {
        for _ in 0..<Self.chunksAtOnce {
            guard !outgoing.withLock({ $0.isClosed }) else { return }
            switch receiveChunk() {
            case .nothing: return
            case .end: return handler(.closed)
            case .bytes: handOver(handler)
            }
        }
        // Who sends without end must not keep the others of this process waiting.
        Self.queue.async { self.readAvailable(handler) }
    }

    private func handOver(_ handler: (Event) -> Void) {
        while let event = incoming.withLock({ $0.reader.next() }) {
            switch event {
            case .frame(let bytes): handler(.frame(bytes))
            case .tooLarge(let length): handler(.tooLarge(length))
            }
        }
    }

    /// What came of reading once.
    private enum Chunk {
        case bytes
        case nothing
        case end
    }

    private func receiveChunk() -> Chunk {
        withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 16) { buffer in
            guard let received = LocalSocket.receive(from: descriptor, into: buffer) else { return .nothing }
            guard received.count > 0, !received.isTruncated else { return .end }
            return incoming.withLock {
                $0.descriptors += received.descriptors
                $0.reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<received.count]))
                return $0.descriptors.count <= limits.waitingDescriptors ? .bytes : .end
            }
        }
    }

    // MARK: Writing

    /// Sends, now or as soon as the peer reads; false when it is gone or has not read for too long.
    func send(_ packet: Packet) -> Bool {
        outgoing.withLock { state in
            guard !state.isClosed else { return false }
            state.packets.append(packet)
            state.waitingBytes += packet.bytes.count
            guard flush(&state) else { return false }
            guard state.waitingBytes <= limits.waitingBytes else { return false }
            if !state.packets.isEmpty && state.writer == nil { waitUntilWritable(&state) }
            return true
        }
    }

    /// Writes what the socket takes; false when the peer is gone.
    private func flush(_ state: inout Outgoing) -> Bool {
        while let packet = state.packets.first {
            let result = packet.bytes.withUnsafeBytes { bytes in
                LocalSocket.send(
                    UnsafeRawBufferPointer(rebasing: bytes[state.sent...]),
                    beside: state.sent == 0 ? packet.descriptors : [], to: descriptor)
            }
            guard let result else { return false }
            if result == 0, state.sent < packet.bytes.count { return true }
            state.sent += result
            state.waitingBytes -= result
            if state.sent == packet.bytes.count {
                state.packets.removeFirst()
                state.sent = 0
            }
        }
        return true
    }

    private func waitUntilWritable(_ state: inout Outgoing) {
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.rawValue, queue: Self.queue)
        source.setEventHandler { self.writeWaiting() }
        source.setCancelHandler { _ = self.descriptor }
        state.writer = Source(source: source)
        source.activate()
    }

    private func writeWaiting() {
        let finished = outgoing.withLock { state -> Source? in
            let alive = !state.isClosed && flush(&state)
            guard !alive || state.packets.isEmpty else { return nil }
            defer { state.writer = nil }
            return state.writer
        }
        finished?.source.cancel()
    }

    // MARK: The end

    /// Stops reading and writing; the peer sees the end of the stream.
    func close() {
        let sources = outgoing.withLock { state -> [Source] in
            guard !state.isClosed else { return [] }
            state.isClosed = true
            state.packets = []
            defer { (state.reader, state.writer) = (nil, nil) }
            return [state.reader, state.writer].compactMap { $0 }
        }
        shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
        for source in sources { source.source.cancel() }
    }
}
