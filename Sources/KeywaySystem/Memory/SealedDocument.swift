import CSys
import Glibc

/// A whole document in an anonymous memory file that can no longer change: what ``SealedMemory`` is to one secret.
///
/// It is read where it lies, by a mapping, so that it needs no memory a second time. Nobody can write into it or make it
/// shorter meanwhile, since only sealed files are taken.
package final class SealedDocument: Sendable {
    /// The most bytes of a document: 128 MiB, a hundred thousand accounts.
    package static let maximumCount = 128 << 20
    /// The most bytes of one that comes from the vault: as much as it can have, within what a computer has.
    package static let maximumExport = 2 << 30

    /// The memory file.
    package let descriptor: OwnedDescriptor
    /// How many bytes it holds.
    package let count: Int

    /// Takes a memory file that came from another process.
    ///
    /// - Parameter limit: the most bytes that it may have.
    /// - Throws: ``ProtocolError``: `invalidParameters` when it is no sealed memory file, or larger than `limit`.
    package init(
        received descriptor: OwnedDescriptor, limit: Int = maximumCount
    ) throws(ProtocolError) {
        var status = stat()
        guard csys_memfd_is_sealed(descriptor.rawValue) == 1, fstat(descriptor.rawValue, &status) == 0 else {
            throw ProtocolError(.invalidParameters, "The document is not a sealed memory file.")
        }
        guard (0...Int64(limit)).contains(Int64(status.st_size)) else {
            throw ProtocolError(.invalidParameters, "The document is larger than \(limit >> 20) MiB.")
        }
        self.descriptor = descriptor
        count = Int(status.st_size)
    }

    /// Makes a memory file of the pieces that `body` writes, in order, and seals it.
    ///
    /// - Parameter limit: the most bytes that it may have.
    /// - Throws: ``ProtocolError``: what `body` throws; `system`; `refused` for more than `limit`.
    package convenience init(
        limit: Int = maximumCount,
        _ body: (_ write: @escaping (UnsafeRawBufferPointer) throws(ProtocolError) -> Void) throws(ProtocolError) ->
            Void
    ) throws(ProtocolError) {
        let file = OwnedDescriptor(try SystemCall.check("memfd_create") { csys_memfd_create("keyway") })
        var left = limit
        try body { (piece) throws(ProtocolError) in
            left -= piece.count
            guard left >= 0 else {
                throw ProtocolError(.refused, "The document would be larger than \(limit >> 20) MiB.")
            }
            guard WholeTransfer.write(piece, to: file.rawValue) else { throw .system("write", errno) }
        }
        try SystemCall.check("fcntl") { csys_memfd_seal(file.rawValue) }
        try self.init(received: file, limit: limit)
    }

    /// Lends the bytes, which are read from the file as they are needed.
    ///
    /// - Throws: what `body` throws; ``ProtocolError`` with the code `system` where it can't be mapped.
    package func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(ProtocolError) -> Result
    ) throws(ProtocolError) -> Result {
        let mapping = try map()
        return try withExtendedLifetime(mapping) { () throws(ProtocolError) in try body(mapping.bytes) }
    }

    /// Maps the bytes, for who reads them over a while.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` where it can't be mapped.
    package func map() throws(ProtocolError) -> MappedDocument { try MappedDocument(self) }
}

/// The bytes of a ``SealedDocument``, which are read from the file as they are needed.
// SAFETY: nobody can write into the file any more, and the mapping stays until the last reference goes.
package final class MappedDocument: @unchecked Sendable {
    /// The bytes, as long as this lives.
    package let bytes: UnsafeRawBufferPointer

    fileprivate init(_ document: SealedDocument) throws(ProtocolError) {
        guard document.count > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let start = mmap(nil, document.count, PROT_READ, MAP_SHARED, document.descriptor.rawValue, 0),
            start != MAP_FAILED
        else { throw .system("mmap", errno) }
        bytes = UnsafeRawBufferPointer(start: start, count: document.count)
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }
}
