import Foundation

/// A store as `pass` keeps it: encrypted files in folders, read and written through gpg.
struct PasswordStore: Sendable {
    let settings: StoreSettings
    private let gpg: GnuPG

    /// The store that the settings name.
    init(_ settings: StoreSettings) {
        self.settings = settings
        gpg = GnuPG(settings)
    }

    /// What is in it, by names alone.
    func tree() -> StoreTree { StoreTree(root: settings.folder) }

    /// Whether `pass init` was run there.
    ///
    /// - Throws: ``StoreError/noStore(_:)`` when not.
    func check() throws(StoreError) {
        var status = stat()
        let isFolder = stat(settings.folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        guard isFolder, !settings.recipients.isEmpty || access("\(settings.folder)/.gpg-id", R_OK) == 0 else {
            throw .noStore(settings.folder)
        }
    }

    /// Reads an entry.
    ///
    /// - Throws: ``StoreError`` (see ``GnuPG/decrypt(_:_:)``), `notFound` besides; and `CancellationError`.
    func contents(of name: EntryName, _ unlocking: GnuPG.Unlocking = .never) async throws -> EntryContents {
        let file = EntryFile(name, settings)
        try file.check()
        return EntryContents(try await gpg.decrypt(file.path, unlocking))
    }

    /// Writes a new entry, as `pass insert --multiline` does.
    ///
    /// - Throws: ``StoreError``: `exists`, `noStore`, `badSignature`, `unusableRecipient`, `failed`.
    func insert(_ contents: SecretBuffer, as name: EntryName) async throws {
        let file = EntryFile(name, settings)
        guard !file.exists else { throw StoreError.exists }
        let encrypted = try await encrypt(contents, for: name)
        try file.makeFolders()
        try file.create(encrypted)
        await commit(file, "Add given password for \(name.text) to store.")
    }

    /// Writes other contents into an entry.
    ///
    /// - Throws: as ``insert(_:as:)``, and `notFound`.
    func replace(_ contents: SecretBuffer, of name: EntryName, message: String) async throws {
        let file = EntryFile(name, settings)
        try file.check()
        try file.replace(try await encrypt(contents, for: name))
        await commit(file, message)
    }

    private func encrypt(_ contents: SecretBuffer, for name: EntryName) async throws -> SecretBuffer {
        guard contents.count <= EntryContents.maximumBytes else { throw StoreError.tooLarge }
        let recipients = try await Recipients(settings: settings).recipients(ofFolder: name.folder)
        return try await gpg.encrypt(contents, to: recipients)
    }

    /// What is written is written, also where git refuses: `pass` leaves it at that, too.
    private func commit(_ file: EntryFile, _ message: String) async {
        do {
            try await GitRepository(around: file.path, settings)?.commit(file.path, message)
        } catch {
            FileHandle.standardError.write(Data("the change of the password store was not committed to git\n".utf8))
        }
    }

    // MARK: One-time codes

    /// The code of an entry now; a counter moves on first, so that no code is ever given twice.
    ///
    /// - Throws: ``StoreError``: `noCode`, or what writing throws.
    func code(of contents: EntryContents, in name: EntryName, at seconds: UInt64) async throws -> String {
        guard let place = contents.link else { throw StoreError.noCode("The entry has no otpauth: link.") }
        let link = try CodeLink(contents.bytes, at: place)
        let code = try link.code(at: seconds)
        if case .counter(let last, let digits) = link.kind {
            try await replace(
                contents.replacing(digits, with: String(last + 1)), of: name,
                message: "Increment HOTP counter for \(name.text).")
        }
        return code
    }
}
