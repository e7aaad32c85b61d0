import AutoFillWire
import PasswordsProtocol

/// What the command says that imports files.
extension Strings {
    // MARK: Reading files

    static func passwordOfFile(_ path: String) -> String { "Password of \(DisplayText.line(path))" }
    static func readingFile(_ path: String) -> String { "Reading \(DisplayText.line(path))" }
    static func wrongPasswordOfFile(_ path: String) -> String { "\(path): the password is wrong." }
    static func notImported(_ path: String, _ detail: String) -> String { "\(path): \(detail)." }
    static func nameColumns(_ advice: String) -> String {
        "\(advice) If it is CSV, say what its columns are: `--columns title=Name,url=Website,username=…,password=…`."
    }
    static func tooMuchToRead(_ path: String) -> String {
        "\(path): reading it takes more memory or time than Keyway allows for a file."
    }
    static let exportInParts = "If you trust the file, export the passwords in several parts."
    static func noKeyFile(_ path: String) -> String { "\(path) is empty, or too large for a key file." }
    static func allowMemory(_ path: String, _ mebibytes: UInt64) -> String {
        "To decrypt \(DisplayText.line(path)), Keyway needs \(mebibytes) MiB of memory. Allow it?"
    }
    static func readerFailed(_ path: String, _ how: String) -> String { "\(path): the file couldn't be read (\(how))." }
    static func readerIsWrong(_ path: String) -> String { "\(path): what was read of the file makes no sense." }
    static func folderToImport(_ path: String) -> String { "\(path) is a folder." }
    static let nameExportedFile = "Name the file that the other program exported."
    static func ageFolder(_ path: String) -> String {
        "\(path) is a password store that age encrypted, as gopass and passage make them. Keyway reads those that gpg "
            + "encrypted."
    }
    static let convertAgeFolder = "`gopass convert --crypto gpg` makes one of it. Or copy it, and convert the copy."
    static func decrypting(_ path: String) -> String {
        "gpg decrypts what is in \(DisplayText.line(path)), and may ask for the passphrase of your key."
    }
    static func noGnuPG(_ path: String) -> String { "\(path): its entries can't be decrypted without gpg." }
    static let installGnuPG = "Install gpg: apt install gpg"
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

    // MARK: Storing what was read

    static let fileIsMissing = "FILE is missing."
    static let undoIsAlone = "Use --undo without files and without other options, --yes and --json aside."
    static let revealNeedsJSON = "Use --reveal only with --preview and --json."
    private static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }
    static func compared(_ counts: ImportCounts) -> String {
        let parts = [
            (counts.new, "new"), (counts.duplicates, "in the vault already"),
            (counts.conflicts, "in the vault with another secret"), (counts.refused, "that can't be stored"),
        ]
        let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return told.isEmpty
            ? "There is nothing to import." : "Of \(entries(counts.total)): \(told.joined(separator: ", "))."
    }
    static let comparing = "Comparing with the vault"
    static let importing = "Importing"
    static func compared(_ done: Int, of total: Int) -> String { "\(done) of \(entries(total))" }
    static func imported(_ done: Int, of total: Int) -> String {
        "\(done) of \(entries(total)). All of them are stored in the end, or none. If you cancel, the vault stays as it was."
    }
    static func conflictQuestion(_ count: Int) -> String {
        "\(entries(count)) of accounts that the vault has with another secret"
    }
    static func conflictTitle(_ choice: ConflictChoice) -> String {
        switch choice {
        case .keepBoth: "Keep both"
        case .skip: "Keep those of the vault"
        case .replace: "Replace those of the vault"
        }
    }
    static func conflictText(_ choice: ConflictChoice) -> String {
        switch choice {
        case .keepBoth: "Stores the entries of the file beside those of the vault"
        case .skip: "Leaves out the entries of the file"
        case .replace: "Former passwords move to the history of their items"
        }
    }
    static func confirmImport(_ counts: ImportCounts, _ choice: ConflictChoice) -> String {
        let conflicts =
            switch choice {
            case _ where counts.conflicts == 0: ""
            case .keepBoth: " Of accounts with another secret, both are kept."
            case .skip: " Accounts with another secret stay as they are in the vault."
            case .replace: " Accounts with another secret get that of the file."
            }
        let count = counts.new + (choice == .skip ? 0 : counts.conflicts)
        return "Import \(entries(count)) into Passwords?\(conflicts)"
    }
    static let nothingImported = "Nothing was imported."
    static let isThereAlready = "It is in the vault already."
    static let isTwiceInTheFile = "It is the same as another entry."
    static let conflictLeftOut = "The vault has this account with another secret. It was left out."
    static let conflictReplaced = "The vault had this account with another secret, which is in the history now."
    static let conflictKept = "The vault has this account with another secret. Both were kept."
    static let cannotBeStored = "It can't be stored."
    static func wasImported(_ result: ImportDocument.Result?, skipped: Int) -> String {
        guard let result, result.added + result.replaced > 0 else { return nothingImported }
        let parts = [
            (result.added, "added"), (result.replaced, "replaced"), (result.leftOut + skipped, "left out"),
        ]
        let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "Imported: \(told). To take it back, run `keyway import --undo`."
    }
    static let confirmUndoingImport =
        "Take back the last import? Items that you changed since stay as they are."
    static let nothingUndone = "Nothing was taken back."
    static func undone(_ undone: UndoImport.Result) -> String {
        var parts = [(undone.removed, "removed"), (undone.restored, "restored")].filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }
        if undone.keptCount > 0 { parts.append("\(undone.keptCount) kept, because they changed since:") }
        return parts.isEmpty ? nothingUndone : "Took back the last import: \(parts.joined(separator: ", "))"
    }
    static func offerRemoval(_ path: String) -> String {
        "\(DisplayText.line(path)) still holds every password as plain text. Delete it? (Deleting isn't erasing: on most "
            + "disks, it can be recovered for a while.)"
    }
    static func fileIsStillThere(_ path: String) -> String {
        "\(path) still holds every password as plain text. Delete it when you no longer need it."
    }
    static func fileIsAnother(_ path: String) -> String {
        "\(path) isn't the file that was read any more. It was left alone."
    }
    static func notRemoved(_ path: String, _ why: String) -> String { "Couldn't delete \(path): \(why)." }
    static func fileRemoved(_ path: String) -> String { "Deleted \(path)." }
}
