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
    private let policy: PolicyFiles
    private let writing = Mutex(())

    /// The file in `folder`.
    ///
    /// - Parameters:
    ///   - policy: what the administrator wants at least.
    ///   - opens: asks for the key of the settings, and returns when it is there or cannot be had.
    init(
        folder: String, seal: SettingsSeal, policy: PolicyFiles = .none, opens: @escaping @Sendable () async -> Void
    ) {
        self.policy = policy
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

    /// What counts: the settings, as strict as the administrator wants them at least. Where they are not believed, or
    /// cannot be read, everything asks for a verification.
    func settings() async -> VerificationSettings {
        do throws(ProtocolError) {
            return policy.current.tightened(try await document().settings)
        } catch {
            return VerificationSettings(rule: .always, grace: 0)
        }
    }

    /// Refuses settings that are looser than the administrator wants them.
    ///
    /// - Throws: ``ProtocolError`` with the code `forbidden`.
    func checkAllowed(_ settings: VerificationSettings) throws(ProtocolError) {
        let policy = policy.current
        let allowed = policy.tightened(settings)
        guard allowed.rule == settings.rule, allowed.providers == settings.providers else {
            throw policy.refusal(.rule, "Keyway must verify you more often than that. Nothing was changed.")
        }
        guard allowed.grace == settings.grace else {
            throw policy.refusal(
                .grace, "A verification can last \(allowed.grace) s at most. Nothing was changed.")
        }
    }

    /// What the administrator wants of it.
    var limits: VerificationState.Limits? {
        let policy = policy.current
        let rule = policy.files[.rule] == nil ? nil : policy.rule
        guard rule != nil || policy.grace != nil else { return nil }
        let files = (policy.files[.rule] ?? []).union(policy.files[.grace] ?? [])
        return VerificationState.Limits(rule: rule, grace: policy.grace, files: files.sorted())
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
    ///
    /// - Throws: as ``change(beginsAnew:_:)``; then nothing was noted.
    func note(pinChanges: UInt64) async throws(ProtocolError) {
        try await change { $0.pinChanges = max($0.pinChanges, pinChanges) }
    }
}
