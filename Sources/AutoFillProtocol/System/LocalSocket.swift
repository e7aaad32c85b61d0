import CSys
import Glibc

/// Stream sockets of this machine: the calls that make them.
package enum LocalSocket {
    /// Two connected ends.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    package static func pair() throws(ProtocolError) -> (OwnedDescriptor, OwnedDescriptor) {
        var ends: [CInt] = [-1, -1]
        try SystemCall.check("socketpair") { csys_socketpair(&ends) }
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }

    /// A socket that listens at `path`, mode 0600, and never blocks in ``accept(_:)``.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`: the path exists, is too long, or its folder is missing.
    package static func listen(at path: String) throws(ProtocolError) -> OwnedDescriptor {
        OwnedDescriptor(try SystemCall.check("listen \(path)") { csys_listen(path, SOMAXCONN) })
    }

    /// A socket connected to `path`; nil when nobody listens there: no file, or one that was left behind.
    ///
    /// - Parameter patience: how many milliseconds whoever listens may take no connection; 0 is as long as it takes.
    /// - Throws: ``ProtocolError`` with the code `system` for anything else.
    package static func connect(
        to path: String, within patience: CInt = 0
    ) throws(ProtocolError) -> OwnedDescriptor? {
        let descriptor = csys_connect(path, patience)
        guard descriptor < 0 else { return OwnedDescriptor(descriptor) }
        guard errno == ENOENT || errno == ECONNREFUSED else { throw .system("connect \(path)", errno) }
        return nil
    }

    /// The next connection that waits at a listening socket; nil when none does.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`, as when no descriptor is left.
    package static func accept(_ listening: OwnedDescriptor) throws(ProtocolError) -> OwnedDescriptor? {
        let descriptor = csys_accept(listening.rawValue)
        guard descriptor < 0 else { return OwnedDescriptor(descriptor) }
        guard [EAGAIN, EWOULDBLOCK, ECONNABORTED].contains(errno) else { throw .system("accept", errno) }
        return nil
    }
}
