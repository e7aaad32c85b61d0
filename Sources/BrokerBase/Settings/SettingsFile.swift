import FoundationEssentials
import Glibc
package import KeywaySystem
import Synchronization

/// One file of the broker with grants or settings.
///
/// It carries an authentication code under the store key, bound to the file's name and to a counter. Content that
/// another program wrote is not trusted, and is kept aside at the next write.
///
/// The content stays in memory as long as the file is unchanged, so that locking the login session changes nothing. It
/// is read again only after the kernel reports a change (``FileWatch``).
package final class SettingsFile<Document: Codable & Sendable>: Sendable {
    private struct Known {
        let document: Document
        let mark: ProgramFile
    }

    /// What the file said, and what tells whether it still does.
    private struct Answer {
        let document: Document?
        let trace: FileTrace
    }

    private struct State {
        var known: Known?
        var answer: Answer?
    }

    private let path: String
    private let name: String
    private let consequence: String
    private let seal: SettingsSeal
    private let maximumBytes: Int
    private let mayBeRemoved: Bool
    private let watch: FileWatch
    private let state = Mutex(State())

    /// The file `name` of `folder`.
    ///
    /// - Parameters:
    ///   - name: what its code is bound to; may hold slashes.
    ///   - consequence: what it means that the file is not believed and what to do, as the end of a sentence.
    ///   - mayBeRemoved: whether a file that was there may be gone without a word.
    package convenience init(
        folder: String, name: String, consequence: String, seal: SettingsSeal, maximumBytes: Int = 1 << 20,
        mayBeRemoved: Bool = false
    ) {
        self.init(
            folder: folder, name: name, consequence: consequence, seal: seal, maximumBytes: maximumBytes,
            mayBeRemoved: mayBeRemoved, watch: .ofThisProcess)
    }

    init(
        folder: String, name: String, consequence: String, seal: SettingsSeal, maximumBytes: Int = 1 << 20,
        mayBeRemoved: Bool = false, watch: FileWatch
    ) {
        path = "\(folder)/\(name)"
        self.name = name
        self.consequence = consequence
        self.seal = seal
        self.maximumBytes = maximumBytes
        self.mayBeRemoved = mayBeRemoved
        self.watch = watch
        seal.onLook(at: path, name: name) { [weak self] in _ = try? self?.read() }
    }

    /// What the file holds; nil where there is none.
    ///
    /// - Throws: ``ProtocolError``: `damaged` for a file that is not believed, `locked` while there is no key, `system`.
    package func read() throws(ProtocolError) -> Document? {
        try state.withLock { (state) throws(ProtocolError) in
            if let answer = state.answer, answer.trace.isUnchanged { return answer.document }
            state.answer = nil
            // Before the file is looked at: what is changed meanwhile is told.
            let trace = watch.trace()
            trace.add([path])
            let hasKey = seal.key != nil
            let document = try read(&state)
            // Without a key it may be that the file says something else, and was not read.
            if hasKey { state.answer = Answer(document: document, trace: trace) }
            return document
        }
    }

    /// What the file holds; `beginning` where there is none, or one that is not believed: for what may begin anew.
    ///
    /// - Throws: ``ProtocolError``: `locked` while there is no key, `system`.
    package func read(or beginning: Document) throws(ProtocolError) -> Document {
        do throws(ProtocolError) {
            return try read() ?? beginning
        } catch {
            guard error.code == .damaged else { throw error }
            return beginning
        }
    }

    /// Puts `document` in the place of what the file holds: all of it or nothing, and on the disk when this returns.
    /// A file that is not believed is kept beside it, as `NAME.disbelieved`.
    ///
    /// - Throws: ``ProtocolError``: `locked` while there is no key, `system`; then nothing changed.
    package func write(_ document: Document) throws(ProtocolError) {
        guard let key = seal.key else { throw locked }
        try state.withLock { (state) throws(ProtocolError) in
            state.answer = nil
            do throws(ProtocolError) {
                _ = try read(&state)
            } catch {
                guard error.code == .damaged else { throw error }
                // What is gone cannot be kept.
                if rename(path, path + ".disbelieved") != 0 && errno != ENOENT {
                    throw .system("rename \(path)", errno)
                }
            }
            // The register stands before the file that it counts, and counts it after it was written: whatever is cut off
            // between leaves a file that is believed.
            try seal.establishRegister()
            let counter = (seal.least(name) ?? 0) + 1
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            guard let body = try? encoder.encode(document),
                let bytes = SettingsForm.make(
                    name, counter: counter, body: Array(body) + [UInt8(ascii: "\n")], key: key)
            else { throw ProtocolError(.internalError, "\(path) cannot be written.") }
            try FileContents.replace(path, with: bytes)
            seal.note(name, counter)
            state.known = ProgramFile(path: path).map { Known(document: document, mark: $0) }
            seal.believe(path)
        }
    }

    private func read(_ state: inout State) throws(ProtocolError) -> Document? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            // A link is not ours.
            if errno == ELOOP { throw disbelieved(&state) }
            guard errno == ENOENT else { throw .system("open \(path)", errno) }
            return try readNothing(&state)
        }
        let descriptor = OwnedDescriptor(file)
        let mark = ProgramFile(descriptor)
        if let known = state.known, known.mark == mark { return known.document }
        guard let key = seal.key else {
            if let known = state.known { return known.document }
            throw locked
        }
        let bytes = try FileContents.read(descriptor, limit: maximumBytes)
        guard let (counter, body) = SettingsForm.read(bytes, name: name, key: key),
            // Otherwise an older copy was put back.
            let least = seal.least(name), counter >= least,
            let document = try? JSONDecoder().decode(Document.self, from: Data(body))
        else { throw disbelieved(&state) }
        seal.note(name, counter)
        state.known = mark.map { Known(document: document, mark: $0) }
        seal.believe(path)
        return document
    }

    /// What a file that is not there says: nothing, unless it was there.
    private func readNothing(_ state: inout State) throws(ProtocolError) -> Document? {
        if let known = state.known, seal.key == nil { return known.document }
        if !mayBeRemoved {
            guard let least = seal.least(name) else { throw locked }
            guard least == 0 else { throw disbelieved(&state, isGone: true) }
        }
        state.known = nil
        seal.believe(path)
        return nil
    }

    private func disbelieved(_ state: inout State, isGone: Bool = false) -> ProtocolError {
        state.known = nil
        let sentence =
            isGone
            ? "\(path) is missing, or Keyway's record of it is. Keyway doesn't trust that: \(consequence)"
            : "\(path) was changed by another program, or its key is lost. Keyway doesn't trust it: "
                + "\(consequence) The old file is then kept as \(path).disbelieved."
        seal.disbelieve(path, sentence)
        return ProtocolError(.damaged, sentence)
    }

    private var locked: ProtocolError {
        ProtocolError(.locked, "Keyway can't read or write \(path) while the login session is locked.")
    }
}
