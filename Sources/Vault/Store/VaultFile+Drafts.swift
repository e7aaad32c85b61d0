import FoundationEssentials
import Glibc
import KeywayCrypto

/// Files that are to become a vault: `NAME.UUID.new` beside it.
extension VaultFile {
    private static let ending = ".new"
    /// What SQLite puts beside a file.
    private static let journal = "-journal"

    /// Makes an empty file with mode 0600 beside `path`.
    ///
    /// - Throws: `storage`, `storageFull`.
    static func makeDraft(of path: String, random: any RandomSource) throws(VaultError) -> String {
        let draft = "\(path).\(ItemID(random: random))\(ending)"
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("the file cannot be made", path) }
        close(descriptor)
        return draft
    }

    /// Removes a draft, if it is still there, and what SQLite put beside it.
    static func removeDraft(_ draft: String) {
        unlink(draft)
        unlink(draft + journal)
    }

    /// The drafts of the vault at `path` that are there.
    static func drafts(of path: String) -> [String] {
        let start = path.split(separator: "/").last.map { $0 + "." } ?? "."
        let folder = folder(of: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let drafts = names.compactMap { name -> String? in
            let draft = name.hasSuffix(journal) ? String(name.dropLast(journal.count)) : name
            guard draft.hasPrefix(start), draft.hasSuffix(ending),
                ItemID(String(draft.dropFirst(start.count).dropLast(ending.count))) != nil
            else { return nil }
            return "\(folder)/\(draft)"
        }
        return Array(Set(drafts))
    }

    /// Gives the name `path` to a draft that is whole: after a crash the name is that of the one or the other. What
    /// SQLite left beside the former file goes first, since it holds old pages.
    ///
    /// - Throws: `storage`, `storageFull`; the former file then has its name still.
    static func replace(_ path: String, with draft: String) throws(VaultError) {
        try synchronizeFile(draft)
        let folder = folder(of: path)
        guard unlink(path + journal) == 0 || errno == ENOENT else {
            throw failure("the journal cannot be removed", path)
        }
        try synchronize(folder)
        guard rename(draft, path) == 0 else { throw failure("the file cannot get its name", path) }
        // A failure here changes nothing any more: either file opens, after a power cut as well.
        try? synchronize(folder)
    }

    private static func synchronizeFile(_ path: String) throws(VaultError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("the file cannot be opened", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("the file cannot be written", path) }
    }
}
