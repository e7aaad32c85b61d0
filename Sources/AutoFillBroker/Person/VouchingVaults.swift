import BrokerBase
import KeywaySystem
import Synchronization

/// The settings file with the vaults whose master passwords verify the person for more than the vault's own accounts, by
/// their providers.
///
/// Any program of the person can put a vault of its own in the place of theirs, and knows its master password then. So a
/// vault counts only if nothing else verifies the person when it is first seen, or if they were verified in another way.
final class VouchingVaults: Sendable {
    struct Document: Codable, Sendable, Equatable {
        /// The names of the vaults (``CheckMasterPassword``), by the identifiers of their providers.
        var vaults: [String: String] = [:]
    }

    /// The longest name that is kept.
    private static let longestName = 128

    private let file: SettingsFile<Document>
    private let opens: @Sendable () async -> Void
    private let writing = Mutex(())

    /// The file in `folder`.
    ///
    /// - Parameter opens: asks for the key of the settings, and returns when it is there or cannot be had.
    init(folder: String, seal: SettingsSeal, opens: @escaping @Sendable () async -> Void) {
        self.opens = opens
        file = SettingsFile(
            folder: folder, name: "vaults.json",
            consequence: "A master password counts only for its own accounts until you were verified in another way.",
            seal: seal)
    }

    /// Whether `vault` is the one that counts, of the provider `provider`; false where the file is not believed.
    func holds(_ vault: String, of provider: String) async -> Bool {
        await opens()
        return (try? file.read())??.vaults[provider] == vault
    }

    /// From now on `vault` counts.
    ///
    /// - Throws: ``ProtocolError``: `locked`, `system`.
    func adopt(_ vault: String, of provider: String) async throws(ProtocolError) {
        guard vault.utf8.count <= Self.longestName else { return }
        await opens()
        try change { $0.vaults[provider] = vault }
    }

    /// What was called `former` is called `vault` from now on; no other one is.
    func renew(_ former: String, _ vault: String, of provider: String) async {
        guard await holds(former, of: provider) else { return }
        try? await adopt(vault, of: provider)
    }

    private func change(_ body: (inout Document) -> Void) throws(ProtocolError) {
        try writing.withLock { _ throws(ProtocolError) in
            let before = try file.read(or: Document())
            var document = before
            body(&document)
            if document != before { try file.write(document) }
        }
    }
}
