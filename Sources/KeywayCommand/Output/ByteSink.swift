import KeywayCrypto
import KeywaySystem

/// Where bytes go: standard output, standard error, or a test's memory.
package protocol ByteSink: Sendable {
    /// Writes all bytes.
    ///
    /// - Throws: ``CommandError`` when they cannot be written.
    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError)
}

/// An open descriptor.
package struct DescriptorSink: ByteSink {
    private let descriptor: CInt

    /// The descriptor `descriptor`, which stays open.
    package init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
        guard WholeTransfer.write(bytes, to: descriptor) else {
            throw CommandError(.failure, Strings.cannotWrite)
        }
    }
}

extension ByteSink {
    /// Writes text.
    func write(_ text: String) throws(CommandError) {
        var text = text
        // Not typed by the standard library: the closure throws nothing else.
        let result = text.withUTF8 { bytes -> Result<Void, CommandError> in
            do throws(CommandError) { return .success(try write(UnsafeRawBufferPointer(bytes))) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Writes what a buffer holds.
    func write(_ buffer: SecretBuffer) throws(CommandError) {
        try buffer.withUnsafeBytes { (bytes) throws(CommandError) in try write(bytes) }
    }
}
