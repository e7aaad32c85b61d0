import CSys
import Glibc

/// The process at the other end of a socket, under a name that can never come to mean another, as its number can.
package struct PeerProcess: Sendable {
    /// Its number.
    package let processIdentifier: Int32
    private let pidfd: OwnedDescriptor

    /// The process that connected `socket`; nil when it is gone, or the kernel cannot tell.
    ///
    /// Linux before 6.5, Debian 12's among them, does not name a peer so. There it is looked up by its number, now: to
    /// be done while the connection is young, since a process that has ended already cannot be told from one that got
    /// its number.
    package init?(socket: OwnedDescriptor) {
        self.init(socket: socket, ofKernel: csys_peer_pidfd)
    }

    /// The same with another `SO_PEERPIDFD` (unix(7)).
    init?(socket: OwnedDescriptor, ofKernel: (CInt) -> CInt) {
        guard let identity = PeerIdentity(socket: socket) else { return nil }
        var descriptor = ofKernel(socket.rawValue)
        if descriptor < 0 { descriptor = csys_pidfd_open(identity.processIdentifier) }
        guard descriptor >= 0 else { return nil }
        self.init(processIdentifier: identity.processIdentifier, pidfd: OwnedDescriptor(descriptor))
    }

    init(processIdentifier: Int32, pidfd: OwnedDescriptor) {
        self.processIdentifier = processIdentifier
        self.pidfd = pidfd
    }

    /// Its terminal session, as it is now; nil when it has ended. In the background of its terminal it is
    /// ``TerminalSession/inBackground``.
    package var session: TerminalSession? {
        // Asked after the session was read: the number meant that process then.
        guard let status = ProcessStatus(of: processIdentifier), isRunning else { return nil }
        let session = TerminalSession(of: status)
        return status.isInBackground ? session.inBackground : session
    }

    /// Whether it is in the background of its terminal now; false where it has none, or has ended.
    package var isInBackground: Bool {
        guard let status = ProcessStatus(of: processIdentifier), isRunning else { return false }
        return status.isInBackground
    }

    /// Whether this process started it, or one that did so in its turn, or the one that leads its session; false when it
    /// has ended.
    ///
    /// Programs of bundles lie below the one that confines them, which leads their session; nobody leaves the former.
    /// Where nothing confines them, what they start stays in their session, unless it leaves on purpose (setsid(2)). A
    /// session's number is nobody else's as long as somebody is in it.
    package var isOfOurChild: Bool {
        guard let own = ProcessStatus(of: processIdentifier), let leader = ProcessStatus(of: own.session), isRunning
        else { return false }
        return leader.parent == getpid() || isBelow(own)
    }

    /// Whether one of the processes above is this one.
    private func isBelow(_ own: ProcessStatus) -> Bool {
        var parent = own.parent
        for _ in 0..<Self.maximumDepth where parent > 1 {
            if parent == getpid() { return isRunning }
            guard let next = ProcessStatus(of: parent) else { return false }
            parent = next.parent
        }
        return false
    }

    /// How far above somebody looks.
    private static let maximumDepth = 64

    /// Whether the process that connected `socket` belongs to a program which this process started; false when it is
    /// gone.
    package static func isOfOurChild(_ socket: OwnedDescriptor) -> Bool {
        PeerProcess(socket: socket)?.isOfOurChild ?? false
    }

    /// The file of the program that it runs, opened for reading; nil when it has ended, when others may not look at it
    /// (`PR_SET_DUMPABLE` of prctl(2)), or when its file may not be read.
    package var program: OwnedDescriptor? {
        let file = open(Self.programLink(of: processIdentifier), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        let program = OwnedDescriptor(file)
        return isRunning ? program : nil
    }

    /// The path of the program that it runs, as the kernel tells it; nil as for ``program``.
    package var programPath: String? {
        guard let path = Self.path(ofProgramOf: processIdentifier), isRunning else { return nil }
        return path
    }

    /// The process that started this one; nil when this one has ended.
    package var parent: Int32? {
        guard let status = ProcessStatus(of: processIdentifier), isRunning else { return nil }
        return status.parent
    }

    /// The file of the program that the process with this number runs, whatever that is called (proc(5)).
    package static func programLink(of process: Int32) -> String { "/proc/\(process)/exe" }

    /// The path of the program that the process runs which started this one; nil where that is not told, or over.
    package var parentProgramPath: String? {
        guard let status = ProcessStatus(of: processIdentifier), isRunning else { return nil }
        // A path of other surroundings than ours, such as a container's, would name a file that it is not.
        let file = open(Self.programLink(of: status.parent), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0, let path = Self.path(ofProgramOf: status.parent) else { return nil }
        var (own, seen) = (stat(), stat())
        let program = OwnedDescriptor(file)
        guard fstat(program.rawValue, &own) == 0, stat(path, &seen) == 0, own.st_dev == seen.st_dev,
            own.st_ino == seen.st_ino
        else { return nil }
        return path
    }

    private static func path(ofProgramOf process: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(programLink(of: process), &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        // The file was replaced while the program runs: an update, for one.
        let end = " (deleted)"
        return path.hasSuffix(end) ? String(path.dropLast(end.count)) : path
    }

    /// Whether it has not ended, or has and nobody collected it.
    package var isRunning: Bool { csys_pidfd_send_signal(pidfd.rawValue, 0) == 0 }

    /// Whether it has ended, and let go of all that it had open, although nobody may have collected it (pidfd_open(2)).
    package var hasEnded: Bool {
        var told = pollfd(fd: pidfd.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&told, 1, 0) == 1
    }
}
