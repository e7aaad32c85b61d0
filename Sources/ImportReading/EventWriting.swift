import CredentialExchange
import Dispatch
import Importing
import KeywaySystem
import SecretDocuments
import Synchronization

/// Writes what is found in a file on a thread of its own, a few entries at a time and in their order, while the file is read
/// on.
final class EventWriting: Sendable {
    // SAFETY: a semaphore of libdispatch may be used from any thread; its type only lacks the word.
    private struct Signal: @unchecked Sendable {
        let semaphore: DispatchSemaphore

        init(_ value: Int) { semaphore = DispatchSemaphore(value: value) }
    }

    private struct State {
        var batches: [[ImportEvent]] = []
        var isEnd = false
        var failure: ImportError?
    }

    /// How many entries are handed over at once, and how many bytes.
    static let (batchCount, batchBytes) = (64, 1 << 17)
    /// How many batches may be on their way: they keep their guarded memory.
    private static let batches = 2
    private let state = Mutex(State())
    private let room = Signal(batches)
    private let filled = Signal(0)
    private let ended = Signal(0)

    private init() {}

    /// Runs `read`, whose findings `write` gets on another thread. Both have ended when this returns.
    ///
    /// - Throws: what `write` throws; else what `read` does. After an error of `write`, `read` is told of it soon, and nothing
    ///   more is written.
    static func run(
        _ write: @escaping @Sendable (ImportEvent) throws(ImportError) -> Void,
        _ read: ((ImportEvent) throws(ImportError) -> Void) throws(ImportError) -> Void
    ) throws(ImportError) {
        let writing = EventWriting()
        SystemThread.start { writing.serve(write) }
        var (batch, bytes) = ([ImportEvent](), 0)
        let outcome = Result { () throws(ImportError) in
            try read { (event) throws(ImportError) in
                batch.append(event)
                bytes += event.weight
                guard batch.count == batchCount || bytes >= batchBytes else { return }
                try writing.hand(over: &batch)
                // What is large is written before more is read.
                if bytes >= batchBytes { writing.settle() }
                bytes = 0
            }
            try writing.hand(over: &batch)
        }
        writing.end()
        // What was found before the file turned out to be damaged has been written by now.
        if let failure = writing.state.withLock({ $0.failure }) { throw failure }
        try outcome.get()
    }

    private func hand(over batch: inout [ImportEvent]) throws(ImportError) {
        room.semaphore.wait()
        let full = batch
        batch = []
        let failure = state.withLock { state in
            state.batches.append(full)
            return state.failure
        }
        filled.semaphore.signal()
        if let failure { throw failure }
    }

    /// Waits until all is written that was handed over.
    private func settle() {
        for _ in 0..<Self.batches { room.semaphore.wait() }
        for _ in 0..<Self.batches { room.semaphore.signal() }
    }

    private func end() {
        state.withLock { $0.isEnd = true }
        filled.semaphore.signal()
        ended.semaphore.wait()
    }

    private func serve(_ write: (ImportEvent) throws(ImportError) -> Void) {
        while true {
            filled.semaphore.wait()
            let (batch, hasFailed) = state.withLock { state in
                (state.batches.isEmpty ? nil : state.batches.removeFirst(), state.failure != nil)
            }
            guard let batch else { break }
            if !hasFailed {
                do throws(ImportError) {
                    for event in batch { try write(event) }
                } catch {
                    state.withLock { $0.failure = error }
                }
            }
            room.semaphore.signal()
        }
        ended.semaphore.signal()
    }
}

extension ImportEvent {
    /// About how many bytes of text are in it.
    fileprivate var weight: Int {
        switch self {
        case .record(let record):
            (record.password?.count ?? 0) + (record.notes?.count ?? 0)
                + record.fields.reduce(0) { $0 + $1.value.count }
                + record.credentials.reduce(0) { $0 + JSONValue.object($1.object).weight }
        case .item(let item, _): JSONValue.object(item.object).weight
        case .skipped: 0
        }
    }
}

extension JSONValue {
    fileprivate var weight: Int {
        switch self {
        case .string(let text): text.count
        case .array(let elements): elements.reduce(0) { $0 + $1.weight }
        case .object(let object): object.members.reduce(0) { $0 + $1.value.weight }
        case .null, .boolean, .number: 0
        }
    }
}
