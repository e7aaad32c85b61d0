import SecretDocuments

/// RoboForm: `Name,Url,Login,Pwd,Note,Folder,Rf_fields`, and in the cells from there on the fields of the form as
/// `label$:type:value`.
struct RoboFormCSV: CSVFormat {
    let hasOpenRows = true

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("name", "url", "login", "pwd", "note", "folder")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.title = entry.text("name")
        record.add(url: entry.text("url"))
        record.userName = entry.text("login")
        record.password = entry["pwd"]
        record.notes = entry["note"]
        record.folder = entry.text("folder").folders()
        let first = entry.header["rffields"] ?? entry.header["rffieldsv2"] ?? entry.row.cells.count
        for cell in entry.row.cells.dropFirst(first) { add(cell, to: &record) }
        return .record(record)
    }

    /// Adds a field of the form, unless it is the user name or the password once more.
    private func add(_ cell: SecretText, to record: inout ImportedRecord) {
        guard let end = cell.range(of: "$:") else { return record.add(field: "", cell, isHidden: true) }
        let rest = cell[end.upperBound..<cell.count]
        guard let colon = rest.range(of: ":") else { return }
        let (type, value) = (rest[0..<colon.lowerBound].publicText, rest[colon.upperBound..<rest.count])
        guard value != record.password, !value.isText(record.userName) else { return }
        record.add(field: cell[0..<end.lowerBound].publicText, value, isHidden: type == "pwd")
    }
}
