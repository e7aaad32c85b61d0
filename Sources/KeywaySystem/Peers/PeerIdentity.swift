import CSys
import Glibc

/// Who is at the other end of a Unix socket, as the kernel recorded it when the two were connected.
package struct PeerIdentity: Hashable, Sendable {
    /// The process that connected.
    package let processIdentifier: Int32
    /// Its effective user.
    package let userIdentifier: UInt32
    /// Its effective group.
    package let groupIdentifier: UInt32

    /// The peer of `socket`; nil when it is no connected Unix socket.
    ///
    /// - Parameter mayBeOutside: whether a process is one that has no number here, because this one is in a sandbox; its
    ///   number is 0 then.
    package init?(socket: OwnedDescriptor, mayBeOutside: Bool = false) {
        var peer = csys_peer()
        guard csys_peer_credentials(socket.rawValue, &peer) == 0, peer.pid > 0 || mayBeOutside else { return nil }
        processIdentifier = peer.pid
        userIdentifier = peer.uid
        groupIdentifier = peer.gid
    }

    /// Whether the peer belongs to the user of this process.
    package var isOurUser: Bool { userIdentifier == geteuid() }
}

/// The terminal session that a process belongs to, as the kernel counts them: what an unlock is granted to.
///
/// The leader's start time is part of it, so that a later session with the same number is another one.
package struct TerminalSession: Codable, Hashable, Sendable {
    /// The session's number: the process identifier of its leader.
    package let identifier: Int32
    /// When the leader started, in clock ticks since the machine did; 0 when the leader has ended.
    package let leaderStart: UInt64
    /// The device number of the controlling terminal; 0 without one, -1 in the background of one.
    package let terminal: Int32

    /// A session by its parts.
    package init(identifier: Int32, leaderStart: UInt64, terminal: Int32) {
        self.identifier = identifier
        self.leaderStart = leaderStart
        self.terminal = terminal
    }

    /// The session of a running process; nil when the process is gone.
    package init?(of processIdentifier: Int32) {
        guard let own = ProcessStatus(of: processIdentifier) else { return nil }
        self.init(of: own)
    }

    init(of status: ProcessStatus) {
        let leader = ProcessStatus(of: status.session)
        self.init(identifier: status.session, leaderStart: leader?.startTime ?? 0, terminal: status.terminal)
    }

    /// The same session for a process in its background, which has no use of the terminal: it is another one than the
    /// session in the foreground, to which things were unlocked and in which the person was verified.
    package var inBackground: TerminalSession {
        TerminalSession(identifier: identifier, leaderStart: leaderStart, terminal: -1)
    }
}

/// The few fields of `/proc/PID/stat` that tell sessions apart (proc(5)).
struct ProcessStatus {
    let parent: Int32
    let group: Int32
    let session: Int32
    let terminal: Int32
    /// The process group in the foreground of the terminal.
    let foreground: Int32
    let startTime: UInt64

    init?(of processIdentifier: Int32) {
        guard let text = Self.read("/proc/\(processIdentifier)/stat") else { return nil }
        self.init(stat: text)
    }

    /// Reads the line; the program's name stands in parentheses and may hold anything, so fields count from the last one.
    init?(stat text: String) {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let parent = Int32(fields[1]), let group = Int32(fields[2]),
            let session = Int32(fields[3]), let terminal = Int32(fields[4]), let foreground = Int32(fields[5]),
            let startTime = UInt64(fields[19])
        else { return nil }
        self.parent = parent
        self.group = group
        self.session = session
        self.terminal = terminal
        self.foreground = foreground
        self.startTime = startTime
    }

    /// Whether its session has a terminal, and another process group has the foreground there. A pipeline is one group, and
    /// so is a script with what it runs.
    var isInBackground: Bool { terminal != 0 && foreground != group }

    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
