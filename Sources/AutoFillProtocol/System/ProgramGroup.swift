import Glibc

/// The group that Keyway's own programs run with where they are installed for the whole system (setgid).
///
/// The kernel notes a process's group when it connects, so it is worn for that moment only: nothing that the program
/// starts, and no file that it makes, has it.
package enum ProgramGroup {
    /// The group; nil for a program that was installed without one. Asked before ``putAside()`` for the first time.
    private static let own: gid_t? = getegid() != getgid() ? getegid() : nil

    /// Whether this program was installed with the group.
    package static var isWorn: Bool { own != nil }

    /// The first thing such a program does.
    package static func putAside() {
        if own != nil { setegid(getgid()) }
    }

    /// Runs `body`, which connects, with the group.
    package static func worn<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let own else { return try body() }
        setegid(own)
        defer { setegid(getgid()) }
        return try body()
    }
}
