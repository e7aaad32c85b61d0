import CredentialExchange
import SecretDocuments

/// Which column of a CSV file holds what, by the columns' names without regard to case and blanks: for files of programs
/// that nobody knows.
package struct ColumnMapping: Sendable, Equatable, CSVRows {
    /// What a column may hold.
    package enum Role: String, Sendable, CaseIterable {
        case title, username, password, url, notes, otp, folder, favorite, tags, created, modified
        /// A field of the column's name.
        case field
        /// A field of the column's name that interfaces hide.
        case hidden
    }

    /// What the columns hold; those that are not named are fields.
    let roles: [String: Role]
    /// What divides folders.
    let folderSeparator: Character

    /// A mapping from columns to what they hold.
    package init(_ roles: [String: Role], folderSeparator: Character = "/") {
        self.roles = Dictionary(roles.map { (CSVHeader.plain($0), $1) }) { first, _ in first }
        self.folderSeparator = folderSeparator
    }

    /// Refuses a file that lacks a column of the mapping: all would be read as fields of other names.
    func check(_ header: CSVHeader) throws(ImportError) {
        guard let missing = roles.keys.sorted().first(where: { header[$0] == nil }) else { return }
        throw ImportError(.damaged, "the first line names no column “\(missing)”")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        for (index, name) in entry.header.names.enumerated() {
            guard let cell = entry.row[index]?.nonEmpty else { continue }
            switch roles[name] {
            case .title: record.title = cell.publicText
            case .username: record.userName = cell.publicText
            case .password: record.password = cell
            case .url: record.add(url: cell.publicText)
            case .notes: record.notes = cell
            case .otp: record.add(code: cell)
            case .folder: record.folder = cell.publicText.folders(folderSeparator)
            case .favorite: record.isFavorite = ["1", "true", "yes"].contains(cell.publicText.lowercased())
            case .tags: record.tags = cell.publicText.words
            case .created: record.created = Time.seconds(cell.publicText)
            case .modified: record.modified = Time.seconds(cell.publicText)
            case .hidden: record.add(field: name, cell, isHidden: true)
            case .field, nil: record.add(field: name, cell)
            }
        }
        if record.title.isEmpty { record.title = record.urls.first?.host ?? "" }
        return .record(record)
    }
}

extension String {
    /// Words that a comma or a semicolon divides, without blanks around them.
    var words: [String] {
        split { $0 == "," || $0 == ";" }.map { String($0.trimmed) }.filter { !$0.isEmpty }
    }

    /// Whether it is a yes, as exports say it.
    var isYes: Bool { ["1", "true", "yes"].contains(lowercased()) }
}

extension Substring {
    /// Without blanks around it.
    var trimmed: Substring {
        var part = drop { $0.isWhitespace }
        while part.last?.isWhitespace == true { part = part.dropLast() }
        return part
    }
}
