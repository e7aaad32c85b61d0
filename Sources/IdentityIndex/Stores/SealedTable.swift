import KeywaySQLite

/// An open file of sealed rows with the statements that were compiled for it. Belongs to one actor.
class SealedTable {
    let keys: IdentityKeys
    let database: Database
    let rows: SealedRows
    private var statements: [String: Statement] = [:]

    init(_ database: Database, keys: IdentityKeys) {
        self.database = database
        self.keys = keys
        rows = SealedRows(keys: keys)
    }

    /// A statement, compiled once.
    final func prepared(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try database.prepare(sql)
        statements[sql] = statement
        return statement
    }
}
