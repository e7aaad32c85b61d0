import Glibc

/// Which addresses of the internet belong to everybody: a page must not have this machine ask what stands behind the
/// router, or on it.
enum PublicAddress {
    /// Whether a connection to `address` leaves for the open internet; `isLoopbackAllowed` for tests.
    static func isAllowed(_ address: UnsafePointer<sockaddr>, isLoopbackAllowed: Bool) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
                withUnsafeBytes(of: four.pointee.sin_addr) { Array($0) }
            }
            return isPublic(four: bytes) || isLoopbackAllowed && bytes[0] == 127
        case AF_INET6:
            let bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { six in
                withUnsafeBytes(of: six.pointee.sin6_addr) { Array($0) }
            }
            return isPublic(six: bytes) || isLoopbackAllowed && bytes == [UInt8](repeating: 0, count: 15) + [1]
        default: return false
        }
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
            // NAT64 (RFC 6052): the address behind it counts.
            guard Array(bytes.prefix(12)) == [0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8) else {
                return false
            }
            return isPublic(four: Array(bytes.suffix(4)))
        }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x20, 0x01, 0x0d, 0xb8), (0x20, 0x01, 0x00, 0x00...0x3f), (0x20, 0x01, 0x01, _): return false
        case (0x20, 0x02, _, _): return isPublic(four: Array(bytes[2..<6]))
        case (0x3f, 0xff, 0x00...0x0f, _): return false
        default: return true
        }
    }
}
