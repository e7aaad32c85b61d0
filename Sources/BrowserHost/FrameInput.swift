import AutoFillWire
import Glibc

/// The way from the browser: frames over a pipe, read on the thread that asks.
struct FrameInput {
    private let descriptor: CInt
    private var reader: FrameReader
    private let chunk: UnsafeMutableRawBufferPointer

    /// How the stream ended.
    enum End: Hashable {
        /// The browser closed the pipe between two messages: it ends the host in no other way.
        case complete
        /// In the middle of a message, or by an error of the pipe.
        case truncated
    }

    /// Reads every frame until the stream ends.
    static func read(descriptor: CInt, limit: Int, _ receive: (FrameReader.Event) -> Void) -> End {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        var input = FrameInput(descriptor: descriptor, reader: FrameReader(limit: limit), chunk: chunk)
        return input.run(receive)
    }

    private mutating func run(_ receive: (FrameReader.Event) -> Void) -> End {
        while true {
            let count = Glibc.read(descriptor, chunk.baseAddress, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count == 0 && reader.isAtBoundary ? .complete : .truncated }
            reader.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            while let event = reader.next() { receive(event) }
        }
    }
}
