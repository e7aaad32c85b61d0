import KeywayCrypto
import KeywaySystem
import Synchronization

/// The way to the browser: whole frames, one after the other, over a pipe.
final class FrameOutput: Sendable {
    private let descriptor: CInt
    /// False once the browser has stopped reading.
    private let isOpen = Mutex(true)

    /// Writes to `descriptor`, which stays the caller's.
    init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Sends a message; it is lost when the browser is gone, whose end of the other pipe then says so.
    func send(_ json: [UInt8]) {
        json.withUnsafeBytes { send($0) }
    }

    /// Sends an answer, and wipes the one with a secret in it.
    func send(_ answer: HostAnswer) {
        switch answer {
        case .plain(let json): send(json)
        case .secret(let json):
            json.withUnsafeBytes { send($0) }
            json.removeAll()
        }
    }

    private func send(_ json: UnsafeRawBufferPointer) {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            isOpen =
                withUnsafeBytes(of: UInt32(json.count)) { WholeTransfer.write($0, to: descriptor) }
                && WholeTransfer.write(json, to: descriptor)
        }
    }
}
