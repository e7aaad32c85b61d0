import Testing

@testable import BrowserPasswords
@testable import KeywaySQLite

@Suite("databases in memory") struct WriteAheadLogTests {
    /// A database with a write-ahead log that SQLite wrote: two rows are in the file, two more in the log alone.
    struct Sample {
        let file: [UInt8]
        let log: [UInt8]

        init() throws {
            let folder = Folder()
            let database = try Database(path: folder.path + "/data", access: .create, journal: .writeAheadLog)
            try database.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT); PRAGMA wal_autocheckpoint = 0")
            try database.execute("INSERT INTO rows (text) VALUES ('one'), ('two')")
            _ = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
            try database.execute("INSERT INTO rows (text) VALUES ('three')")
            try database.execute("INSERT INTO rows (text) VALUES ('four')")
            file = try Folder.bytes(folder.path + "/data")
            log = try Folder.bytes(folder.path + "/data-wal")
        }
    }

    private func rows(_ image: [UInt8]) throws -> Int64? {
        try Database(image: image).integer("SELECT count(*) FROM rows")
    }

    @Test func whatIsCommittedInTheLogCounts() throws {
        let sample = try Sample()
        #expect(try rows(DatabaseImage.whole(sample.file, log: [])) == 2)
        #expect(try rows(DatabaseImage.whole(sample.file, log: sample.log)) == 4)
    }

    @Test func aTransactionThatIsNotWholeDoesNotCount() throws {
        let sample = try Sample()
        // Each of the two transactions is one page, the last frame of the log.
        let frame = 24 + 4096
        #expect(try rows(DatabaseImage.whole(sample.file, log: sample.log.dropLast(1))) == 3)
        #expect(try rows(DatabaseImage.whole(sample.file, log: sample.log.dropLast(frame + 1))) == 2)
    }

    @Test(arguments: [0, 9, 17, 25, 31]) func aLogWhoseHeaderIsChangedIsThatOfAnotherFile(offset: Int) throws {
        let sample = try Sample()
        var log = sample.log
        log[offset] ^= 1
        #expect(try rows(DatabaseImage.whole(sample.file, log: log)) == 2)
    }

    @Test(arguments: [0, 5, 10, 18, 30, 4000]) func aChangedFrameEndsTheLog(offset: Int) throws {
        let sample = try Sample()
        var log = sample.log
        log[32 + offset] ^= 1
        #expect(try rows(DatabaseImage.whole(sample.file, log: log)) == 2)
    }

    @Test func everyTruncationIsAnErrorOrADatabase() throws {
        let sample = try Sample()
        for percent in 0..<100 {
            let image = DatabaseImage.whole(Array(sample.file.prefix(sample.file.count * percent / 100)), log: [])
            _ = try? rows(image)
            _ = DatabaseImage.whole(sample.file, log: Array(sample.log.prefix(sample.log.count * percent / 100)))
        }
        #expect(try rows(DatabaseImage.whole(sample.file, log: sample.log)) == 4)
    }

    @Test func aJournalIsHotOnlyWithItsHeader() {
        #expect(!DatabaseImage.isHot([]))
        #expect(!DatabaseImage.isHot([UInt8](repeating: 0, count: 512)))
        #expect(DatabaseImage.isHot([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0]))
    }
}
