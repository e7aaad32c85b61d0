import CSys
import Glibc

/// Bytes in an anonymous memory file that can no longer change. Secrets travel between processes in this form.
///
/// The bytes are never mapped or kept here. A caller that needs them passes a buffer to ``read(into:)`` or works
/// inside ``withUnsafeBytes(_:)``, which wipes its copy before it returns.
package struct SealedMemory: Sendable {
    /// The most bytes that one memory file may hold, 16 MiB: passwords and notes are far below it.
    package static let maximumCount = 16 << 20

    /// The memory file.
    package let descriptor: OwnedDescriptor
    /// How many bytes it holds.
    package let count: Int

    /// Copies `bytes` into a new memory file and seals it.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`, or `invalidParameters` over ``maximumCount``.
    package init(copying bytes: UnsafeRawBufferPointer) throws(ProtocolError) {
        guard bytes.count <= Self.maximumCount else {
            throw ProtocolError(.invalidParameters, "A secret of \(bytes.count) bytes is over the limit.")
        }
        let file = OwnedDescriptor(try SystemCall.check("memfd_create") { csys_memfd_create("keyway") })
        guard WholeTransfer.write(bytes, to: file.rawValue) else { throw .system("write", errno) }
        try SystemCall.check("fcntl") { csys_memfd_seal(file.rawValue) }
        descriptor = file
        count = bytes.count
    }

    /// Takes a memory file that came from another process.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when it is no sealed memory file or too large: its
    ///   sender could change it under our hands.
    package init(received descriptor: OwnedDescriptor) throws(ProtocolError) {
        var status = stat()
        guard csys_memfd_is_sealed(descriptor.rawValue) == 1, fstat(descriptor.rawValue, &status) == 0 else {
            throw ProtocolError(.invalidParameters, "The descriptor is not a sealed memory file.")
        }
        guard status.st_size >= 0 && status.st_size <= Self.maximumCount else {
            throw ProtocolError(.invalidParameters, "The memory file is over the limit.")
        }
        self.descriptor = descriptor
        count = Int(status.st_size)
    }

    /// Reads all bytes into `buffer`, which the caller keeps in memory of the right kind and holds ``count`` bytes.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ProtocolError) {
        precondition(buffer.count == count, "the buffer must hold exactly the file")
        let read = WholeTransfer.read(into: buffer, from: descriptor.rawValue, at: 0)
        guard read == count else { throw .system("pread", read == nil ? errno : EIO) }
    }

    /// Whether `other` holds the same bytes; takes as long wherever they differ.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    package func hasSameBytes(as other: SealedMemory) throws -> Bool {
        guard count == other.count else { return false }
        return try withUnsafeBytes { ours in
            try other.withUnsafeBytes { theirs in
                zip(ours, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
            }
        }
    }

    /// Lends a copy of the bytes to `body` and wipes it.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 16)
        defer {
            if let base = buffer.baseAddress { csys_wipe(base, buffer.count) }
            buffer.deallocate()
        }
        let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try read(into: bytes)
        return try body(UnsafeRawBufferPointer(bytes))
    }
}

extension SealedMemory: CustomStringConvertible, CustomReflectable {
    package var description: String { "SealedMemory(\(count) bytes)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
