import Glibc
package import KeywayCrypto

/// The lines of a descriptor, read byte by byte so that nothing beyond the line is taken from who reads it next.
package struct InputLines: SecretLines {
    /// The longest line; what is longer is cut there.
    package static let limit = 1 << 16

    private let descriptor: CInt

    /// The lines of `descriptor`, which stays open.
    package init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    package func next() -> SecretBytes? {
        let line = SecretBuffer()
        while true {
            var count = 0
            line.append(count: 1) { room in
                repeat { count = read(descriptor, room.baseAddress, 1) } while count < 0 && errno == EINTR
            }
            guard count == 1 else {
                line.removeLast()
                return line.count > 0 ? line.finish() : nil
            }
            if line.withUnsafeBytes({ $0[$0.count - 1] }) == UInt8(ascii: "\n") {
                line.removeLast()
                return line.finish()
            }
            if line.count > Self.limit { line.removeLast() }
        }
    }
}
