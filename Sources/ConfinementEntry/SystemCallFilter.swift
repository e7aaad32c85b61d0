import CLandlock
import CSeccomp
import Confinement
import Glibc

/// Which system calls may be made: filters of seccomp(2), of which the strictest answer
/// counts.
enum SystemCallFilter {
    /// Takes the filters upon this process, for good.
    ///
    /// - Throws: ``ConfineError`` when the kernel refuses them.
    static func load(usesNetwork: Bool, isKeeper: Bool) throws(ConfineError) {
        // In this order: the last one forbids everything that it does not name.
        try filter(otherwise: cseccomp_allow()) { (filter) throws(ConfineError) in
            try forbid(filter, usesNetwork: usesNetwork)
        }
        if isKeeper {
            try filter(otherwise: cseccomp_allow()) { (filter) throws(ConfineError) in
                try KeeperCalls.forbid(filter, process: getpid())
            }
        }
        try filter(otherwise: cseccomp_fail_with(UInt16(ENOSYS))) { (filter) throws(ConfineError) in
            for name in SystemCallClasses.allowed { try add(filter, cseccomp_allow(), name, []) }
        }
    }

    // MARK: - What some values of an argument would do

    private static let namespaces = UInt64(CLANDLOCK_NAMESPACES)
    /// Puts characters into a terminal as if they had been typed (TIOCSTI, TIOCLINUX of ioctl(2)).
    private static let typing: [UInt64] = [0x5412, 0x541C]
    static let lower: UInt64 = 0xffff_ffff

    private static func forbid(_ filter: scmp_filter_ctx, usesNetwork: Bool) throws(ConfineError) {
        let fail = cseccomp_fail_with(UInt16(EPERM))
        for bit in (0..<32).map({ UInt64(1) << $0 }) where namespaces & bit != 0 {
            try add(filter, fail, "clone", [when(0, SCMP_CMP_MASKED_EQ, bit, bit)])
        }
        for number in typing { try add(filter, fail, "ioctl", [when(1, SCMP_CMP_MASKED_EQ, lower, number)]) }
        try sockets(filter, usesNetwork)
        // A node of a device would be the device.
        for (name, argument) in [("mknod", UInt32(1)), ("mknodat", 2)] {
            for kind in [S_IFCHR, S_IFBLK] {
                try add(filter, fail, name, [when(argument, SCMP_CMP_MASKED_EQ, UInt64(S_IFMT), UInt64(kind))])
            }
        }
    }

    /// Every family of sockets but those: Unix, and the internet where the network is declared.
    private static func sockets(_ filter: scmp_filter_ctx, _ usesNetwork: Bool) throws(ConfineError) {
        let fail = cseccomp_fail_with(UInt16(EAFNOSUPPORT))
        var families = [UInt64(AF_UNIX)]
        // With these, the C library also asks the kernel which interfaces there are.
        if usesNetwork { families += [UInt64(AF_INET), UInt64(AF_INET6), UInt64(AF_NETLINK)] }
        for name in ["socket", "socketpair"] {
            var next: UInt64 = 0
            for family in families.sorted() {
                for other in next..<family {
                    try add(filter, fail, name, [when(0, SCMP_CMP_MASKED_EQ, lower, other)])
                }
                next = family + 1
            }
            try add(filter, fail, name, [when(0, SCMP_CMP_GE, next)])
        }
        guard usesNetwork else { return }
        // Of netlink, the routes alone (0); no packets as they are on the wire.
        try add(
            filter, fail, "socket",
            [when(0, SCMP_CMP_MASKED_EQ, lower, UInt64(AF_NETLINK)), when(2, SCMP_CMP_NE, 0)])
        for family in [AF_INET, AF_INET6] {
            try add(
                filter, fail, "socket",
                [
                    when(0, SCMP_CMP_MASKED_EQ, lower, UInt64(family)),
                    when(1, SCMP_CMP_MASKED_EQ, 0xf, UInt64(SOCK_RAW.rawValue)),
                ])
        }
    }

    // MARK: - libseccomp

    static func when(
        _ argument: UInt32, _ operation: scmp_compare, _ first: UInt64, _ second: UInt64 = 0
    ) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: operation, datum_a: first, datum_b: second)
    }

    private static func filter(
        otherwise action: UInt32, _ fill: (scmp_filter_ctx) throws(ConfineError) -> Void
    ) throws(ConfineError) {
        guard let filter = seccomp_init(action) else { throw ConfineError("seccomp", ENOMEM) }
        defer { seccomp_release(filter) }
        try fill(filter)
        let result = seccomp_load(filter)
        guard result == 0 else { throw ConfineError("seccomp", -result) }
    }

    static func add(
        _ filter: scmp_filter_ctx, _ action: UInt32, _ name: String, _ comparisons: [scmp_arg_cmp]
    ) throws(ConfineError) {
        let number = seccomp_syscall_resolve_name(name)
        // Not a call of this architecture, or one that this libseccomp does not know.
        guard number >= 0 else { return }
        let result = seccomp_rule_add_array(filter, action, number, UInt32(comparisons.count), comparisons)
        guard result == 0 else { throw ConfineError("seccomp: \(name)", -result) }
    }
}
