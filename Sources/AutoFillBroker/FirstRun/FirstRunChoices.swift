import BrokerBase
import Glibc
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
    /// A file that is there while they do not want it in this login session.
    private let mark: String?
    private let state = Mutex(State())

    /// The file in `folder`, and one at `mark`, which goes with the login session. Nothing is lost with that: whoever
    /// makes or removes it has a menu say less or more.
    init(folder: String, mark: String?, seal: SettingsSeal) {
        self.mark = mark
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

    /// Whether they do not want it in this login session; without a mark, as long as this broker runs.
    var isPostponed: Bool {
        state.withLock { $0.isPostponed } || mark.map { access($0, F_OK) == 0 } ?? false
    }

    /// They want it later, or want it now.
    func postpone(_ isPostponed: Bool = true) {
        state.withLock { $0.isPostponed = isPostponed }
        guard let mark else { return }
        if isPostponed {
            let descriptor = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 { close(descriptor) }
        } else {
            unlink(mark)
        }
    }

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
