import CredentialExchange
import Importing
import KeywayCrypto
import SecretDocuments

/// Chrome, Edge, Brave and Google Password Manager: a row for each address.
enum ChromeTable: ExportTable {
    static let columns = ["name", "url", "username", "password", "note"]
    static let notices = [noTimes, "Chrome imports at most 3,000 passwords from one file."]

    static func rows(of record: ImportedRecord, random: any RandomSource) -> ExportRows {
        guard record.password != nil else { return .none("It is left out: the format holds passwords alone.") }
        var losses = TableLosses(record, has: [.notes])
        let sites = record.sites
        if sites.isEmpty { losses.add("It has no website: Chrome won't import it.") }
        let rows = (sites.isEmpty ? [""] : sites).map { site -> [CSVCell] in
            [.text(record.title), .text(site), .text(record.userName), CSVCell(record.password), CSVCell(record.notes)]
        }
        return ExportRows(rows: rows, losses: losses.sentences)
    }
}

/// Apple Passwords and Safari: a row for each address, with one code.
enum AppleTable: ExportTable {
    static let columns = ["Title", "URL", "Username", "Password", "Notes", "OTPAuth"]
    static let notices = [noTimes]

    static func rows(of record: ImportedRecord, random: any RandomSource) -> ExportRows {
        guard record.password != nil || record.usualCode != nil else {
            return .none("It is left out: the format holds passwords and their one-time codes alone.")
        }
        let sites = record.sites
        let rows = (sites.isEmpty ? [""] : sites).map { site -> [CSVCell] in
            [
                .text(record.title), .text(site), .text(record.userName), CSVCell(record.password),
                CSVCell(record.notes), CSVCell(record.usualCode),
            ]
        }
        return ExportRows(rows: rows, losses: TableLosses(record, has: [.notes, .codes]).sentences)
    }
}

/// Firefox: a row for each site, by its origin.
enum FirefoxTable: ExportTable {
    static let columns = [
        "url", "username", "password", "httpRealm", "formActionOrigin", "guid", "timeCreated", "timeLastUsed",
        "timePasswordChanged",
    ]
    static let quotesAll = true
    static let notices = ["Firefox has no titles: it shows the site."]

    static func rows(of record: ImportedRecord, random: any RandomSource) -> ExportRows {
        guard record.password != nil else { return .none("It is left out: the format holds passwords alone.") }
        var origins: [String] = []
        for origin in record.sites.compactMap(origin) where !origins.contains(origin) { origins.append(origin) }
        guard !origins.isEmpty else { return .none("It is left out: it has no website, and Firefox needs one.") }
        var losses = TableLosses(record, has: [.http])
        if record.sites.contains(where: { site in !origins.contains { site == $0 || site == "\($0)/" } }) {
            losses.add("Of its addresses, only the sites are kept.")
        }
        let changed = record.modified ?? record.created
        let rows = origins.map { origin -> [CSVCell] in
            [
                .text(origin), .text(record.userName), CSVCell(record.password),
                // Nobody knows the realm; Firefox takes the site for one where a server names none.
                record.isForHTTP ? .text(origin) : .absent, record.isForHTTP ? .absent : .text(""),
                .text(identifier(random)), time(record.created ?? changed), time(changed), time(changed),
            ]
        }
        return ExportRows(rows: rows, losses: losses.sentences)
    }

    /// Scheme, host and port of an address; nil for what is none of the web.
    private static func origin(_ url: String) -> String? {
        guard let range = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<range.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        let rest = url[range.upperBound...].prefix { !"/?#".contains($0) }
        let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        return host.isEmpty ? nil : "\(scheme)://\(host.lowercased())"
    }

    private static func time(_ seconds: Int64?) -> CSVCell { seconds.map { .text("\($0)000") } ?? .absent }

    /// A random UUID (RFC 9562, version 4) in braces.
    private static func identifier(_ random: any RandomSource) -> String {
        var bytes = random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return "{\(groups.joined(separator: "-"))}"
    }
}

/// Bitwarden's CSV of a person: logins and notes, with folders and fields.
enum BitwardenTable: ExportTable {
    static let columns = [
        "folder", "favorite", "type", "name", "notes", "fields", "reprompt", "login_uri", "login_username",
        "login_password", "login_totp",
    ]
    static let notices = [noTimes, "The format doesn't say which custom fields are hidden."]

    static func rows(of record: ImportedRecord, random: any RandomSource) -> ExportRows {
        let isLogin =
            record.password != nil || !record.userName.isEmpty || !record.urls.isEmpty || record.usualCode != nil
        guard isLogin || record.notes != nil || !record.fields.isEmpty || record.credentials.isEmpty else {
            return .none("It is left out: the format holds logins and notes alone.")
        }
        // Bitwarden has no tags; the first one takes the place of a folder, as Keyway makes a tag of a folder.
        let takesTag = record.folder.isEmpty && !record.tags.isEmpty
        let folder = takesTag ? record.tags[0] : record.folder.joined(separator: "/")
        var losses = TableLosses(record, has: [.notes, .codes, .folder, .favorite, .fields, .tags, .apps])
        let tagCount = record.tags.count - (takesTag ? 1 : 0)
        if tagCount > 0 {
            losses.add(takesTag ? "Its tags but the first are left out." : "Its tags are left out.")
        }
        let fields = record.fields.filter { !$0.isOfSeveralLines }
        if fields.count < record.fields.count { losses.add("Its custom fields of several lines are left out.") }
        let cells: [CSVCell] = [
            .text(folder), .text(record.isFavorite ? "1" : ""), .text(isLogin ? "login" : "note"), .text(record.title),
            CSVCell(record.notes), lines(fields), .text(""), .text(record.addresses.joined(separator: ",")),
            .text(record.userName), CSVCell(record.password), CSVCell(record.usualCode),
        ]
        return ExportRows(rows: [cells], losses: losses.sentences)
    }

    private static func lines(_ fields: [ImportedField]) -> CSVCell {
        guard !fields.isEmpty else { return .text("") }
        return .secret(
            SecretText(room: fields.reduce(0) { $0 + $1.label.utf8.count + $1.value.count + 3 }) { buffer in
                for (index, field) in fields.enumerated() {
                    if index > 0 { buffer.append(0x0A) }
                    // A name may have a colon, but none with a blank behind it: there the value begins.
                    let label = field.label.split(separator: ": ", omittingEmptySubsequences: false).joined(
                        separator: ":")
                    buffer.append(utf8Of: "\(label): ")
                    field.value.withUnsafeBytes { buffer.append($0) }
                }
            })
    }
}

extension ImportedField {
    /// Whether it couldn't be told where it ends.
    fileprivate var isOfSeveralLines: Bool {
        label.contains(where: \.isNewline) || value.withUnsafeBytes { $0.contains { $0 == 0x0A || $0 == 0x0D } }
    }
}
