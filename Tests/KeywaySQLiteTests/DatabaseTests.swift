import FoundationEssentials
import Glibc
import KeywaySQLite
import Testing

/// A folder that goes away with the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}

@Suite struct DatabaseTests {
    let folder: TemporaryFolder
    let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try Database(path: folder.file("a.db"), access: .create)
        try database.execute("CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT UNIQUE, bytes BLOB)")
    }

    @Test func givesBackWhatWasBound() throws {
        let insert = try database.prepare("INSERT INTO word VALUES (?, ?, ?)")
        try insert.run([.integer(.max), .text("käse"), .blob([0, 1, 255])])
        try insert.run([.integer(.min), .text(""), .blob([])])
        try insert.run([.integer(0), .null, .null])
        let select = try database.prepare("SELECT id, text, bytes FROM word ORDER BY id DESC")
        #expect(try select.step())
        #expect(select.integer(0) == .max && select.text(1) == "käse")
        #expect(Array(select.bytes(2)) == [0, 1, 255] && select.isBlob(2) && select.isInteger(0))
        #expect(try select.step())
        #expect(select.isNull(1) && select.isNull(2) && select.bytes(2).isEmpty && select.text(1).isEmpty)
        #expect(try select.step())
        #expect(select.text(1).isEmpty && !select.isNull(1) && select.isBlob(2))
        #expect(try !select.step())
        #expect(try select.step(), "a finished statement starts again")
    }

    @Test func writesATransactionWholeOrNotAtAll() throws {
        #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.run("INSERT INTO word(text) VALUES (?)", .text("one"))
                try database.run("INSERT INTO word(text) VALUES (?)", .text("one"))
            }
        }
        #expect(!database.isInTransaction)
        #expect(try database.integer("SELECT count(*) FROM word") == 0)
        try database.transaction { () throws(SQLiteError) in
            try database.run("INSERT INTO word(text) VALUES (?)", .text("one"))
            #expect(database.changedRows == 1)
        }
        #expect(try database.integer("SELECT count(*) FROM word") == 1)
        #expect(try database.integer("SELECT id FROM word WHERE text = ?", .text("two")) == nil)
    }

    @Test func namesWhatWentWrong() throws {
        func code(_ body: () throws -> Void) -> SQLiteError.Code? {
            do { try body() } catch { return (error as? SQLiteError)?.code }
            return nil
        }
        try database.run("INSERT INTO word(text) VALUES ('one')")
        #expect(code { try database.run("INSERT INTO word(text) VALUES ('one')") } == .constraint)
        #expect(code { try database.execute("SELEC") } == .other)
        #expect(code { _ = try Database(path: folder.file("none"), access: .readWrite) } == .cannotOpen)
        let reader = try Database(path: folder.file("a.db"), access: .readOnly)
        #expect(code { try reader.run("DELETE FROM word") } == .readOnly)
        try Data(repeating: 65, count: 8192).write(to: URL(filePath: folder.file("text")))
        #expect(code { _ = try Database(path: folder.file("text"), access: .readWrite) } == .notADatabase)
    }

    @Test func reportsBusyWhileAnotherWrites() throws {
        let other = try Database(path: folder.file("a.db"), access: .readWrite, busyTimeout: 0)
        try database.begin()
        #expect(throws: SQLiteError(5, nil)) { try other.begin() }
        database.rollback()
        try other.begin()
        other.rollback()
    }

    @Test func reportsAFullDisk() throws {
        let pages = try #require(try database.integer("PRAGMA page_count"))
        try database.execute("PRAGMA max_page_count = \(pages + 2)")
        #expect(throws: SQLiteError(13, nil)) {
            try database.run("INSERT INTO word(bytes) VALUES (zeroblob(100000))")
        }
        #expect(try database.integer("SELECT count(*) FROM word") == 0)
    }

    @Test func refusesADamagedFile() throws {
        try database.transaction { () throws(SQLiteError) in
            for number in 0..<500 { try database.run("INSERT INTO word(text) VALUES (?)", .text("word \(number)")) }
        }
        var bytes = try Data(contentsOf: URL(filePath: folder.file("a.db")))
        for index in 4096..<bytes.count { bytes[index] = 0x5a }
        try bytes.write(to: URL(filePath: folder.file("damaged.db")))
        let damaged = try Database(path: folder.file("damaged.db"), access: .readOnly)
        #expect(throws: SQLiteError(11, nil)) { _ = try damaged.integer("SELECT count(*) FROM word") }
    }

    @Test(arguments: [Database.Journal.rollback, .keptRollback, .writeAheadLog])
    func keepsTheJournalThatWasChosen(journal: Database.Journal) throws {
        let path = folder.file("journal.db")
        let database = try Database(path: path, access: .create, journal: journal)
        let statement = try database.prepare("PRAGMA journal_mode")
        #expect(try statement.step())
        #expect(statement.text(0).uppercased() == journal.rawValue)
    }

    @Test func removesAKeptJournalOnRequest() throws {
        let path = folder.file("kept.db")
        let database = try Database(path: path, access: .create, journal: .keptRollback)
        for name in ["one", "two"] {
            try database.execute("CREATE TABLE \(name)(a)")
            #expect(access(path + "-journal", F_OK) == 0)
            database.removeJournal()
            #expect(access(path + "-journal", F_OK) != 0)
        }
    }

    @Test func keepsStatementsAliveThatOutliveTheirDatabase() throws {
        let statement = try Database(path: folder.file("a.db"), access: .readOnly).prepare("SELECT 7")
        #expect(try statement.step())
        #expect(statement.integer(0) == 7)
    }

    @Test func overwritesWhatWasDeleted() throws {
        let marker = Array("a marker that must not stay".utf8)
        try database.run("INSERT INTO word(bytes) VALUES (?)", .blob(marker))
        #expect(try Data(contentsOf: URL(filePath: folder.file("a.db"))).firstRange(of: marker) != nil)
        try database.run("DELETE FROM word")
        #expect(try Data(contentsOf: URL(filePath: folder.file("a.db"))).firstRange(of: marker) == nil)
    }
}
