import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywayCrypto
import KeywaySystem
import Synchronization

/// The settings file with the person's choices about verification, and with what the broker must know about the PIN
/// besides its record.
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
            consequence: "Keyway verifies you every time until you change that: keyway verification set.",
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

    /// Changes the file.
    ///
    /// - Parameter beginsAnew: whether one that is not believed is written anew, from what is set where there is none:
    ///   only for what the person wants who was verified for it. Otherwise whoever takes the file away, and makes the
    ///   broker note something, would have it believed again, without rules and PIN.
    /// - Returns: whether it began anew.
    /// - Throws: ``ProtocolError``: `damaged` for one that is not believed, `locked` while there is no key, `system`.
    @discardableResult
    func change(beginsAnew: Bool = false, _ body: (inout Document) -> Void) async throws(ProtocolError) -> Bool {
        await opens()
        return try writing.withLock { _ throws(ProtocolError) in
            var before: Document?
            do throws(ProtocolError) {
                before = try file.read() ?? Document()
            } catch {
                guard beginsAnew, error.code == .damaged else { throw error }
            }
            var document = before ?? Document()
            body(&document)
            // What is not believed is written also where the person wants what is set without a file.
            if document != before { try file.write(document) }
            return before == nil
        }
    }

    // MARK: - The PIN

    /// What the check of the PIN takes.
    ///
    /// - Throws: ``ProtocolError``: `locked` while there is no key, `damaged`.
    func access() async throws(ProtocolError) -> PINAccess {
        let changes = try await document().pinChanges
        guard let key = seal.key else {
            throw ProtocolError(.locked, "Keyway can't open the key for its settings. Run: keyway doctor")
        }
        let own = key.derive(1, context: "pin-key ")
        return PINAccess(
            key: Attachment(
                try own.bytes.withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) }),
            changes: changes)
    }

    /// Notes how often the record has changed; in a file that is not believed nothing is noted.
    func note(pinChanges: UInt64?) async {
        guard let pinChanges else { return }
        _ = try? await change { $0.pinChanges = max($0.pinChanges, pinChanges) }
    }
}
