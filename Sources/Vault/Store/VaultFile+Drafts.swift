import FoundationEssentials
import Glibc
import KeywayCrypto

/// Files beside a vault that last as long as somebody works on them: `NAME.UUID.new` is to become the vault,
/// `NAME.UUID.copy` is a copy of one.
extension VaultFile {
    /// What the name of a file that is to become the vault ends with.
    static let ending = ".new"
    /// What the name of a copy ends with. An unlock leaves copies alone: somebody may be making a backup.
    static let copyEnding = ".copy"
    /// What SQLite puts beside a file.
    private static let journal = "-journal"

    /// Makes an empty file with mode 0600 beside `path`.
    ///
    /// - Throws: `storage`, `storageFull`.
    static func makeDraft(
        of path: String, random: any RandomSource, ending: String = ending
    ) throws(VaultError) -> String {
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
    static func drafts(of path: String, ending: String = ending) -> [String] {
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

    /// Gives the vault at `path`, with what SQLite left beside it after a crash, a second name: `NAME.before-restore-STAMP`,
    /// or the next that is free. No file loses its name by that.
    ///
    /// - Throws: `storage`, `storageFull`; nothing has a new name then.
    static func setAside(_ path: String, _ stamp: String) throws(VaultError) -> String {
        for number in 1... {
            let name = "\(path).before-restore-\(stamp)" + (number == 1 ? "" : "-\(number)")
            guard link(path, name) == 0 else {
                if errno == EEXIST { continue }
                throw failure("the vault cannot be set aside", path)
            }
            guard link(path + journal, name + journal) == 0 || errno == ENOENT else {
                let error = failure("the journal cannot be set aside", path)
                unlink(name)
                throw error
            }
            return name
        }
        throw VaultError(.storage, "the vault cannot be set aside", place: path)
    }

    /// Gives the vault that was set aside its name back.
    static func putBack(_ path: String, from aside: String) {
        // A journal of the file that had the name meanwhile would be taken for one of this.
        if !isSame(path, aside) { unlink(path + journal) }
        if rename(aside + journal, path + journal) == 0 { unlink(aside + journal) }
        // Where both are names of one file, this changes nothing, and the second name goes.
        if rename(aside, path) == 0 { unlink(aside) }
        try? synchronize(folder(of: path))
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return lstat(one, &first) == 0 && lstat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    private static func synchronizeFile(_ path: String) throws(VaultError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("the file cannot be opened", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("the file cannot be written", path) }
    }
}
