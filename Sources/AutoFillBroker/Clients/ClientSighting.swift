import AutoFillWire
import BrokerBase
import KeywaySystem

/// Which program was behind a connection when that was last checked, and how to tell whether it still is.
struct ClientSighting: Sendable {
    let client: ConnectedClient
    let role: Role
    /// Which profile it said.
    let profile: BrowserProfile?
    let marks: ProgramMarks
}

/// Which files a process runs and whoever started it, as far as the kernel tells, at the cost of a question each.
///
/// A process runs another program only by executing it (execve(2)), and what it executes is another file, or one that was
/// changed since: that shows here. A process that somebody else started is not the child of whoever started this one.
struct ProgramMarks: Sendable {
    /// The process that started it.
    private struct Parent: Equatable {
        let process: Int32
        let file: ProgramFile
    }

    /// Nil for one that hides.
    private let own: ProgramFile?
    private let parent: Parent?
    private let needsParent: Bool

    /// What is to be seen of `process` now.
    ///
    /// - Parameter withParent: whether it matters who started it.
    init(of process: PeerProcess, withParent: Bool) {
        needsParent = withParent
        let number = withParent ? process.parent : nil
        parent = number.flatMap { number in
            ProgramFile(path: PeerProcess.programLink(of: number)).map { Parent(process: number, file: $0) }
        }
        let file = ProgramFile(path: PeerProcess.programLink(of: process.processIdentifier))
        // Asked last: the number meant that process until then.
        own = process.isRunning ? file : nil
    }

    /// Whether what was seen then is what is seen `now`. Where it matters who started the process and that cannot be seen,
    /// it may be anybody.
    func agree(with now: ProgramMarks) -> Bool {
        own == now.own && parent == now.parent && needsParent == now.needsParent && (!needsParent || parent != nil)
    }
}
