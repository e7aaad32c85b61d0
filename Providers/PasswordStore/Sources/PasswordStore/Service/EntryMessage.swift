import AuthenticationServices
import PassEntries

/// What the extension tells the service: the name of an entry whose key is locked, and then the end.
enum EntryMessage {
    private static let maximumBytes = 4096

    /// Sends a name. What cannot be sent is not missed: the person tries again by hand.
    static func send(_ name: EntryName, _ connection: KeywayServiceConnection) {
        let bytes = Array(name.text.utf8)
        // A name is shorter than the buffer of a socket.
        _ = Glibc.send(connection.fileDescriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Receives a name, away from the threads of tasks.
    static func receive(_ connection: KeywayServiceConnection) async -> EntryName? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                var part = [UInt8](repeating: 0, count: maximumBytes)
                var limit = timeval(tv_sec: 5, tv_usec: 0)
                setsockopt(
                    connection.fileDescriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
                while bytes.count < maximumBytes {
                    let count = read(connection.fileDescriptor, &part, part.count)
                    guard count > 0 else { break }
                    bytes += part.prefix(count)
                }
                continuation.resume(returning: String(validating: bytes, as: UTF8.self).flatMap(EntryName.init))
            }
        }
    }
}
