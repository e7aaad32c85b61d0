import Glibc
import KeywaySystem

/// A file to import: an open one, and what is known of it.
struct ExportFile: Sendable {
    /// The path as it was typed.
    let path: String
    /// The path of the file itself: of a folder that 1Password wrote, the one in it.
    let filePath: String
    /// The file.
    let descriptor: OwnedDescriptor
    /// How many bytes it has.
    let count: Int
    /// Whether it is a folder of `pass`, whose entries gpg decrypts first.
    let isPasswordStore: Bool
    private let identity: Identity

    private struct Identity: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64
        let count: Int64
        // When it was written last.
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            (device, inode, count) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// Opens the file at a path.
    ///
    /// - Throws: ``CommandError``: `notFound`; `refused` for folders that are no export, and for what is no file; `failure`.
    init(_ path: String) throws(CommandError) {
        self.path = path
        let (file, status) = try Self.open(path, path)
        guard status.st_mode & S_IFMT == S_IFDIR else {
            filePath = path
            descriptor = file
            (identity, count, isPasswordStore) = (Identity(status), Int(status.st_size), false)
            try Self.check(status, path)
            return
        }
        let folder = ExportFolder(path)
        guard folder.kind != .passwordStore else {
            filePath = path
            descriptor = file
            (identity, count, isPasswordStore) = (Identity(status), 0, true)
            return
        }
        guard folder.kind == .onePassword else { throw folder.refusal(path) }
        filePath = path + (path.hasSuffix("/") ? "" : "/") + ExportFolder.onePasswordFile
        let (inner, innerStatus) = try Self.open(filePath, path, O_NOFOLLOW)
        try Self.check(innerStatus, filePath)
        descriptor = inner
        (identity, count, isPasswordStore) = (Identity(innerStatus), Int(innerStatus.st_size), false)
    }

    /// The folder of a browser's profile, which is called `name`.
    ///
    /// - Throws: as ``init(_:)``.
    init(profile folder: String, named name: String) throws(CommandError) {
        path = name
        filePath = folder
        let (file, status) = try Self.open(folder, name, O_DIRECTORY)
        descriptor = file
        (identity, count, isPasswordStore) = (Identity(status), 0, false)
    }

    /// Whether what is in it is encrypted, so that no plain text stays behind.
    var isEncrypted: Bool { isPasswordStore || isDatabase }

    /// Whether it is a database of KeePass, which is never without a key.
    var isDatabase: Bool {
        var signature = [UInt8](repeating: 0, count: 4)
        return pread(descriptor.rawValue, &signature, 4, 0) == 4 && signature == [0x03, 0xD9, 0xA2, 0x9A]
    }

    /// Whether the path still leads to this very file, by no link, as it was read.
    var isStillThere: Bool {
        var status = stat()
        return lstat(filePath, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && Identity(status) == identity
    }

    private static func open(
        _ path: String, _ typed: String, _ flags: CInt = 0
    ) throws(CommandError) -> (OwnedDescriptor, stat) {
        // Never a pipe or a terminal, which would keep the reader waiting.
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
        guard number >= 0 else {
            let reason = errno
            throw CommandError(
                reason == ENOENT || reason == ENOTDIR ? .notFound : .failure,
                Strings.cannotRead(typed, SystemCall.describe(reason)))
        }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw CommandError(.failure, Strings.cannotRead(typed, SystemCall.describe(errno)))
        }
        return (file, status)
    }

    private static func check(_ status: stat, _ path: String) throws(CommandError) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw CommandError(.refused, Strings.noFileToImport(path)) }
    }
}
