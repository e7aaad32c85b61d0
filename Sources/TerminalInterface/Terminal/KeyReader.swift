import KeywayCrypto

/// Keys from a terminal, one by one. What was typed passes only through memory that is wiped.
struct KeyReader {
    /// How long the rest of an escape sequence may take before what came counts as the Escape key, in milliseconds:
    /// bytes of one key come together, over slow connections too.
    private static let patience = 50

    private let device: any TerminalDevice
    private let buffer = SecretBuffer()
    private var decoder = KeyDecoder()

    init(_ device: any TerminalDevice) {
        self.device = device
    }

    /// Waits for what comes next, `milliseconds` at most, and hands each key to `take` as soon as it is known, so that
    /// no list of them, which could be a secret, is ever made.
    mutating func read(milliseconds: Int?, _ take: (Key) throws -> Void) rethrows -> DeviceInput {
        let isWaiting = decoder.isWaiting
        let input = device.wait(milliseconds: isWaiting ? Self.patience : milliseconds, into: buffer)
        defer { buffer.removeAll() }
        switch input {
        case .bytes:
            for index in 0..<buffer.count {
                if let key = decoder.decode(buffer.withUnsafeBytes { $0[index] }) { try take(key) }
            }
        case .idle where isWaiting:
            if let key = decoder.flush() { try take(key) }
            return .bytes
        case .resumed: decoder = KeyDecoder()
        case .idle, .woken, .closed: break
        }
        return input
    }
}
