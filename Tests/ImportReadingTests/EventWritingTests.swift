import KeywayCrypto
import SecretDocuments
import Synchronization
import Testing

@testable import ImportReading
@testable import Importing

@Suite("entries that are written while the file is read on")
struct EventWritingTests {
    private let written = Written()

    /// What was written, by its place.
    private final class Written: Sendable {
        private let list = Mutex<[String]>([])
        var places: [String] { list.withLock { $0 } }
        func append(_ event: ImportEvent) { list.withLock { $0.append(event.place) } }
    }

    private func record(_ number: Int, bytes: Int = 0) -> ImportEvent {
        var record = ImportedRecord(place: "\(number)")
        if bytes > 0 { record.notes = SecretText(copyingUTF8Of: String(repeating: "n", count: bytes)) }
        return .record(record)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 128, 1000])
    func allIsWrittenInItsOrderWhenItReturns(count: Int) throws {
        try EventWriting.run({ [written] (event) throws(ImportError) in written.append(event) }) {
            (take) throws(ImportError) in
            for number in 0..<count { try take(record(number)) }
        }
        #expect(written.places == (0..<count).map(String.init))
    }

    @Test(arguments: [0, 10, 200])
    func whatWasFoundBeforeAnErrorOfTheFileIsWritten(count: Int) {
        let damaged = ImportError(.damaged, "the file")
        #expect(throws: damaged) {
            try EventWriting.run({ [written] (event) throws(ImportError) in written.append(event) }) {
                (take) throws(ImportError) in
                for number in 0..<count { try take(record(number)) }
                throw damaged
            }
        }
        #expect(written.places == (0..<count / 64 * 64).map(String.init))
    }

    @Test func anErrorOfTheWriterEndsTheReadingAndComesFirst() {
        let failed = ImportError(.failed, "the disk")
        var read = 0
        #expect(throws: failed) {
            try EventWriting.run(
                { [written] (event) throws(ImportError) in
                    guard event.place != "70" else { throw failed }
                    written.append(event)
                }
            ) { (take) throws(ImportError) in
                for number in 0..<100_000 {
                    read += 1
                    try take(record(number))
                }
                throw ImportError(.damaged, "the file")
            }
        }
        #expect(written.places == (0..<70).map(String.init))
        // Those that were on their way, and not all of them.
        #expect(read <= 64 * 6)
    }

    @Test func whatIsLargeIsWrittenBeforeMoreIsRead() throws {
        var counts: [Int] = []
        try EventWriting.run({ [written] (event) throws(ImportError) in written.append(event) }) {
            (take) throws(ImportError) in
            for number in 0..<3 {
                try take(record(number, bytes: EventWriting.batchBytes))
                counts.append(written.places.count)
            }
        }
        #expect(counts == [1, 2, 3])
    }
}

extension ImportEvent {
    fileprivate var place: String {
        switch self {
        case .record(let record): record.place
        case .item(_, let origin): origin.place
        case .skipped(let entry): entry.place
        }
    }
}
