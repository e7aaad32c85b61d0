import CSys
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

    /// From now on, what arrives at this socket names the process that sent it.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when it is no Unix socket.
    package func wantCredentials() throws(ProtocolError) {
        try SystemCall.check("SO_PASSCRED") { csys_want_credentials(rawValue) }
    }

    /// What has arrived at this socket, and from which process: 0 where the kernel does not say.
    ///
    /// - Returns: nothing at its end; nil when nothing has arrived yet.
    package func receiveNamed(limit: Int) -> (bytes: [UInt8], sender: Int32)? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var sender = csys_peer()
        let count = csys_receive_credentials(rawValue, &bytes, limit, &sender)
        if count < 0 && errno == EAGAIN { return nil }
        return (Array(bytes[..<max(0, count)]), sender.pid)
    }
}
