import BrokerBase
import KeywaySystem
import Synchronization

/// What the person said to being offered that Keyway is set up, and how far that is.
final class FirstRunChoices: Sendable {
    struct Document: Codable, Hashable, Sendable {
        /// Whether they do not want to be offered it again.
        var isUnwanted = false
        /// Whether it was begun, and not ended: whatever cut it off, it goes on where it was.
        var isUnfinished = false
    }

    private struct State {
        var isPostponed = false
        var isRunning = false
    }

    private let file: SettingsFile<Document>
    private let state = Mutex(State())

    /// The file in `folder`.
    init(folder: String, seal: SettingsSeal) {
        file = SettingsFile(
            folder: folder, name: "setup.json",
            consequence: "Browsers offer to set Keyway up again, while no provider is on.", seal: seal)
    }

    /// What was said before, in whatever session. Where that is not believed, nothing was.
    ///
    /// - Throws: ``ProtocolError``: `locked`, `system`.
    func document() throws(ProtocolError) -> Document {
        do throws(ProtocolError) {
            return try file.read() ?? Document()
        } catch {
            guard error.code == .damaged else { throw error }
            return Document()
        }
    }

    /// Changes that.
    ///
    /// - Throws: as ``document()``.
    func change(_ body: (inout Document) -> Void) throws(ProtocolError) {
        let before = try document()
        var document = before
        body(&document)
        if document != before { try file.write(document) }
    }

    /// Whether they do not want it in this session.
    var isPostponed: Bool { state.withLock { $0.isPostponed } }

    /// They want it later, or want it now.
    func postpone(_ isPostponed: Bool = true) { state.withLock { $0.isPostponed = isPostponed } }

    /// Takes the one place that there is for setting up; false where another has it. ``end()`` gives it back.
    func begin() -> Bool {
        state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// The place is free again.
    func end() { state.withLock { $0.isRunning = false } }
}
