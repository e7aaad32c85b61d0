/// Cuts a stream of bytes into native-messaging frames: a 32-bit length in native byte order, then that much JSON.
///
/// It allocates nothing on the word of the sender: a frame over the limit is skipped, however long it says it is.
package struct FrameReader {
    /// What came out of the stream.
    package enum Event: Equatable {
        /// A whole frame's JSON.
        case frame([UInt8])
        /// A frame was announced with this many bytes, which is over the limit; they are being skipped.
        case tooLarge(Int)
    }

    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var skipping = 0

    /// A reader that refuses frames of more than `limit` bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// True between two frames, when nothing is half read.
    package var isAtBoundary: Bool { start == buffer.count && skipping == 0 }

    /// Takes what arrived.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let skipped = min(skipping, bytes.count)
        skipping -= skipped
        guard skipped < bytes.count else { return }
        if start > 0 && start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
            start = 0
        }
        buffer.append(contentsOf: bytes[skipped...])
    }

    /// The next frame, or nil when more bytes are needed.
    package mutating func next() -> Event? {
        guard skipping == 0, let length = announcedLength() else { return nil }
        guard length <= limit else {
            skip(length)
            return .tooLarge(length)
        }
        let end = start + 4 + length
        guard buffer.count >= end else { return nil }
        let frame = Array(buffer[(start + 4)..<end])
        start = end
        compact()
        return .frame(frame)
    }

    private func announcedLength() -> Int? {
        guard buffer.count - start >= 4 else { return nil }
        return buffer.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: start, as: UInt32.self)) }
    }

    private mutating func skip(_ length: Int) {
        let available = buffer.count - start - 4
        let now = min(length, available)
        start += 4 + now
        skipping = length - now
        compact()
    }

    private mutating func compact() {
        guard start > 1 << 16 || start == buffer.count else { return }
        buffer.removeFirst(start)
        start = 0
    }
}

/// Puts the length before the JSON.
package enum FrameWriter {
    /// The frame of `json`.
    package static func frame(_ json: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count + 4)
        withUnsafeBytes(of: UInt32(json.count)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: json)
        return bytes
    }
}
