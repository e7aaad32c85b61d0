import SecretDocuments

/// Enpass: a title, then pairs of field and value, and the note last. Its first line is a pattern and no header.
struct EnpassCSV: CSVFormat {
    let hasOpenRows = true

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        Array(header.names.prefix(3)) == ["title", "field", "value"]
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        let cells = entry.row.cells
        record.title = cells.first?.publicText ?? ""
        // Title, pairs and note: an even number.
        if cells.count % 2 == 0 { record.set(notes: cells.last) }
        for index in stride(from: 1, to: cells.count - 1, by: 2) {
            let (label, value) = (cells[index].publicText, cells[index + 1])
            guard !value.isEmpty else { continue }
            switch CSVHeader.plain(label) {
            case "username" where record.userName.isEmpty: record.userName = value.publicText
            case "password" where record.password == nil: record.password = value
            case "url", "website": record.add(url: value.publicText)
            case "totp", "one-timecode", "onetimecode": record.add(code: value)
            // What is sensitive isn't noted.
            default: record.add(field: label, value, isHidden: true)
            }
        }
        return .record(record)
    }
}
