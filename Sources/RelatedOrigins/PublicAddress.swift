import Glibc

/// Which addresses of the internet belong to everybody: a page must not have this machine ask what stands behind the
/// router, or on it.
enum PublicAddress {
    /// Whether a connection to `address` leaves for the open internet.
    ///
    /// - Parameters:
    ///   - networks: the machine's own, which count as private whatever their addresses; nil where they are not known, and
    ///     nothing is let out.
    ///   - isLoopbackAllowed: for tests.
    static func isAllowed(
        _ address: UnsafePointer<sockaddr>, networks: LocalNetworks?, isLoopbackAllowed: Bool
    ) -> Bool {
        guard let bytes = bytes(of: address) else { return false }
        if isLoopbackAllowed && isLoopback(bytes) { return true }
        guard let networks, !networks.contains(bytes) else { return false }
        guard bytes.count == 16 else { return isPublic(four: bytes) }
        return isPublic(six: bytes) && !(inner(of: bytes).map(networks.contains) ?? false)
    }

    /// The bytes of an address of the internet; nil for one of another kind.
    static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8]? {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
                withUnsafeBytes(of: four.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { six in
                withUnsafeBytes(of: six.pointee.sin6_addr) { Array($0) }
            }
        default: nil
        }
    }

    private static func isLoopback(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The address of the old kind that one of the new kind leads to: by NAT64 (RFC 6052) or 6to4 (RFC 3056). What is
    /// mapped (`::ffff:0:0/96`) is never public.
    private static func inner(of bytes: [UInt8]) -> [UInt8]? {
        if isNAT64(bytes) { return Array(bytes.suffix(4)) }
        return bytes[0] == 0x20 && bytes[1] == 0x02 ? Array(bytes[2..<6]) : nil
    }

    private static func isNAT64(_ bytes: [UInt8]) -> Bool {
        Array(bytes.prefix(12)) == [0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8)
    }

    /// IANA's registry of special-purpose addresses (RFC 6890) without those that are globally reachable; multicast and
    /// reserved ones.
    static func isPublic(four bytes: [UInt8]) -> Bool {
        let (first, second, third) = (bytes[0], bytes[1], bytes[2])
        switch first {
        case 0, 10, 127, 224...255: return false
        case 100: return !(64...127).contains(second)
        case 169: return second != 254
        case 172: return !(16...31).contains(second)
        case 192: return !(second == 168 || second == 0 && (third == 0 || third == 2) || second == 88 && third == 99)
        case 198: return !(second == 18 || second == 19 || second == 51 && third == 100)
        case 203: return !(second == 0 && third == 113)
        default: return true
        }
    }

    /// Only global unicast (2000::/3), without what carries an address of the old kind or stands for documents.
    static func isPublic(six bytes: [UInt8]) -> Bool {
        guard bytes[0] & 0xe0 == 0x20 else {
            // The address behind it counts.
            return isNAT64(bytes) && isPublic(four: Array(bytes.suffix(4)))
        }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x20, 0x01, 0x0d, 0xb8), (0x20, 0x01, 0x00, 0x00...0x3f), (0x20, 0x01, 0x01, _): return false
        case (0x20, 0x02, _, _): return isPublic(four: Array(bytes[2..<6]))
        case (0x3f, 0xff, 0x00...0x0f, _): return false
        default: return true
        }
    }
}
