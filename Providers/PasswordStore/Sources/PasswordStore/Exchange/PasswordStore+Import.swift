import Foundation
import PassEntries

extension PasswordStore {
    /// Writes new entries, all of them or none, as one commit.
    ///
    /// Everything is encrypted before the first file is made; where one can't be made, those that were are taken away again.
    ///
    /// - Parameter progress: is told how many are encrypted.
    /// - Throws: as ``insert(_:as:)``; `exists` also where somebody made one of them meanwhile.
    func insert(
        _ entries: [ImportPlan.Entry], from exporter: String, progress: @Sendable (Int) async -> Void
    ) async throws {
        let lock = try await StoreLock(settings.folder)
        defer { lock.release() }
        let files = entries.map { EntryFile($0.name, settings) }
        guard !files.contains(where: \.exists) else { throw StoreError.exists }
        var encrypted: [SecretBuffer] = []
        for entry in entries {
            encrypted.append(try await encrypt(entry.contents, for: entry.name))
            await progress(encrypted.count)
        }
        try Task.checkCancellation()
        try Self.create(zip(files, encrypted))
        let count = entries.count == 1 ? "1 entry" : "\(entries.count) entries"
        await commit(files, "Add \(count) from \(exporter) to store using Keyway.")
    }

    private static func create(_ files: some Sequence<(EntryFile, SecretBuffer)>) throws(StoreError) {
        var (made, folders) = ([EntryFile](), [String]())
        do throws(StoreError) {
            for (file, bytes) in files {
                folders += try file.makeFolders()
                try file.create(bytes)
                made.append(file)
            }
        } catch {
            for file in made { unlink(file.path) }
            // Those that others use by now stay.
            for folder in folders.reversed() { rmdir(folder) }
            throw error
        }
    }
}
