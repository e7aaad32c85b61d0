import Glibc
package import KeywaySystem

/// The socket of the system bus: always at the system's path, and believed only when the system listens there.
///
/// `DBUS_SYSTEM_BUS_ADDRESS` is not read: whoever starts a program of ours could name a bus of their own in it, on which
/// every finger matches and polkit agrees to everything.
package enum SystemBusSocket {
    /// Where it lies; the second only where `/var/run` is not the first one's folder.
    private static let paths = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"]
    /// The users that the bus runs as when it is not root, by the names that distributions give them.
    private static let names = ["messagebus", "dbus"]
    /// Numbers from here on belong to people.
    private static let people: UInt32 = 1000
    /// How long a bus may leave a connection waiting, in milliseconds.
    private static let patience: CInt = 3000

    /// A connection to the system bus on which nothing was said yet.
    ///
    /// - Throws: ``BusError`` with the code `noBus`: nobody listens there, or somebody who is not the system.
    package static func open() throws(BusError) -> OwnedDescriptor {
        guard !UserNamespace.isOwn else {
            throw BusError(.noBus, "in a user namespace of your own nobody can be told from the system")
        }
        for path in paths {
            guard let socket = try connect(to: path) else { continue }
            guard let peer = PeerIdentity(socket: socket, mayBeOutside: true),
                isSystem(peer.userIdentifier)
            else { throw BusError(.noBus, "who listens at \(path) is not the system") }
            return socket
        }
        throw BusError(.noBus, "nobody listens at \(paths[0])")
    }

    private static func connect(to path: String) throws(BusError) -> OwnedDescriptor? {
        do throws(ProtocolError) {
            return try LocalSocket.connect(to: path, within: patience)
        } catch {
            throw BusError(.noBus, error.message)
        }
    }

    /// Whether a bus that this user listens at is the system's.
    static func isSystem(_ user: UInt32) -> Bool {
        if user == 0 { return true }
        return user < people && names.contains { getpwnam($0)?.pointee.pw_uid == user }
    }
}
