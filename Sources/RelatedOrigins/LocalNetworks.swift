import Glibc

/// The networks that this machine's interfaces are part of, whatever addresses they use: what answers there is behind
/// the router like a printer, or this machine itself.
struct LocalNetworks: Sendable {
    /// Addresses that have the first bits of one in common.
    struct Network: Sendable {
        let address: [UInt8]
        let mask: [UInt8]

        /// The network of an interface; nil where the mask fits no address of that kind. One that would be everything
        /// there is, as some tunnels have it, is that address alone.
        init?(address: [UInt8], mask: [UInt8]) {
            guard address.count == mask.count else { return nil }
            self.address = address
            self.mask = mask.allSatisfy { $0 == 0 } ? [UInt8](repeating: 0xff, count: mask.count) : mask
        }

        func contains(_ other: [UInt8]) -> Bool {
            other.count == address.count && zip(zip(other, address), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
        }
    }

    private let networks: [Network]

    init(_ networks: [Network]) {
        self.networks = networks
    }

    /// Whether the address, 4 or 16 bytes long, lies in one of them.
    func contains(_ address: [UInt8]) -> Bool { networks.contains { $0.contains(address) } }

    /// Those of this machine now; nil where the kernel does not say.
    static func current() -> LocalNetworks? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var networks: [Network] = []
        var next = first
        while let entry = next {
            networks += Self.networks(of: entry.pointee)
            next = entry.pointee.ifa_next
        }
        return LocalNetworks(networks)
    }

    /// The network of one address, and at a line between two machines the other end.
    private static func networks(of entry: ifaddrs) -> [Network] {
        guard let address = bytes(entry.ifa_addr) else { return [] }
        let whole = [UInt8](repeating: 0xff, count: address.count)
        var found = [Network(address: address, mask: bytes(entry.ifa_netmask) ?? whole)]
        // Of an interface that broadcasts it is the address for that.
        if let other = bytes(entry.ifa_ifu.ifu_dstaddr) { found.append(Network(address: other, mask: whole)) }
        return found.compactMap { $0 }
    }

    /// The address; nil for those of other kinds.
    private static func bytes(_ address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        address.flatMap { PublicAddress.bytes(of: UnsafePointer($0)) }
    }
}
