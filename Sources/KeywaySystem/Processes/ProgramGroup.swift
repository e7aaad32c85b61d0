import Glibc

/// The group that Keyway's own programs run with where they are installed for the whole system (setgid).
///
/// The kernel notes a process's group when it connects, so it is worn for that moment only: nothing that the program
/// starts, and no file that it makes, has it.
package enum ProgramGroup {
    /// The group; nil for a program that was installed without one. Asked before ``putAside()`` for the first time.
    private static let own: gid_t? = getegid() != getgid() ? getegid() : nil

    /// Whether this program runs with the group. One that was installed with it runs without where the kernel did not
    /// give it: somebody traced the program as it was started, it may have no new privileges, or its file system gives
    /// none (`nosuid`).
    package static var isWorn: Bool { own != nil }

    /// Whether a peer runs with the same group; false for a program without one.
    package static func isShared(with peer: PeerIdentity) -> Bool { own.map { $0 == peer.groupIdentifier } ?? false }

    /// The first thing such a program does.
    package static func putAside() {
        if own != nil { setegid(getgid()) }
    }

    /// Gives the group up for good: nothing that this process is made to do brings it back.
    package static func drop() {
        if own != nil { setregid(getgid(), getgid()) }
    }

    /// Runs `body`, which connects or listens, with the group.
    package static func worn<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let own else { return try body() }
        setegid(own)
        defer { setegid(getgid()) }
        return try body()
    }
}
