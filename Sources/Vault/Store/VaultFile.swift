import Glibc
import KeywayCrypto

/// The vault file on disk: created so that nobody else can read it and nothing is overwritten, and checked before
/// SQLite opens it.
enum VaultFile {
    /// `KWYV`, SQLite's `application_id`.
    static let applicationID: UInt32 = 0x4b57_5956

    /// Refuses what is no vault file: SQLite itself would change some damaged files while opening them.
    ///
    /// - Throws: `notFound`, `storage`, `damaged`, `invalid` for a file that others may write to.
    static func check(_ path: String) throws(VaultError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno
            throw VaultError(
                reason == ENOENT ? .notFound : .storage,
                reason == ENOENT ? "there is no vault" : "the vault cannot be opened: \(text(reason))", place: path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isOurs(status) else {
            throw VaultError(.invalid, "the file belongs to others, or others may write to it", place: path)
        }
        var start = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &start, start.count, 0)
        guard count == start.count, start.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw VaultError(.damaged, "the file does not start like a vault", place: path)
        }
        // Written with a rollback journal, by this application.
        let application = start[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard start[18] == 1, start[19] == 1, application == applicationID else {
            throw VaultError(.damaged, "the first page is not that of a vault", place: path)
        }
    }

    /// Makes an empty file with mode 0600 beside `path`, lets `fill` write it, and gives it its name if nothing has that
    /// name yet. A crash in between leaves `path` as it was.
    ///
    /// - Throws: `exists`, `storage`, `invalid` for a folder that others may write to, and what `fill` throws.
    static func create(
        at path: String, random: any RandomSource, _ fill: (String) throws(VaultError) -> Void
    ) throws(VaultError) {
        let folder = folder(of: path)
        try makeFolder(folder)
        guard access(path, F_OK) != 0 else { throw VaultError(.exists, "there is a vault already", place: path) }
        let draft = try makeDraft(of: path, random: random)
        defer { removeDraft(draft) }
        try fill(draft)
        // Unlike rename(2), link(2) never takes the place of a file that appeared meanwhile.
        guard link(draft, path) == 0 else {
            if errno == EEXIST { throw VaultError(.exists, "there is a vault already", place: path) }
            throw failure("the file cannot get its name", path)
        }
        try synchronize(folder)
    }

    /// The folder that a file lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes a folder, and those above it, with mode 0700, or checks that nobody else may write to the one there is.
    ///
    /// - Throws: `invalid` for a folder of others, or that others may write to; `storage`.
    static func makeFolder(_ folder: String) throws(VaultError) {
        try makeFolders(folder)
        var status = stat()
        guard stat(folder, &status) == 0, isOurs(status) else {
            throw VaultError(.invalid, "the folder belongs to others, or others may write to it", place: folder)
        }
    }

    private static func isOurs(_ status: stat) -> Bool {
        status.st_uid == geteuid() && status.st_mode & 0o022 == 0
    }

    private static func makeFolders(_ folder: String) throws(VaultError) {
        var status = stat()
        if stat(folder, &status) != 0 {
            if errno == ENOENT, folder != "." { try makeFolders(self.folder(of: folder)) }
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw failure("the folder cannot be made", folder)
            }
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw VaultError(.invalid, "this is no folder", place: folder) }
    }

    /// Makes sure that a name in a folder survives a power cut.
    static func synchronize(_ folder: String) throws(VaultError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("the folder cannot be opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("the folder cannot be written", folder) }
    }

    /// The error for what the system just refused.
    static func failure(_ what: String, _ place: String) -> VaultError {
        let reason = errno
        return VaultError(
            reason == ENOSPC || reason == EDQUOT ? .storageFull : .storage, "\(what): \(text(reason))", place: place)
    }

    private static func text(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
