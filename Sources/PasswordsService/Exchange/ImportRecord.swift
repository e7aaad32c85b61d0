import FoundationEssentials
import Glibc
import KeywayCrypto
import KeywaySystem
import Vault

/// How the last import is taken back.
struct LastImport: Codable, Sendable {
    /// What an import changed about an item that was there, and how it was before. No secret.
    struct Edit: Codable, Sendable {
        /// Which item.
        let item: String
        /// When it was changed last before, in seconds since 1970.
        let modified: Double
        /// Whether a password came in the place of another one.
        var replacedPassword = false
        /// Whether a password came where none was.
        var addedPassword = false
        /// Whether notes came where none were.
        var addedNotes = false
        /// How many fields it had before; nil where none came.
        var fields: Int?
        /// How many addresses it had before; nil where none came.
        var addresses: Int?
        /// How many tags it had before; nil where none came.
        var tags: Int?
        /// Whether it became a favourite; nil where it did not.
        var madeFavorite: Bool?
        /// The sections that came.
        var sections: [UInt16] = []
    }

    /// The version that items got by the import: one that has another was changed since.
    let version: UInt64
    /// The identifiers of the items that were added, 16 bytes each.
    var added = Data()
    /// The items that were changed.
    var edits: [Edit] = []

    /// Whether the import is in the vault: one of its items is there as it left it.
    func isIn(_ vault: UnlockedVault) -> Bool {
        (addedItems + edits.compactMap { ItemID($0.item) }).contains { (try? vault.version(of: $0)) == version }
    }

    /// The items that were added.
    var addedItems: [ItemID] {
        stride(from: 0, to: added.count - added.count % 16, by: 16).map { start in
            added.withUnsafeBytes { ItemID(sixteen: UnsafeRawBufferPointer(rebasing: $0[start..<start + 16])) }
        }
    }
}

/// Where it is noted how the last import is taken back: a file that is sealed by the vault, so that nobody else can read or
/// make one.
struct ImportRecord: Sendable {
    private let path: String?

    /// The note in the file at `path`; one that is not kept where there is none.
    init(path: String?) {
        self.path = path
    }

    private var draftPath: String? { path.map { $0 + ".new" } }

    /// The last import into `vault`; nil where none is noted, or nothing that this vault sealed. A note that was prepared
    /// counts where its import came about, and the service ended right after that.
    func newest(of vault: UnlockedVault) -> LastImport? {
        if let prepared = note(at: draftPath, of: vault), prepared.isIn(vault) { return prepared }
        return note(at: path, of: vault)
    }

    private func note(at path: String?, of vault: UnlockedVault) -> LastImport? {
        guard let path, let data = FileManager.default.contents(atPath: path),
            let opened = try? vault.openNote(Array(data))
        else { return nil }
        return opened.withUnsafeBytes { try? JSONDecoder().decode(LastImport.self, from: Data($0)) }
    }

    /// Writes a note that doesn't count yet.
    ///
    /// - Throws: what the file system says; `locked`.
    func prepare(_ note: LastImport, of vault: UnlockedVault) throws {
        guard let draftPath else { return }
        let sealed = try vault.sealNote(SecretBytes(copying: Array(try JSONEncoder().encode(note))))
        try Data(sealed).write(to: URL(filePath: draftPath), options: .atomic)
        try Self.flush(draftPath)
    }

    /// Puts the note that was prepared in the place of the one before.
    ///
    /// - Throws: what the file system says.
    func commit() throws {
        guard let path, let draftPath else { return }
        guard rename(draftPath, path) == 0 else { throw ProtocolError.system("rename", errno) }
        try? Self.flush(path)
    }

    /// Waits until a file and its name are on the disk.
    private static func flush(_ path: String) throws(ProtocolError) {
        for place in [path, FilePath.folder(of: path)] {
            let file = OwnedDescriptor(try SystemCall.check("open") { open(place, O_RDONLY | O_CLOEXEC) })
            try SystemCall.check("fsync") { fsync(file.rawValue) }
        }
    }

    /// Drops the note that was prepared.
    func abandon() {
        if let draftPath { try? FileManager.default.removeItem(atPath: draftPath) }
    }

    /// Drops the note: there is nothing to take back any more.
    func remove() {
        abandon()
        if let path { try? FileManager.default.removeItem(atPath: path) }
    }
}
