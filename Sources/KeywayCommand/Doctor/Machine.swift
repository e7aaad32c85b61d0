/// The machine as `doctor` sees it: a seam, so that tests put another one there. Nothing here follows what it is told
/// by others, and nothing but the named path is ever changed.
package protocol Machine: Sendable {
    /// The home folder and the other folders that checks start from.
    var home: String { get }
    /// The effective user.
    var user: UInt32 { get }
    /// What stands at `path`, links not followed; nil when nothing does.
    func facts(_ path: String) -> FileFacts?
    /// The bytes of a file, `limit` at most; nil when it cannot be read.
    func read(_ path: String, limit: Int) -> [UInt8]?
    /// The names in a folder; none when it cannot be read.
    func names(in folder: String) -> [String]
    /// Whether `path` is a file that this user may run, links followed.
    func isExecutable(_ path: String) -> Bool
    /// Whether `path` is a folder, links followed, in which this user may make something.
    func isWritableFolder(_ path: String) -> Bool
    /// Makes a folder and those above it, mode 0700.
    ///
    /// - Throws: ``CommandError``.
    func makeFolder(_ path: String) throws(CommandError)
    /// Changes the mode of a folder.
    ///
    /// - Throws: ``CommandError``.
    func setMode(_ path: String, _ mode: UInt32) throws(CommandError)
    /// Writes a whole file in place of what is there, or nothing.
    ///
    /// - Throws: ``CommandError``.
    func replace(_ path: String, with text: String, mode: UInt32) throws(CommandError)
    /// The limits that this process runs under.
    var limits: ProcessLimits { get }
    /// The program itself, links resolved; nil when nobody knows.
    var program: String? { get }
}

/// What `lstat` says of a path, as far as checks need it.
package struct FileFacts: Hashable, Sendable {
    /// What it is.
    package enum Kind: Hashable, Sendable {
        case folder, file, link, other
    }

    /// What it is.
    package let kind: Kind
    /// The permission bits.
    package let mode: UInt32
    /// Whose it is.
    package let owner: UInt32

    /// Facts by their parts.
    package init(kind: Kind, mode: UInt32, owner: UInt32) {
        self.kind = kind
        self.mode = mode
        self.owner = owner
    }
}

/// Limits of a process (getrlimit(2)), in bytes; nil for none.
package struct ProcessLimits: Hashable, Sendable {
    /// The largest core dump.
    package let coreDump: UInt64?
    /// The most memory that may be locked.
    package let lockedMemory: UInt64?

    /// Limits by their parts.
    package init(coreDump: UInt64?, lockedMemory: UInt64?) {
        self.coreDump = coreDump
        self.lockedMemory = lockedMemory
    }
}
