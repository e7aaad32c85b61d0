import AutoFillProtocol
import KeywayCrypto
import Synchronization

/// What the person has set about verification, and what must be known of the PIN beside its record: a file of settings.
final class VerificationChoices: Sendable {
    struct Document: Codable, Sendable, Equatable {
        var settings = VerificationSettings()
        /// Whether there is a PIN: where its record is gone then, somebody took it away.
        var isPINSet = false
        /// How often the record had changed when it was seen last: an older one is not believed.
        var pinChanges: UInt64 = 0
    }

    private let file: SettingsFile<Document>
    private let seal: SettingsSeal
    private let opens: @Sendable () async -> Void
    private let writing = Mutex(())

    /// The file in `folder`.
    ///
    /// - Parameter opens: asks for the key of the settings, and returns when it is there or cannot be had.
    init(folder: String, seal: SettingsSeal, opens: @escaping @Sendable () async -> Void) {
        self.seal = seal
        self.opens = opens
        file = SettingsFile(
            folder: folder, name: "verification.json",
            consequence: "you are verified before everything until you say otherwise: keyway verification set.",
            seal: seal)
    }

    /// What is set.
    ///
    /// - Throws: ``ProtocolError``, as ``SettingsFile/read()``.
    func document() async throws(ProtocolError) -> Document {
        await opens()
        return try file.read() ?? Document()
    }

    /// The settings. Where they are not believed, or cannot be read, everything asks for a verification.
    func settings() async -> VerificationSettings {
        do throws(ProtocolError) {
            return try await document().settings
        } catch {
            return VerificationSettings(rule: .always, grace: 0)
        }
    }

    /// Changes the file; one that is not believed begins anew.
    ///
    /// - Throws: ``ProtocolError``: `locked` while there is no key, `system`.
    func change(_ body: (inout Document) -> Void) async throws(ProtocolError) {
        await opens()
        try writing.withLock { _ throws(ProtocolError) in
            var document = Document()
            do throws(ProtocolError) {
                document = try file.read() ?? document
            } catch {
                guard error.code == .damaged else { throw error }
            }
            let before = document
            body(&document)
            if document != before { try file.write(document) }
        }
    }

    // MARK: - The PIN

    /// What the check of the PIN takes.
    ///
    /// - Throws: ``ProtocolError``: `locked` while there is no key, `damaged`.
    func access() async throws(ProtocolError) -> PINAccess {
        let changes = try await document().pinChanges
        guard let key = seal.key else {
            throw ProtocolError(.locked, "the key of the settings is not open; see: keyway doctor")
        }
        let own = key.derive(1, context: "pin-key ")
        return PINAccess(
            key: Attachment(
                try own.bytes.withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) }),
            changes: changes)
    }

    /// Notes how often the record has changed.
    func note(pinChanges: UInt64?) async {
        guard let pinChanges else { return }
        try? await change { $0.pinChanges = max($0.pinChanges, pinChanges) }
    }
}
