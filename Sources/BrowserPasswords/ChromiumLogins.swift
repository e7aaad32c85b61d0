import Importing
import KeywayCrypto
import KeywaySQLite
import SecretDocuments

/// What a browser of Chromium's family has stored: the tables `logins` and `password_notes` of `Login Data`, and of the
/// database beside it for passwords of an account.
enum ChromiumLogins {
    /// The databases of a profile.
    static let files = ["Login Data", "Login Data For Account"]
    /// Longer values are no passwords of anybody.
    static let longestValue = 1 << 20
    /// Seconds from 1601, where its times begin, to 1970.
    private static let epoch: Int64 = 11_644_473_600

    /// How many passwords are stored.
    static func count(_ profile: ProfileFolder) throws(ImportError) -> Int {
        var count = 0
        for name in files {
            guard let database = try DatabaseImage.open(name, in: profile) else { continue }
            count += try reading(name) { () throws(SQLiteError) -> Int in
                guard try hasTable("logins", database) else { throw .damaged }
                let sql = "SELECT count(*) FROM logins WHERE blacklisted_by_user = 0 AND length(password_value) > 0"
                return Int(clamping: try database.integer(sql) ?? 0)
            }
        }
        return count
    }

    /// Reads all of them.
    static func read(
        _ profile: ProfileFolder, keys: ChromiumKeys, _ take: (ImportEvent) throws(ImportError) -> Void
    ) throws(ImportError) {
        var (leftOut, isThere) = (LeftOut(), false)
        for name in files {
            guard let database = try DatabaseImage.open(name, in: profile) else { continue }
            isThere = true
            try read(database, name, keys, &leftOut, take)
        }
        guard isThere else { throw ImportError(.unknownFormat, "the profile has no \(files[0])") }
        try leftOut.tell(take)
    }

    /// Reads one database.
    static func read(
        _ database: Database, _ name: String, _ keys: ChromiumKeys, _ leftOut: inout LeftOut,
        _ take: (ImportEvent) throws(ImportError) -> Void
    ) throws(ImportError) {
        let rows = try reading(name) { () throws(SQLiteError) -> Statement in
            guard try hasTable("logins", database) else { throw .damaged }
            return try statement(database)
        }
        let notes = try reading(name) { () throws(SQLiteError) -> [Int64: SecretText] in
            try Self.notes(database, keys)
        }
        while try reading(name, { () throws(SQLiteError) in try rows.step() }) {
            if let record = record(rows, name, keys, notes, &leftOut) { try take(.record(record)) }
        }
    }

    // MARK: - Rows

    private static func record(
        _ row: Statement, _ name: String, _ keys: ChromiumKeys, _ notes: [Int64: SecretText],
        _ leftOut: inout LeftOut
    ) -> ImportedRecord? {
        let number = row.integer(0)
        guard row.integer(6) == 0 else {
            leftOut.add("The browser was told never to save passwords of them.", ("site", "sites"))
            return nil
        }
        guard row.bytes(7).isEmpty else {
            leftOut.add("It is no password: another site signs the account in.", ("account", "accounts"))
            return nil
        }
        let value = row.bytes(3)
        guard !value.isEmpty else {
            leftOut.add("No password is stored.", ("account", "accounts"))
            return nil
        }
        guard value.count <= longestValue, row.bytes(1).count <= longestValue, row.bytes(2).count <= longestValue else {
            leftOut.add("It is longer than any password.")
            return nil
        }
        var record = ImportedRecord(place: "\(name), row \(number)")
        do {
            let password = try keys.open(value)
            record.password = password.withUnsafeBytes { SecretText(copying: $0) }
        } catch {
            leftOut.add(reason(error))
            return nil
        }
        // An origin of a site, or an app.
        let url = row.text(1).isEmpty ? row.text(4) : row.text(1)
        record.title = url.host
        record.add(url: url)
        record.userName = row.text(2)
        record.isForHTTP = (1...2).contains(row.integer(5))
        record.created = time(row.integer(8))
        record.modified = time(row.integer(9))
        record.notes = notes[number]
        return record
    }

    private static func reason(_ obstacle: ChromiumKeys.Obstacle) -> String {
        switch obstacle {
        case .keyInKeyring:
            "Its key is in a keyring that is locked, or isn't there: unlock the login keyring, and try again."
        case .unknownWay: "It is encrypted in a way that Keyway doesn't know. Export the passwords in the browser."
        case .damaged: "It can't be decrypted."
        }
    }

    private static func time(_ microseconds: Int64) -> Int64? {
        microseconds > 0 ? microseconds / 1_000_000 - epoch : nil
    }

    // MARK: - Tables

    private static func statement(_ database: Database) throws(SQLiteError) -> Statement {
        let columns = "id, origin_url, username_value, password_value, signon_realm, scheme, blacklisted_by_user"
        // Older versions have fewer columns.
        for more in ["federation_url, date_created, date_password_modified", "federation_url, date_created, 0"] {
            if let statement = try? database.prepare("SELECT \(columns), \(more) FROM logins ORDER BY id") {
                return statement
            }
        }
        return try database.prepare("SELECT \(columns), '', date_created, 0 FROM logins ORDER BY id")
    }

    /// The notes, by the row that they belong to.
    private static func notes(_ database: Database, _ keys: ChromiumKeys) throws(SQLiteError) -> [Int64: SecretText] {
        guard try hasTable("password_notes", database) else { return [:] }
        let rows = try database.prepare("SELECT parent_id, value FROM password_notes ORDER BY id")
        var notes: [Int64: SecretText] = [:]
        while try rows.step() {
            let value = rows.bytes(1)
            guard !value.isEmpty, value.count <= longestValue, let note = try? keys.open(value), !note.isEmpty else {
                continue
            }
            notes[rows.integer(0)] = note.withUnsafeBytes { SecretText(copying: $0) }
        }
        return notes
    }

    /// Whether a name is that of a table: a view could compute anything.
    private static func hasTable(_ name: String, _ database: Database) throws(SQLiteError) -> Bool {
        try database.integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", .text(name)) == 1
    }

    private static func reading<Result>(
        _ name: String, _ body: () throws(SQLiteError) -> Result
    ) throws(ImportError) -> Result {
        do {
            return try body()
        } catch {
            throw ImportError(.damaged, "\(name) in the profile is damaged, or none of this browser")
        }
    }
}
