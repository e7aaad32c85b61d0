import Glibc

/// The connection to the broker that a process was born with.
package enum InheritedChannel {
    /// The number of the descriptor.
    package static let descriptorNumber: CInt = 3

    /// The descriptor that the broker gave to this process.
    ///
    /// - Throws: ``ProtocolError`` with the code `disabled` when there is none, or when somebody else's is in its place.
    package static func take() throws(ProtocolError) -> OwnedDescriptor {
        guard isFromBroker(descriptorNumber) else {
            throw ProtocolError(.disabled, "This process was not started by keywayd.")
        }
        _ = fcntl(descriptorNumber, F_SETFD, FD_CLOEXEC)
        return OwnedDescriptor(descriptorNumber)
    }

    /// Whether a descriptor, which stays open whatever it is, is one end of a pair of sockets whose other end another
    /// process of this user made. A connection to a bus or to a display leads to a name, a pair leads to none.
    package static func isFromBroker(_ number: CInt) -> Bool {
        var name = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let hasPeer = withUnsafeMutableBytes(of: &name) { bytes in
            getpeername(number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length) == 0
        }
        guard hasPeer, name.sun_family == sa_family_t(AF_UNIX), length <= MemoryLayout<sa_family_t>.size else {
            return false
        }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        // The broker is outside of the sandbox that this process runs in.
        guard copy >= 0, let peer = PeerIdentity(socket: OwnedDescriptor(copy), mayBeOutside: true) else {
            return false
        }
        return peer.isOurUser && peer.processIdentifier != getpid()
    }
}
