import CSys
import Foundation
import Glibc
import Testing

@testable import AutoFillWire
@testable import KeywaySystem

/// The other end of a connection, held by hand: writes any bytes, reads frames.
final class RawPeer {
    let descriptor: OwnedDescriptor
    private var reader = FrameReader(limit: 1 << 24)

    init(_ descriptor: OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// A connection and the raw end opposite to it.
    static func pair(
        peer: Connection.Peer = .known(.terminal), methods: MethodTable = MethodTable(),
        limits: WireLimits = WireLimits()
    ) throws -> (connection: Connection, raw: RawPeer) {
        let (one, other) = try LocalSocket.pair()
        let connection = Connection(descriptor: one, peer: peer, methods: methods, limits: limits)
        connection.start()
        return (connection, RawPeer(other))
    }

    func write(_ bytes: [UInt8], descriptors: [CInt] = []) throws {
        var rest = bytes[...]
        var first = descriptors
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { part in
                part.baseAddress.map { csys_send(descriptor.rawValue, $0, part.count, first, first.count) } ?? 0
            }
            try #require(sent > 0)
            first = []
            rest = rest.dropFirst(sent)
        }
    }

    func send(_ json: String, descriptors: [CInt] = []) throws {
        try write(FrameWriter.frame(Array(json.utf8)), descriptors: descriptors)
    }

    /// The next frame, as text; fails after a minute, or at the end of the stream.
    func receive() async throws -> String {
        while true {
            if let event = reader.next() {
                guard case .frame(let bytes) = event else { throw ProtocolError(.frameTooLarge, "unexpected") }
                return String(decoding: bytes, as: UTF8.self)
            }
            guard try await fill() else { throw ProtocolError(.connectionClosed, "the other side closed") }
        }
    }

    /// Whether the other side closes, and sends nothing before.
    func seesEnd() async throws -> Bool { try await !fill() }

    private func fill() async throws -> Bool {
        let number = descriptor.rawValue
        // On a thread of its own: the few of Swift's pool are needed by the connection under test.
        let bytes = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Self.read(from: number)) }
        }
        let arrived = try #require(bytes, "nothing came within a minute")
        arrived.withUnsafeBytes { reader.append($0) }
        return !arrived.isEmpty
    }

    /// What comes next; empty at the end of the stream, nil when nothing comes for a minute.
    private static func read(from number: CInt) -> [UInt8]? {
        var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 60_000) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        return Array(buffer[..<max(0, Glibc.read(number, &buffer, buffer.count))])
    }
}

/// Two connections that talk to each other.
func connectedPair(
    client: MethodTable = MethodTable(), server: MethodTable, role: Role = .terminal
) throws -> (client: Connection, server: Connection) {
    let (one, other) = try LocalSocket.pair()
    let first = Connection(descriptor: one, peer: .known(.broker), methods: client)
    let second = Connection(descriptor: other, peer: .known(role), methods: server)
    first.start()
    second.start()
    return (first, second)
}

/// A secret of `text`.
func sealed(_ text: String) throws -> SealedMemory {
    var text = text
    return try text.withUTF8 { try SealedMemory(copying: UnsafeRawBufferPointer($0)) }
}

/// The text of a secret.
func opened(_ memory: SealedMemory) throws -> String {
    try memory.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

/// Ours, where the testing library has a type of the same name.
typealias Attachment = AutoFillWire.Attachment
