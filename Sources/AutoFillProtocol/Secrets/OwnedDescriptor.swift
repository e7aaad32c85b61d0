import Glibc

/// A file descriptor that is closed when its last owner lets go of it.
package final class OwnedDescriptor: Sendable {
    /// The number, valid as long as this object lives.
    package let rawValue: CInt

    /// Takes over `rawValue`, which nobody else may close from now on.
    package init(_ rawValue: CInt) {
        self.rawValue = rawValue
    }

    deinit {
        close(rawValue)
    }

    /// A second descriptor of the same open file, close-on-exec.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when no descriptor is left.
    package func duplicate() throws(ProtocolError) -> OwnedDescriptor {
        OwnedDescriptor(try SystemCall.check("fcntl") { fcntl(rawValue, F_DUPFD_CLOEXEC, 3) })
    }
}
