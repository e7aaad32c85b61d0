import CLandlock
import Confinement
import Glibc

/// Landlock: which files may be reached, whatever else a process can see.
enum Landlock {
    private static let reading = UInt64(CLANDLOCK_READ_FILE | CLANDLOCK_READ_FOLDER)
    private static let writing =
        reading | UInt64(CLANDLOCK_WRITE_FILE | CLANDLOCK_CHANGE_FOLDER | CLANDLOCK_REFER | CLANDLOCK_TRUNCATE)
    private static let using = UInt64(CLANDLOCK_READ_FILE | CLANDLOCK_WRITE_FILE | CLANDLOCK_IOCTL_DEVICE)
    private static let running = UInt64(CLANDLOCK_EXECUTE | CLANDLOCK_READ_FILE | CLANDLOCK_READ_FOLDER)
    /// What can be said about a file that is no folder.
    private static let ofFiles = UInt64(
        CLANDLOCK_EXECUTE | CLANDLOCK_WRITE_FILE | CLANDLOCK_READ_FILE | CLANDLOCK_TRUNCATE | CLANDLOCK_IOCTL_DEVICE)

    /// Takes upon this process that it reaches what the command names and nothing else.
    ///
    /// - Throws: ``ConfineError`` when the kernel has no Landlock and the command needs it, or refuses.
    static func restrict(to command: ConfineCommand) throws(ConfineError) {
        let version = clandlock_version()
        guard version >= 1 else {
            guard command.needsLandlock else { return }
            throw ConfineError("Landlock is not in this kernel", errno)
        }
        let files = filesKnown(in: version)
        let network = version >= 4 && !command.usesNetwork ? CLANDLOCK_BIND_TCP | CLANDLOCK_CONNECT_TCP : 0
        let scopes = version >= 6 ? CLANDLOCK_ABSTRACT_SOCKETS | CLANDLOCK_SIGNALS : 0
        let rules = clandlock_create(version, files, UInt64(network), UInt64(scopes))
        guard rules >= 0 else { throw ConfineError("Landlock", errno) }
        defer { close(rules) }
        for (paths, access) in [
            (command.readable, reading), (command.writable, writing), (command.devices, using),
            (command.runnable, running),
        ] {
            for path in paths { try allow(path, access & files, rules) }
        }
        guard clandlock_restrict(rules) == 0 else { throw ConfineError("Landlock", errno) }
    }

    /// The kinds of access that a version can forbid.
    static func filesKnown(in version: Int32) -> UInt64 {
        var known = running | writing
        if version < 2 { known &= ~UInt64(CLANDLOCK_REFER) }
        if version < 3 { known &= ~UInt64(CLANDLOCK_TRUNCATE) }
        if version >= 5 { known |= UInt64(CLANDLOCK_IOCTL_DEVICE) }
        return known
    }

    private static func allow(_ path: String, _ access: UInt64, _ rules: CInt) throws(ConfineError) {
        let file = clandlock_open(path)
        // What is not there cannot be reached.
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw ConfineError(path, errno) }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let access = isFolder ? access : access & ofFiles
        guard clandlock_allow(rules, file, access) == 0 else { throw ConfineError("Landlock: \(path)", errno) }
    }
}
