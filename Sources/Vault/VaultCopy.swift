import Glibc
package import KeywayCrypto

/// A vault in a file of its own beside the one in use: what a backup is made from, and what one is checked in before it
/// takes the vault's place. The file goes when nobody holds this any more, unless it took another name.
package final class VaultCopy: Sendable {
    /// What was found in a copy when every seal was opened.
    package struct Findings: Sendable {
        /// Which vault it is a copy of.
        package let vault: VaultID
        /// The number of the newest change.
        package let epoch: UInt64
        /// How many items there are.
        package let items: Int
    }

    /// As many records are copied at once.
    private static let step = 1000

    /// Where the file lies.
    package let path: String

    /// An empty file beside `path`, to be filled by the caller.
    ///
    /// - Throws: `storage`, `storageFull`.
    package init(beside path: String, random: any RandomSource = SystemRandomSource()) throws(VaultError) {
        try VaultFile.makeFolder(VaultFile.folder(of: path))
        self.path = try VaultFile.makeDraft(of: path, random: random, ending: VaultFile.copyEnding)
    }

    /// A copy of one state of `store`: its header, its manifest and its records, byte for byte, and no free room of a page.
    ///
    /// - Throws: `damaged`, `storage`, `storageFull`.
    init(of store: any SealedStore, beside path: String, random: any RandomSource) throws(VaultError) {
        self.path = try VaultFile.makeDraft(of: path, random: random, ending: VaultFile.copyEnding)
        let target = try VaultDatabase.Filling(at: self.path, place: self.path)
        try store.reading { () throws(VaultError) in
            var last: ItemID?
            while true {
                let records = try store.records(after: last, limit: Self.step)
                for record in records { try target.put(record) }
                guard let end = records.last?.item else { break }
                last = end
            }
            try target.finish(header: try store.header(), manifest: try store.manifest())
        }
    }

    deinit { VaultFile.removeDraft(path) }

    /// Removes what a crash left of copies beside `path`. Nobody else may be making one.
    package static func removeLeft(beside path: String) {
        for copy in VaultFile.drafts(of: path, ending: VaultFile.copyEnding) { VaultFile.removeDraft(copy) }
    }

    // MARK: - Checking

    /// The slot that the master password of the copy opens.
    ///
    /// - Throws: as ``LockedVault/open(at:environment:)``.
    package func slot() throws(VaultError) -> PasswordSlot { try reopened().slot }

    /// Checks, in the file as it lies on the disk, all that can be checked without a key: the first page, the tables, every
    /// page of SQLite's trees, the header, and that each record is there with both halves of a possible length.
    ///
    /// - Returns: how many records there are: items, and parts of their files.
    /// - Throws: `damaged`, `unsupported`, `weakDerivation`, `excessiveDerivation`, `storage`.
    package func checkStructure() throws(VaultError) -> Int {
        let store = try reopened().store
        try VaultDatabase.checkTrees(path)
        var count = 0
        var last: ItemID?
        while true {
            let records = try store.records(after: last, limit: Self.step)
            for record in records {
                guard SizeClass.contains(record.summary.count - SecretKey.sealOverhead),
                    SizeClass.contains(record.body.count - SecretKey.sealOverhead)
                else { throw VaultError(.damaged, "the record of item \(record.item)") }
            }
            count += records.count
            guard let end = records.last?.item else { return count }
            last = end
        }
    }

    /// Opens every seal in the file under its key: header, manifest, and both halves of each item.
    ///
    /// - Throws: as ``checkStructure()``; `damaged` where one does not open.
    package func check(with key: SecretKey) throws(VaultError) -> Findings {
        _ = try checkStructure()
        let vault = try reopened().unlock(with: key)
        defer { vault.lock() }
        try vault.verify()
        return Findings(vault: vault.id, epoch: try vault.epoch, items: try vault.count)
    }

    private func reopened() throws(VaultError) -> LockedVault {
        try LockedVault.open(at: path, environment: VaultEnvironment(epochs: NoEpochs()))
    }

    // MARK: - Taking the vault's place

    /// Makes this copy the vault at `path`: durable when the call returns. A vault that is there gets another name first,
    /// and there is one at `path` all the time; it must not be open.
    ///
    /// - Parameters:
    ///   - stamp: the end of that name: a date.
    ///   - body: is called once the copy has the name; if it throws, the former vault gets its name back.
    /// - Returns: the name of the former vault, if there was one, and what `body` returned.
    /// - Throws: `storage`, `storageFull`, and what `body` throws. The former vault is as it was then.
    package func takePlace<Result>(
        of path: String, stamp: String, _ body: () throws -> Result
    ) throws -> (former: String?, result: Result) {
        guard access(path, F_OK) == 0 else {
            try VaultFile.replace(path, with: self.path)
            do {
                return (nil, try body())
            } catch {
                VaultFile.removeDraft(path)
                throw error
            }
        }
        let former = try VaultFile.setAside(path, stamp)
        do {
            try VaultFile.replace(path, with: self.path)
            return (former, try body())
        } catch {
            VaultFile.putBack(path, from: former)
            throw error
        }
    }
}

/// Remembers nothing: a copy is no newer state, and no older one, than what the vault is at.
private struct NoEpochs: EpochMemory {
    func newest(of vault: VaultID) -> UInt64? { nil }
    func remember(_ epoch: UInt64, of vault: VaultID) {}
}
