import AutoFillProtocol

/// The bus of the system, for processes that make no sockets of their own.
enum SystemBusSocket {
    /// Where it lies on every system.
    private static let path = "/run/dbus/system_bus_socket"

    /// A socket that is connected to the bus, on which nothing has been said.
    ///
    /// - Throws: ``ProtocolError``: `notFound` where there is no bus, or `system`.
    static func connect() throws(ProtocolError) -> OwnedDescriptor {
        guard let socket = try LocalSocket.connect(to: path) else {
            throw ProtocolError(.notFound, "This machine has no system bus at \(path).")
        }
        return socket
    }
}
