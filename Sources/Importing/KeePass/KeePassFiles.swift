import KeePassDatabases
import KeywayCrypto

/// The files of a database, by the numbers under which entries refer to them: what is in them goes to the sink, wherever it
/// stands.
final class KeePassFiles: KeePassFileTaker {
    /// What came of a file.
    enum Outcome {
        case taken(ImportedFile.Mark)
        case tooLarge
        case damaged
    }

    private let sink: FileSink
    private var outcomes: [String: Outcome] = [:]
    private var count = 0
    private var failure: ImportError?

    init(_ sink: FileSink) { self.sink = sink }

    /// What came of the file with that number; nil where there is none.
    subscript(number: String) -> Outcome? { outcomes[number] }

    /// What must end the import.
    ///
    /// - Throws: ``ImportError``.
    func check() throws(ImportError) { if let failure { throw failure } }

    // MARK: - Version 4: before the document, in order

    func begin() { sink.begin() }

    func add(_ bytes: UnsafeRawBufferPointer) {
        do throws(ImportError) { try sink.add(bytes) } catch { failure = failure ?? error }
    }

    func end() {
        note(sink.end().map(Outcome.taken) ?? .tooLarge, "\(count)")
        count += 1
    }

    // MARK: - Within the document

    func note(_ outcome: Outcome, _ number: String) {
        // The first counts, as for whoever wrote it.
        if outcomes[number] == nil { outcomes[number] = outcome }
    }

    /// Begins a file whose Base64 comes piece by piece.
    func open(isPacked: Bool) -> KeePassFileText { KeePassFileText(self, isPacked: isPacked) }

    fileprivate func finish() -> Outcome { sink.end().map(Outcome.taken) ?? .tooLarge }
}

/// The text of one file in a document: Base64, packed or not.
final class KeePassFileText {
    private let files: KeePassFiles
    private let text = SecretBuffer(capacity: 1 << 16)
    private var unpacking: KeePassUnpacking?
    private var isDamaged = false
    /// How much text is decoded at once: a multiple of 4.
    private static let step = 1 << 16

    fileprivate init(_ files: KeePassFiles, isPacked: Bool) {
        self.files = files
        files.begin()
        guard isPacked else { return }
        unpacking = try? KeePassUnpacking { [files] in files.add($0) }
        if unpacking == nil { isDamaged = true }
    }

    /// Takes text, in which blanks say nothing.
    func add(_ piece: UnsafeRawBufferPointer) {
        for byte in piece where byte > 0x20 {
            text.append(byte)
            if text.count == Self.step { decode() }
        }
    }

    /// Takes bytes that were decoded already.
    func add(decoded bytes: UnsafeRawBufferPointer) {
        guard let unpacking else { return files.add(bytes) }
        do throws(KeePassError) { try unpacking.take(bytes) } catch { isDamaged = true }
    }

    private func decode() {
        let room = SecretBuffer(capacity: Self.step)
        let count = text.withUnsafeBytes { text in
            room.append(upTo: text.count) { SecretBytes.decode(base64: text, into: $0) }
        }
        if count == nil { isDamaged = true }
        text.removeAll()
        room.withUnsafeBytes { add(decoded: $0) }
    }

    /// Ends the file.
    func end() -> KeePassFiles.Outcome {
        if text.count > 0 { decode() }
        do throws(KeePassError) { try unpacking?.end() } catch { isDamaged = true }
        let outcome = files.finish()
        return isDamaged ? .damaged : outcome
    }
}
