import CSys
import Glibc

/// A memory file that a child process fills and seals: how a short program hands a secret back to whoever started it.
///
/// The child has it as its descriptor 3 (``ChildProcess``), so the secret stands in no pipe, argument or variable.
package struct ReturnedMemory: Sendable {
    /// What the child gets.
    package let descriptor: OwnedDescriptor

    /// An empty file, not yet sealed.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    package init() throws(ProtocolError) {
        descriptor = OwnedDescriptor(try SystemCall.check("memfd_create") { csys_memfd_create("keyway") })
    }

    /// What the child left, once it has ended.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when it sealed nothing.
    package func received() throws(ProtocolError) -> SealedMemory {
        try SealedMemory(received: descriptor)
    }

    /// In the child: writes the bytes into the inherited memory file and seals it.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`, also where the descriptor is no memory file.
    package static func fill(_ descriptor: OwnedDescriptor, with bytes: UnsafeRawBufferPointer) throws(ProtocolError) {
        guard WholeTransfer.write(bytes, to: descriptor.rawValue) else { throw .system("write", errno) }
        try seal(descriptor)
    }

    /// In the child: seals the inherited memory file, into which it wrote piece by piece.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`, also where the descriptor is no memory file.
    package static func seal(_ descriptor: OwnedDescriptor) throws(ProtocolError) {
        try SystemCall.check("fcntl") { csys_memfd_seal(descriptor.rawValue) }
    }
}
