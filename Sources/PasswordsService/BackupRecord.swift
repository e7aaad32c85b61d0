import FoundationEssentials
import PasswordsProtocol
import Vault

/// The newest backup that was made here, noted in a file: of which vault, and when.
struct BackupRecord: Sendable {
    private struct File: Codable {
        let vault: String
        let note: BackupNote
    }

    private let path: String?

    /// The note in the file at `path`; one that is not kept where there is none.
    init(path: String?) {
        self.path = path
    }

    /// The newest backup of `vault`; nil where none is noted, or nothing that can be read.
    func newest(of vault: VaultID) -> BackupNote? {
        guard let path, let data = FileManager.default.contents(atPath: path),
            let file = try? JSONDecoder().decode(File.self, from: data), file.vault == vault.description
        else { return nil }
        return file.note
    }

    /// Notes a backup of `vault`.
    ///
    /// - Throws: what the file system says.
    func write(_ note: BackupNote, of vault: VaultID) throws {
        guard let path else { return }
        try JSONEncoder().encode(File(vault: vault.description, note: note))
            .write(to: URL(filePath: path), options: .atomic)
    }
}
