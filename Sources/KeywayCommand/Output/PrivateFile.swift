import Glibc
import KeywayCrypto
import KeywaySystem

/// A file with a secret, which only its owner may read.
enum PrivateFile {
    /// Refuses a path at which no such file can be written.
    ///
    /// - Throws: ``CommandError``: `exists` where there is something, unless `replaces`; `failure` for what is no file.
    static func check(_ path: String, replaces: Bool) throws(CommandError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard replaces else { throw exists(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CommandError(.failure, Strings.noFileToReplace(path)) }
    }

    /// Writes `bytes` to `path` with mode 0600: all of them or none, and over a file that is there only if `replaces`.
    ///
    /// - Throws: ``CommandError``: as ``check(_:replaces:)``, and `failure`.
    static func write(_ bytes: SecretBytes, to path: String, replaces: Bool) throws(CommandError) {
        try write(to: path, replaces: replaces) { file in
            bytes.withUnsafeBytes { WholeTransfer.write($0, to: file) }
        }
    }

    /// Copies the file behind `source` to `path`, as ``write(_:to:replaces:)`` writes bytes, and reads it back from the
    /// disk before it gets its name.
    ///
    /// - Throws: ``CommandError``: as ``write(_:to:replaces:)``; `damaged` where what was read is not what was written.
    static func copy(_ source: OwnedDescriptor, to path: String, replaces: Bool) throws(CommandError) {
        try write(to: path, replaces: replaces, readsBack: source) { WholeTransfer.copy(from: source.rawValue, to: $0) }
    }

    private static func write(
        to path: String, replaces: Bool, readsBack source: OwnedDescriptor? = nil, _ fill: (CInt) -> Bool
    ) throws(CommandError) {
        try check(path, replaces: replaces)
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).new"
        let number = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        guard number >= 0 else { throw failure(path, errno) }
        let file = OwnedDescriptor(number)
        defer { unlink(temporary) }
        guard fill(file.rawValue), fsync(file.rawValue) == 0 else { throw failure(path, errno) }
        if let source {
            // What the kernel still has in memory says nothing of the disk.
            posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
            guard WholeTransfer.isSame(source.rawValue, file.rawValue) else {
                throw CommandError(.damaged, Strings.readBackDiffers(path), hint: Strings.otherDisk)
            }
        }
        guard replaces ? rename(temporary, path) == 0 : UnusedName.take(path, for: temporary) else {
            throw errno == EEXIST ? exists(path) : failure(path, errno)
        }
        FileContents.flushName(of: path)
    }

    private static func exists(_ path: String) -> CommandError {
        CommandError(.exists, Strings.fileExists(path), hint: Strings.replaceByForce)
    }

    private static func failure(_ path: String, _ number: CInt) -> CommandError {
        CommandError(.failure, Strings.cannotWrite(path, SystemCall.describe(number)))
    }
}
