import SecretDocuments

/// 1Password 7 for Windows: columns in capitals, and one for each field of each section, such as `NAME 1: FIRST NAME`.
struct OnePassword7CSV: CSVFormat {
    private static let own: Set<String> = [
        "uuid", "title", "username", "password", "url", "urls", "scope", "autosubmit", "tags", "notes",
    ]

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("uuid", "title", "username", "password", "url", "urls", "scope", "autosubmit")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.title = entry.text("title")
        record.userName = entry.text("username")
        record.password = entry["password"]
        let urls = entry.text("urls").split { $0.isWhitespace || $0 == "," }.map(String.init)
        for url in urls.isEmpty ? [entry.text("url")] : urls { record.add(url: url) }
        record.tags = entry.text("tags").words
        record.notes = entry["notes"]
        let card = Self.card(entry)
        if !card.isEmpty {
            record.add(.creditCard, card.map { ($0.name, $0.cell.field($0.isHidden ? .concealed : .string)) })
        }
        for (index, name) in entry.header.names.enumerated() {
            guard let cell = entry.row[index]?.nonEmpty, !Self.own.contains(name),
                !name.hasPrefix("section"), card.isEmpty || !Self.cardColumns.keys.contains(name)
            else { continue }
            // Nothing says what was hidden: what has a name of a secret is.
            let label = name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
            let isHidden = ["password", "key", "pin", "secret", "code"].contains { name.contains($0) }
            if label == "onetimepassword" {
                record.add(code: cell)
            } else {
                record.add(field: label, cell, isHidden: isHidden)
            }
        }
        return .record(record)
    }

    private static let cardColumns: [String: (name: String, isHidden: Bool)] = [
        "1:cardholdername": ("fullName", false), "2:number": ("number", true),
        "3:verificationnumber": ("verificationNumber", true),
    ]

    private static func card(_ entry: CSVEntry) -> [(name: String, cell: SecretText, isHidden: Bool)] {
        guard entry["2:number"] != nil else { return [] }
        return cardColumns.sorted { $0.key < $1.key }.compactMap { column, member in
            entry[column].map { (member.name, $0, member.isHidden) }
        }
    }
}
