import Glibc

/// Remembers, outside of the vault, the newest epoch that this machine has seen of each vault, so that an older copy
/// put back is noticed.
package protocol EpochMemory: Sendable {
    /// The newest epoch that was seen, or nil when this vault was never seen.
    ///
    /// - Throws: `storage` when there is a note that cannot be read.
    func newest(of vault: VaultID) throws(VaultError) -> UInt64?

    /// The newest epoch that is known although there is a note that cannot be read: where a person accepts the file, it
    /// goes on from after that one.
    func newestKnown(of vault: VaultID) -> UInt64?

    /// Notes an epoch; called after each change, so it must not wait for a disk more than once per vault.
    ///
    /// - Throws: `storage`, `storageFull`.
    func remember(_ epoch: UInt64, of vault: VaultID) throws(VaultError)
}

extension EpochMemory {
    /// What ``newest(of:)`` says; nil where it says nothing.
    package func newestKnown(of vault: VaultID) -> UInt64? { (try? newest(of: vault)) ?? nil }
}

/// One small file per vault in a folder, such as `$XDG_STATE_HOME/keyway/epochs`: `<vault>.epoch`, twenty decimal digits
/// and a line feed.
package struct EpochFolder: EpochMemory {
    private static let length = 21
    /// No vault is changed as often. A number over it, from which nothing could go on, is none that we wrote.
    private static let highest: UInt64 = 1 << 53
    private let folder: String

    /// Uses this folder; it is made, with mode 0700, when something is noted.
    package init(_ folder: String) {
        self.folder = folder
    }

    /// The number in the vault's file, or nil when there is no file.
    ///
    /// - Throws: `storage` when the file is there and holds no number.
    package func newest(of vault: VaultID) throws(VaultError) -> UInt64? {
        let descriptor = open(path(vault), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw VaultFile.failure("the note of the newest state cannot be opened", path(vault))
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.length + 1)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = String(decoding: bytes.prefix(Self.length - 1), as: UTF8.self)
        guard count == Self.length, bytes[Self.length - 1] == 10, digits.utf8.allSatisfy({ 48...57 ~= $0 }),
            let epoch = UInt64(digits), epoch <= Self.highest
        else {
            throw VaultError(.storage, "the note of the newest state cannot be read", place: path(vault))
        }
        return epoch
    }

    /// Writes the number into the vault's file.
    package func remember(_ epoch: UInt64, of vault: VaultID) throws(VaultError) {
        let digits = String(epoch)
        let line = Array((String(repeating: "0", count: Self.length - 1 - digits.count) + digits + "\n").utf8)
        let descriptor = open(path(vault), O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return try make(path(vault), line) }
        defer { close(descriptor) }
        // Over the old number in place: no moment without one, and no wait for the disk. A power cut may lose the
        // newest numbers; the vault itself is then newer than its note, which is fine.
        guard pwrite(descriptor, line, line.count, 0) == line.count, ftruncate(descriptor, off_t(line.count)) == 0
        else { throw VaultFile.failure("the note of the newest state cannot be written", path(vault)) }
    }

    private func path(_ vault: VaultID) -> String { "\(folder)/\(vault).epoch" }

    private func make(_ path: String, _ line: [UInt8]) throws(VaultError) {
        try VaultFile.makeFolder(folder)
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw VaultFile.failure("the note of the newest state cannot be made", path) }
        defer { close(descriptor) }
        guard write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0, rename(draft, path) == 0
        else { throw VaultFile.failure("the note of the newest state cannot be written", path) }
    }
}
