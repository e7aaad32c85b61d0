import CredentialExchange
import Importing

/// What of a record a table has no place for, in sentences.
struct TableLosses {
    /// What a table may have a column for.
    enum Part: CaseIterable {
        case notes, codes, folder, favorite, tags, fields, http, apps
    }

    /// The sentences.
    private(set) var sentences: [String] = []

    /// What a table with these columns leaves out of a record. No table has passkeys, or what isn't a login.
    init(_ record: ImportedRecord, has parts: Set<Part>) {
        add(record.passkeys.count, "passkey", "passkeys")
        if parts.contains(.codes) {
            let rest = record.codes.count - (record.usualCode == nil ? 0 : 1)
            if rest > 0, record.usualCode != nil { sentences.append("Its one-time codes but the first are left out.") }
            if rest > 0, record.usualCode == nil { add(rest, "one-time code", "one-time codes") }
        } else {
            add(record.codes.count, "one-time code", "one-time codes")
        }
        if !parts.contains(.notes), record.notes != nil { sentences.append("Its notes are left out.") }
        if !parts.contains(.fields) { add(record.fields.count, "custom field", "custom fields") }
        if !parts.contains(.tags) { add(record.tags.count, "tag", "tags") }
        if !parts.contains(.folder), !record.folder.isEmpty { sentences.append("Its folder is left out.") }
        if !parts.contains(.favorite), record.isFavorite { sentences.append("That it is a favorite is left out.") }
        if !parts.contains(.apps) { add(record.appCount, "app", "apps") }
        if !parts.contains(.http), record.isForHTTP {
            sentences.append("That its password is for HTTP's own sign-in is left out.")
        }
        add(record.files.count, "file", "files")
        if !record.credentials.isEmpty {
            let types = Set(record.credentials.map(\.type.rawValue)).sorted().joined(separator: ", ")
            sentences.append("What it holds beside a login is left out: \(types).")
        }
    }

    /// Adds something that only one table leaves out.
    mutating func add(_ sentence: String) { sentences.append(sentence) }

    private mutating func add(_ count: Int, _ one: String, _ many: String) {
        guard count > 0 else { return }
        sentences.append(count == 1 ? "Its \(one) is left out." : "Its \(count) \(many) are left out.")
    }
}
