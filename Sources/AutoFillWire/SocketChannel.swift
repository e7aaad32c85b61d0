import Glibc
import KeywaySystem
import Synchronization

/// Reads frames and descriptors from one socket as they arrive, and writes without ever blocking.
final class SocketChannel: Sendable {
    /// What came in, in order, on one thread.
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
        var registration: SocketLoop.Registration?
        var waitsToWrite = false
    }

    private static let chunk = 1 << 16
    /// How much is read before other sockets of this process have their turn.
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
        let isRead = outgoing.withLock { state in
            guard !state.isClosed else { return true }
            // The loop keeps this object, and so the descriptor, until the socket is closed.
            state.registration = SocketLoop.shared.add(descriptor) { readiness in
                if readiness.contains(.writing) { self.writeWaiting() }
                if readiness.contains(.reading) { self.readAvailable(handler) }
            }
            if !state.packets.isEmpty { waitUntilWritable(&state) }
            return state.registration != nil
        }
        if !isRead { handler(.closed) }
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

    /// Reads what is there, but not for so long that others of this process are kept waiting: what is left is told again.
    private func readAvailable(_ handler: @escaping @Sendable (Event) -> Void) {
        for _ in 0..<Self.chunksAtOnce {
            guard !outgoing.withLock({ $0.isClosed }) else { return }
            switch receiveChunk() {
            case .nothing: return
            case .end:
                stopReading()
                return handler(.closed)
            case .bytes(let areAll):
                handOver(handler)
                if areAll { return }
            }
        }
    }

    /// The end is told once.
    private func stopReading() {
        let registration = outgoing.withLock { state in
            defer { state.registration = nil }
            return state.registration
        }
        if let registration { SocketLoop.shared.remove(registration) }
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
        /// As much as fitted, or all that was there.
        case bytes(areAll: Bool)
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
                guard $0.descriptors.count <= limits.waitingDescriptors else { return .end }
                return .bytes(areAll: received.count < Self.chunk)
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
            if !state.packets.isEmpty && !state.waitsToWrite { waitUntilWritable(&state) }
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
        guard let registration = state.registration else { return }
        state.waitsToWrite = true
        SocketLoop.shared.setWaitsToWrite(true, registration)
    }

    private func writeWaiting() {
        outgoing.withLock { state in
            let isOver = state.isClosed || !flush(&state) || state.packets.isEmpty
            guard isOver, let registration = state.registration else { return }
            state.waitsToWrite = false
            SocketLoop.shared.setWaitsToWrite(false, registration)
        }
    }

    // MARK: The end

    /// Stops reading and writing; the peer sees the end of the stream.
    func close() {
        let registration = outgoing.withLock { state -> SocketLoop.Registration? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            state.packets = []
            defer { state.registration = nil }
            return state.registration
        }
        shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
        if let registration { SocketLoop.shared.remove(registration) }
    }
}
