import KeywaySQLite

extension VaultError {
    /// What a failure of SQLite means for a vault.
    init(_ error: SQLiteError) {
        let code: Code =
            switch error.code {
            case .full: .storageFull
            case .damaged, .notADatabase, .constraint: .damaged
            case .busy, .moved: .conflict
            case .outOfMemory: .outOfMemory
            case .readOnly, .cannotOpen, .inputOutput, .other: .storage
            }
        self.init(code, error.description)
    }
}
