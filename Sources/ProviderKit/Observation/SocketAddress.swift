import Glibc

/// Whom a socket is to reach, or how it is to be called.
enum SocketAddress: Hashable {
    /// Nobody in particular.
    case none
    /// A socket of a file: its path as it stands in the address.
    case path(String)
    /// A socket of this machine that is no file.
    case abstract(String)
    /// Somebody of another address family.
    case family(CInt)

    /// Takes the bytes of a `sockaddr`.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else {
            self = .none
            return
        }
        let family = CInt(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
        let name = bytes[2...]
        switch (family, name.first) {
        case (AF_UNSPEC, _), (AF_UNIX, nil): self = .none
        case (AF_UNIX, 0): self = .abstract(String(decoding: name.dropFirst(), as: UTF8.self))
        case (AF_UNIX, _): self = .path(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
        default: self = .family(family)
        }
    }
}
