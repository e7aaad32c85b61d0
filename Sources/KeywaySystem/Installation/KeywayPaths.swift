import Glibc

/// Where the files of Keyway lie: the XDG base directories of the person, read once from an environment.
package struct KeywayPaths: Hashable, Sendable {
    /// Sockets and locks: `$XDG_RUNTIME_DIR/keyway`, or `run` in the state folder where there is none. Mode 0700.
    package let runtime: String
    /// What the broker remembers: `$XDG_STATE_HOME/keyway`. Outside what is backed up.
    package let state: String
    /// What belongs to the person: `$XDG_DATA_HOME/keyway`, the vault among it.
    package let data: String
    /// Provider bundles, in the order in which they are searched: the system's first, then the person's. Each folder
    /// stands here once and by its real path, however an environment spells it: what is remembered of a bundle names it.
    package let providerFolders: [ProviderFolder]

    /// One folder that holds bundles.
    package struct ProviderFolder: Hashable, Sendable {
        /// Whom it belongs to.
        package enum Scope: String, Codable, Sendable {
            case system
            case user
        }

        /// The folder.
        package let path: String
        /// Whose it is.
        package let scope: Scope
    }

    /// The paths for an environment, as the XDG Base Directory Specification reads it: only absolute paths count.
    ///
    /// - Parameter prefix: where this program is installed; its `share` is searched for providers after those that the
    ///   environment names.
    /// - Parameter isSystems: whether what lies in a folder is the system's. An environment names folders of the person
    ///   as well (as Flatpak does); those come after the system's, and their bundles are the person's.
    /// - Throws: ``ProtocolError`` with the code `system` when not even the home folder is known.
    package init(environment: [String: String], prefix: String? = nil, isSystems: (String) -> Bool = SystemFolder.isOne)
        throws(ProtocolError)
    {
        func folder(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let home = folder("HOME") else {
            throw ProtocolError(
                .system,
                "No home folder is known. Set HOME to an absolute path; where Keyway is installed for everybody, passwd "
                    + "must have an entry for you.")
        }
        state = (folder("XDG_STATE_HOME") ?? home + "/.local/state") + "/keyway"
        data = (folder("XDG_DATA_HOME") ?? home + "/.local/share") + "/keyway"
        runtime = folder("XDG_RUNTIME_DIR").map { $0 + "/keyway" } ?? state + "/run"
        var shared = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").map(String.init).filter {
            $0.hasPrefix("/")
        }
        if shared.isEmpty { shared = ["/usr/local/share", "/usr/share"] }
        if let prefix { shared.append(prefix + "/share") }
        let folders = shared.map { RealFolder($0 + "/keyway/providers") }
        let system = folders.filter { isSystems($0.path) }
        let user = folders.filter { !system.contains($0) } + [RealFolder(data + "/providers")]
        providerFolders =
            RealFolder.distinct(system).map { ProviderFolder(path: $0.path, scope: .system) }
            + RealFolder.distinct(user).map { ProviderFolder(path: $0.path, scope: .user) }
    }

    /// The paths for this process; where it is installed for everybody, its environment has no say in them.
    package static func current() throws(ProtocolError) -> KeywayPaths {
        try KeywayPaths(environment: ProcessEnvironment.current, prefix: installedPrefix)
    }

    /// Where this program is installed; nil when it runs from anywhere else than `PREFIX/libexec/keyway`.
    package static var installedPrefix: String? { prefix(ofProgram: ownProgram()) }

    /// Where a program is installed that lies at `PREFIX/libexec/keyway/NAME`; nil for one that lies anywhere else.
    static func prefix(ofProgram path: String?) -> String? {
        guard let parts = path?.split(separator: "/"), parts.count > 3,
            parts.dropLast().suffix(2) == ["libexec", "keyway"]
        else { return nil }
        return "/" + parts.dropLast(3).joined(separator: "/")
    }

    /// The file that this process runs.
    package static func ownProgram() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Where the program `name` lies beside the one that this process runs.
    package static func program(besideOwn name: String) -> String {
        FilePath.folder(of: ownProgram() ?? "") + "/" + name
    }

    /// Where the folders lie that the processes of one bundle share.
    package var groups: String { data + "/groups" }
    /// Where a bundle keeps what belongs to the person, when it declares it; no other bundle may.
    package func privateData(of identifier: String) -> String { "\(data)/private/\(identifier)" }
    /// Where a bundle keeps what need not be backed up, likewise.
    package func privateState(of identifier: String) -> String { "\(state)/private/\(identifier)" }
    /// The only door: the broker's socket.
    package var socket: String { runtime + "/autofill.sock" }
    /// The identity stores and what opens them.
    package var identities: String { state + "/identities" }
    /// The files that say who may ask, what is on and how the person is verified, and what counts them.
    private var settings: [String] {
        ["clients", "providers", "applications", "verification", "register"].map { "\(state)/\($0).json" }
    }
    /// What helps where those are not believed and nobody can be asked any more.
    package var remedy: String {
        "If Keyway can no longer ask you, start over without approvals, providers, rules and PIN: end keywayd (for its "
            + "process ID: keyway status), remove \(settings.joined(separator: ", ")), and run keyway again."
    }
    /// What happened.
    package var history: String { state + "/history" }
    /// Held by the broker as long as it runs, so that there is one.
    package var lock: String { runtime + "/keywayd.lock" }
    /// Marks that the person wants to set Keyway up later, in a folder that goes with their login session; nil where there is
    /// no such folder.
    package var postponement: String? { runtime == state + "/run" ? nil : runtime + "/setup-postponed" }
    /// The keys of a request for an export, as long as that waits for its answer.
    package var exchangeRequest: String { runtime + "/exchange-request" }
    /// Where a broker that was started by a client, and so has no terminal and no journal, says what happened.
    package var brokerLog: String { runtime + "/keywayd.log" }
}

/// The environment of this process.
package enum ProcessEnvironment {
    /// What this program goes by: its variables, or, where it is installed for everybody, what takes their place.
    package static var current: [String: String] { believed(of: Installation.current) }

    /// The same for what belongs to another program of that installation.
    package static func believed(of installation: Installation?) -> [String: String] {
        guard let installation, installation.isSystemWide else { return inherited }
        return SystemEnvironment().variables(inherited, of: installation)
    }

    /// All variables, as whoever started this process set them.
    private static var inherited: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return result
    }
}

/// A folder that only its owner may enter.
package enum PrivateFolder {
    /// Makes the folder (and those above it) where it is missing, and checks that it is ours alone.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` when it is a link, somebody else's, or open to others.
    package static func prepare(_ path: String) throws(ProtocolError) {
        var parent = ""
        for part in path.split(separator: "/") {
            parent += "/" + part
            guard mkdir(parent, 0o700) != 0, errno != EEXIST else { continue }
            throw ProtocolError(
                .system,
                "Couldn't create \(parent): \(SystemCall.describe(errno)). Keyway needs a home folder that you can write "
                    + "to.")
        }
        try check(path)
    }

    /// Checks that the folder is one, ours, and closed to everyone else.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused`, or `system` where it is missing.
    package static func check(_ path: String) throws(ProtocolError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system("lstat \(path)", errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ProtocolError(.refused, "\(path) is not a folder. Remove it and try again.")
        }
        guard status.st_uid == geteuid() else {
            throw ProtocolError(.refused, "\(path) belongs to another user. Nothing was sent to it.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw ProtocolError(.refused, "\(path) is open to other users. Run: chmod 700 \(path)")
        }
    }
}
