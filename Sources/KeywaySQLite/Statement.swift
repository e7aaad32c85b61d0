import CSQLite

/// A compiled statement: bind its parameters (from 1), step through its rows, read the columns (from 0), reset, again.
///
/// Belongs to the thread that uses its ``Database``. Bytes that a column lends end with the next step or reset.
package final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    /// SQLite copies what it is given before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ sql: String, in database: Database) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(
            database.connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let prepared else { throw SQLiteError(status, database.connection) }
        handle = prepared
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: - Binding

    /// Binds an integer.
    package func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds text.
    package func bind(_ index: Int32, _ value: String) throws(SQLiteError) {
        var value = value
        let status = value.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                sqlite3_bind_text64(
                    handle, index, text.baseAddress, UInt64(text.count), Self.copied, UInt8(SQLITE_UTF8))
            }
        }
        try check(status)
    }

    /// Binds bytes; they are copied.
    package func bind(_ index: Int32, _ value: UnsafeRawBufferPointer) throws(SQLiteError) {
        guard value.count > 0 else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(sqlite3_bind_blob64(handle, index, value.baseAddress, UInt64(value.count), Self.copied))
    }

    /// Binds bytes.
    package func bind(_ index: Int32, _ value: [UInt8]) throws(SQLiteError) {
        let status = value.withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), Self.copied)
        }
        try check(status)
    }

    /// Binds no value.
    package func bindNull(_ index: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_null(handle, index))
    }

    /// Binds values to the parameters from the first on.
    package func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        var index: Int32 = 1
        for value in values {
            switch value {
            case .integer(let integer): try bind(index, integer)
            case .text(let text): try bind(index, text)
            case .blob(let bytes): try bind(index, bytes)
            case .null: try bindNull(index)
            }
            index += 1
        }
    }

    // MARK: - Running

    /// Goes to the next row.
    ///
    /// - Returns: whether there is one. After the last one, or an error, the statement is ready to start again.
    package func step() throws(SQLiteError) -> Bool {
        let status = sqlite3_step(handle)
        if status == SQLITE_ROW { return true }
        guard status == SQLITE_DONE else {
            let error = SQLiteError(status, database.connection)
            sqlite3_reset(handle)
            throw error
        }
        sqlite3_reset(handle)
        return false
    }

    /// Runs a statement without rows, or past all of them, with the bound values.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Binds values, runs past all rows, and forgets the values.
    package func run(_ values: [SQLiteValue]) throws(SQLiteError) {
        try bind(values)
        try run()
        clear()
    }

    /// Ends a walk through rows early; bound values stay.
    package func reset() {
        sqlite3_reset(handle)
    }

    /// Ends a walk through rows and forgets the bound values.
    package func clear() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    // MARK: - Columns of the current row

    /// An integer; 0 where the column holds none.
    package func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// Text, copied; empty where the column holds none, repaired where it is no UTF-8.
    package func text(_ column: Int32) -> String {
        bytes(column).withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
    }

    /// Bytes of a blob or text, lent until the next step or reset; empty where the column holds none.
    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // The pointer must be asked for before the count.
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Whether the column holds no value.
    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// Whether the column holds bytes, as opposed to a number, text or nothing.
    package func isBlob(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_BLOB
    }

    /// Whether the column holds an integer.
    package func isInteger(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_INTEGER
    }

    private func check(_ status: Int32) throws(SQLiteError) {
        guard status == SQLITE_OK else { throw SQLiteError(status, database.connection) }
    }
}
