import CSys
import Glibc

/// The process that leads a terminal session, as a descriptor that cannot come to mean another one, and that tells its
/// end also where the process itself is out of sight: in a sandbox.
package struct SessionLeader: Sendable {
    /// The descriptor (pidfd_open(2)).
    package let descriptor: OwnedDescriptor

    /// The leader behind a descriptor that the broker handed over.
    package init(_ descriptor: OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// The leader of `session`; nil when it has ended, or another process has its number.
    package init?(of session: TerminalSession) {
        let number = csys_pidfd_open(session.identifier)
        guard number >= 0 else { return nil }
        descriptor = OwnedDescriptor(number)
        // Asked after it was opened: the number meant that process then.
        guard let now = TerminalSession(of: session.identifier), session.leaderStart > 0,
            now.identifier == session.identifier, now.leaderStart == session.leaderStart, isRunning
        else { return nil }
    }

    /// Whether it runs.
    package var isRunning: Bool {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }
}
