import Foundation

/// gpg, as a program: the keys stay with it and its agent.
struct GnuPG: Sendable {
    /// Who gives a passphrase where one is needed.
    enum Unlocking: Sendable {
        /// Nobody: a locked key is a failure.
        case never
        /// The person, who typed this.
        case with(SecretBuffer)
        /// The person, whom gpg's agent asks by its own pinentry.
        case pinentry
    }

    private let options: [String]
    private let environment: [String: String]

    /// gpg with what the person told it besides.
    ///
    /// - Parameter variables: what it gets beside its usual environment.
    init(_ settings: StoreSettings, and variables: [String: String] = [:]) {
        options = settings.options
        environment = settings.environment().merging(variables) { usual, _ in usual }
    }

    // MARK: Reading

    /// The contents of an encrypted file.
    ///
    /// - Throws: ``StoreError``: `locked`, `wrongPassphrase`, `needsPinentry`, `needsCard`, `noSecretKey`, `damaged`,
    ///   `tooLarge`, or `missingProgram`; and `CancellationError`.
    func decrypt(_ path: String, _ unlocking: Unlocking) async throws -> SecretBuffer {
        try await decrypt(unlocking) { $0.arguments += ["--decrypt", path] }
    }

    /// The contents of encrypted bytes.
    ///
    /// - Throws: as ``decrypt(_:_:)``.
    func decrypt(_ bytes: SecretBuffer, _ unlocking: Unlocking) async throws -> SecretBuffer {
        try await decrypt(unlocking) { run in
            run.arguments.append("--decrypt")
            run.input = bytes
        }
    }

    /// How long somebody may take to answer a pinentry.
    private static let patience = Duration.seconds(600)

    private func decrypt(
        _ unlocking: Unlocking, _ what: (inout ProgramRun) -> Void
    ) async throws -> SecretBuffer {
        var run = command([])
        switch unlocking {
        case .never: run.arguments += ["--pinentry-mode", "error"]
        case .pinentry: run.limit = Self.patience
        case .with(let passphrase):
            run.passphrase = passphrase
            run.arguments += ["--pinentry-mode", "loopback", "--passphrase-fd", "4"]
        }
        what(&run)
        run.outputLimit = EntryContents.maximumBytes
        let result = try await run.result()
        guard !result.isTooLarge else { throw StoreError.tooLarge }
        let status = GnuPGStatus(result.statusLines)
        if result.status == 0, status.contains("DECRYPTION_OKAY") { return result.output }
        throw try await failure(status, unlocking)
    }

    /// Why a file could not be decrypted. gpg says the same of a locked key and of a missing one.
    private func failure(_ status: GnuPGStatus, _ unlocking: Unlocking) async throws -> StoreError {
        if status.refusedPinentryMode { return .needsPinentry }
        guard !status.recipients.isEmpty, !status.contains("DECRYPTION_INFO") else { return .damaged }
        var listing = command(["--with-colons", "--list-secret-keys"])
        // Hidden recipients have no number: any key may be meant.
        if !status.hasHiddenRecipients { listing.arguments += status.recipients.map { "0x\($0)" } }
        let keys = SecretKeys(listing: try await listing.result().output)
        switch unlocking {
        case _ where keys.isAnyOnDisk(status.recipients):
            if case .with = unlocking { return .wrongPassphrase }
            return .locked
        default: return keys.isAnyOnCard(status.recipients) ? .needsCard : .noSecretKey
        }
    }

    // MARK: Writing

    /// `contents`, encrypted as `pass` does it.
    ///
    /// - Throws: ``StoreError``: `unusableRecipient`, `failed`, or `missingProgram`; and `CancellationError`.
    func encrypt(_ contents: SecretBuffer, to recipients: [String]) async throws -> SecretBuffer {
        var run = command(["--yes", "--compress-algo=none", "--no-encrypt-to", "--no-auto-key-locate", "--encrypt"])
        run.arguments += recipients.flatMap { ["--recipient", $0] }
        run.input = contents
        run.outputLimit = EntryContents.maximumBytes * 2
        let result = try await run.result()
        let status = GnuPGStatus(result.statusLines)
        guard result.status == 0, status.contains("END_ENCRYPTION"), result.output.count > 0 else {
            if let recipient = status.invalidRecipient { throw StoreError.unusableRecipient(recipient) }
            throw StoreError.failed("gpg did not encrypt the entry.")
        }
        return result.output
    }

    /// Whose keys made the signature beside a file: fingerprints of the signing key and of its primary key.
    func signers(of path: String) async throws -> Set<String> {
        var run = command(["--verify", "\(path).sig", path])
        run.outputLimit = 1 << 16
        return GnuPGStatus(try await run.result().statusLines).signers
    }

    // MARK: Commands

    private var base: [String] {
        ["--batch", "--quiet", "--no-tty", "--disable-dirmngr", "--status-fd", "3"] + options
    }

    private func command(_ arguments: [String]) -> ProgramRun {
        ProgramRun(program: "gpg", arguments: base + arguments, environment: environment)
    }
}
