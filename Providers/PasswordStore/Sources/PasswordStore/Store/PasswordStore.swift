import Foundation
import PassEntries

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
        let version = EntryVersion(ofFile: file.path)
        var contents = EntryContents(try await gpg.decrypt(file.path, unlocking))
        contents.version = version
        return contents
    }

    /// Writes a new entry, as `pass insert --multiline` does.
    ///
    /// - Returns: the version that it has now.
    /// - Throws: ``StoreError``: `exists`, `noStore`, `badSignature`, `unusableRecipient`, `failed`.
    @discardableResult
    func insert(_ contents: SecretBuffer, as name: EntryName) async throws -> EntryVersion? {
        let lock = try await StoreLock(settings.folder)
        defer { lock.release() }
        let file = EntryFile(name, settings)
        guard !file.exists else { throw StoreError.exists }
        let encrypted = try await encrypt(contents, for: name)
        try file.makeFolders()
        try file.create(encrypted)
        let version = EntryVersion(ofFile: file.path)
        await commit(file, "Add given password for \(name.text) to store.")
        return version
    }

    /// Writes other contents into an entry, if it still is what it was.
    ///
    /// - Returns: false, and nothing is written, when somebody changed it.
    /// - Throws: as ``insert(_:as:)``, and `notFound`.
    func replace(
        _ contents: SecretBuffer, of name: EntryName, ifStill version: EntryVersion?, message: String
    ) async throws -> Bool {
        let lock = try await StoreLock(settings.folder)
        defer { lock.release() }
        let file = EntryFile(name, settings)
        try file.check()
        guard version == EntryVersion(ofFile: file.path) else { return false }
        try await write(contents, into: file, name, message)
        return true
    }

    /// Changes an entry, while nobody else that asks for the lock can: `change` gets what the entry is then, and makes of
    /// it what is written, or nil where nothing is.
    ///
    /// - Parameter known: the entry as it was read before. It is read once more only if somebody changed it: gpg may need
    ///   the person for that.
    /// - Throws: as ``contents(of:_:)`` and ``insert(_:as:)``, or what `change` throws.
    func update<Result: Sendable>(
        _ name: EntryName, known: EntryContents, message: String,
        _ change: @Sendable (EntryContents) throws -> (SecretBuffer?, Result)
    ) async throws -> Result {
        let lock = try await StoreLock(settings.folder)
        defer { lock.release() }
        let file = EntryFile(name, settings)
        try file.check()
        let isKnown = known.version != nil && known.version == EntryVersion(ofFile: file.path)
        let (contents, result) = try change(isKnown ? known : try await self.contents(of: name))
        if let contents { try await write(contents, into: file, name, message) }
        return result
    }

    private func write(
        _ contents: SecretBuffer, into file: EntryFile, _ name: EntryName, _ message: String
    ) async throws {
        try file.replace(try await encrypt(contents, for: name))
        await commit(file, message)
    }

    func encrypt(_ contents: SecretBuffer, for name: EntryName) async throws -> SecretBuffer {
        guard contents.count <= EntryContents.maximumBytes else { throw StoreError.tooLarge }
        let recipients = try await Recipients(settings: settings).recipients(ofFolder: name.folder)
        return try await gpg.encrypt(contents, to: recipients)
    }

    /// What is written is written, also where git refuses: `pass` leaves it at that, too.
    private func commit(_ file: EntryFile, _ message: String) async {
        await commit([file], message)
    }

    /// The same for several files, as one commit.
    func commit(_ files: [EntryFile], _ message: String) async {
        guard let first = files.first else { return }
        do {
            try await GitRepository(around: first.path, settings)?.commit(files.map(\.path), message)
        } catch {
            FileHandle.standardError.write(Data("the change of the password store was not committed to git\n".utf8))
        }
    }

    // MARK: One-time codes

    /// The code of an entry now; a counter moves on first, so that no code is ever given twice.
    ///
    /// - Throws: ``StoreError``: `noCode`, or what writing throws.
    func code(of contents: EntryContents, in name: EntryName, at seconds: UInt64) async throws -> String {
        if case .time = try link(of: contents).kind { return try link(of: contents).code(at: seconds) }
        return try await update(name, known: contents, message: "Increment HOTP counter for \(name.text).") {
            contents in
            let link = try link(of: contents)
            let code = try link.code(at: seconds)
            guard case .counter(let last, let digits) = link.kind else { return (nil, code) }
            return (contents.replacing(digits, with: String(last + 1)), code)
        }
    }

    /// When the code of that time ends, in seconds since 1970; nil for a counter's.
    ///
    /// - Throws: ``StoreError``: `noCode`.
    func endOfCode(of contents: EntryContents, at seconds: UInt64) throws(StoreError) -> UInt64? {
        guard case .time(let period) = try link(of: contents).kind else { return nil }
        return (seconds / period + 1) * period
    }

    private func link(of contents: EntryContents) throws(StoreError) -> CodeLink {
        guard let place = contents.link else { throw .noCode("The entry has no otpauth: link.") }
        return try CodeLink(contents.bytes, at: place)
    }
}
