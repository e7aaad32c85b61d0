import CSQLite

/// What SQLite refused to do: a code to compare, and a detail to read that never holds stored values.
package struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, as far as somebody acts on them differently.
    package enum Code: Sendable, Equatable {
        /// Another connection holds the database; it may be free a moment later.
        case busy
        /// The disk, the quota or the file size limit is exhausted; the transaction was not written.
        case full
        /// The pages of the file contradict each other.
        case damaged
        /// The file is no SQLite database at all.
        case notADatabase
        /// The file or its folder must not be written.
        case readOnly
        /// Another file has taken the name of this one since it was opened, or none has it any more.
        case moved
        /// The file does not exist, or cannot be opened.
        case cannotOpen
        /// The operating system failed to read or write.
        case inputOutput
        /// A row would break a rule of the schema, such as a second row with the same key.
        case constraint
        /// The memory of the process is exhausted.
        case outOfMemory
        /// Anything else, such as SQL that does not compile: our own mistake.
        case other
    }

    /// What kind of failure this is.
    package let code: Code
    /// SQLite's extended result code; see `sqlite.org/rescode.html`.
    package let extendedCode: Int32
    /// SQLite's words; names of tables and columns at most.
    package let detail: String

    /// The code, the number and SQLite's words, for logs.
    package var description: String { "\(code) (SQLite \(extendedCode)): \(detail)" }

    /// Two errors are the same when their codes are.
    package static func == (left: SQLiteError, right: SQLiteError) -> Bool { left.code == right.code }

    /// The error that a connection reports just now, or a bare result code.
    package init(_ status: Int32, _ connection: OpaquePointer?) {
        let extended = connection.map { sqlite3_extended_errcode($0) } ?? status
        // Only trust the connection's words when they are about this status.
        let isAboutThis = connection != nil && extended & 0xff == status & 0xff
        extendedCode = isAboutThis ? extended : status
        code = extendedCode == Self.moved ? .moved : Self.code(of: status)
        detail = String(cString: isAboutThis ? sqlite3_errmsg(connection) : sqlite3_errstr(status))
    }

    /// For a file whose content contradicts what its reader knows about it.
    package static var damaged: SQLiteError { SQLiteError(SQLITE_CORRUPT, nil) }

    /// `SQLITE_READONLY_DBMOVED`, which is no constant to the compiler.
    private static let moved = SQLITE_READONLY | (4 << 8)

    private static func code(of status: Int32) -> Code {
        switch status & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .full
        case SQLITE_CORRUPT, SQLITE_FORMAT: .damaged
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_IOERR: .inputOutput
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH: .constraint
        case SQLITE_NOMEM, SQLITE_TOOBIG: .outOfMemory
        default: .other
        }
    }
}
