import Glibc

/// The user namespace that this process runs in (user_namespaces(7)).
package enum UserNamespace {
    /// Whether the user of this process made it, and so decides what is seen in it: who root is, which files lie at the
    /// system's paths, who listens there.
    ///
    /// A container that somebody else started is not the user's own. Neither is a namespace that the user made with a
    /// second number of theirs (newuidmap(1)): from the inside that looks like a container.
    package static let isOwn: Bool = {
        guard let map = text(of: "/proc/self/uid_map") else { return access("/proc/self/ns", F_OK) != 0 }
        return isOwn(map: map, owner: owner(), user: geteuid())
    }()

    /// The same for a table of user_namespaces(7) and the one who made the namespace; nil where the kernel does not say.
    static func isOwn(map: String, owner: uid_t?, user: uid_t) -> Bool {
        let isFirst = map.split(whereSeparator: \.isWhitespace) == ["0", "0", "4294967295"]
        return !isFirst && (owner == nil || owner == user)
    }

    /// Who made the namespace (ioctl_ns(2), `NS_GET_OWNER_UID`).
    private static func owner() -> uid_t? {
        let descriptor = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var owner: uid_t = 0
        return ioctl(descriptor, 0xb704, &owner) == 0 ? owner : nil
    }

    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let bytes = try? FileContents.read(OwnedDescriptor(descriptor), limit: 1 << 16) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
