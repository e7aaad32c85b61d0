package import KeywaySystem

/// Which bus is meant. No program takes the system's from its environment.
package enum BusPlace: Sendable {
    /// The system bus, at the system's path, as long as root or the bus's own user listens there.
    case system
    /// The bus behind a socket on which nothing was said yet: the system's, which the broker hands to a process that may
    /// make no sockets.
    case socket(OwnedDescriptor)
    /// The bus at an address, in the syntax of D-Bus: the one of a desktop session, or of a test.
    case address(String)
}
