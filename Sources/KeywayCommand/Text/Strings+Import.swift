import AutoFillWire

/// What the command says that imports files.
extension Strings {
    // MARK: Reading files

    static func passwordOfFile(_ path: String) -> String { "Password of \(DisplayText.line(path))" }
    static func wrongPasswordOfFile(_ path: String) -> String { "\(path): the password is wrong." }
    static func notImported(_ path: String, _ detail: String) -> String { "\(path): \(detail)." }
    static func nameColumns(_ advice: String) -> String {
        "\(advice) If it is CSV, say what its columns are: `--columns title=Name,url=Website,username=…,password=…`."
    }
    static func tooMuchToRead(_ path: String) -> String {
        "\(path): reading it takes more memory or time than Keyway allows for a file."
    }
    static let exportInParts = "If you trust the file, export the passwords in several parts."
    static func readerFailed(_ path: String, _ how: String) -> String { "\(path): the file couldn't be read (\(how))." }
    static func readerIsWrong(_ path: String) -> String { "\(path): what was read of the file makes no sense." }
    static func folderToImport(_ path: String) -> String { "\(path) is a folder." }
    static let nameExportedFile = "Name the file that the other program exported."
    static func passwordStoreFolder(_ path: String) -> String { "\(path) is a folder of pass, the password store." }
    static let usePasswordStore =
        "Keyway fills from it without an import: `keyway providers enable org.keyway.password-store`."
    static func noFileToImport(_ path: String) -> String { "\(path) isn't a file." }
    static func noColumn(_ text: String) -> String { "--columns can't be “\(text)”." }
    static func columnsAre(_ roles: [String]) -> String {
        "Write ROLE=NAME, where NAME is a column of the file, and ROLE one of: \(roles.joined(separator: ", "))."
    }

    // MARK: The preview

    static func importSummary(_ path: String, format: String, count: Int, parts: [String]) -> String {
        let kinds = parts.isEmpty ? "" : ", with \(parts.joined(separator: ", "))"
        return
            "\(DisplayText.line(path)): \(DisplayText.line(format)), \(count == 1 ? "1 entry" : "\(count) entries")\(kinds)"
    }
    static func imported(_ part: ImportedAccount.Part, _ count: Int) -> String {
        let (one, many) =
            switch part {
            case .password: ("password", "passwords")
            case .passkey: ("passkey", "passkeys")
            case .code: ("one-time code", "one-time codes")
            case .note: ("note", "notes")
            case .card: ("card", "cards")
            case .identity: ("identity", "identities")
            case .network: ("Wi-Fi network", "Wi-Fi networks")
            case .key: ("key", "keys")
            case .other: ("item of another kind", "items of other kinds")
            }
        return "\(count) \(count == 1 ? one : many)"
    }
    static func importSkips(_ count: Int) -> String { count == 1 ? "1 is left out:" : "\(count) are left out:" }
    static let importChanges = "Not taken over as they are:"
}
