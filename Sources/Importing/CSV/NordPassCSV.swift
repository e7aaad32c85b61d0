import CredentialExchange
import SecretDocuments

/// NordPass. The plural columns hold arrays of JSON; in older files a folder is a row with nothing but a name.
struct NordPassCSV: CSVFormat {
    private let hasTypes: Bool

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) { hasTypes = header.has("type") }

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("name", "url", "username", "password", "note", "cardholdername", "cardnumber", "folder")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        if hasTypes ? entry.text("type") == "folder" : isFolder(entry) { return .nothing }
        var record = entry.record
        record.title = entry.text("name")
        record.folder = entry.text("folder").folders()
        record.userName = entry.text("username")
        record.password = entry["password"]
        record.notes = entry["note"]
        record.add(url: entry.text("url"))
        for url in array(entry["additionalurls"], &record) { record.add(url: url.publicText ?? "") }
        for field in array(entry["customfields"], &record).compactMap(\.object) {
            record.add(
                field: field.publicText("label"), field.text("value"), isHidden: field.publicText("type") == "hidden")
        }
        addCard(entry, &record)
        addIdentity(entry, &record)
        return .record(record)
    }

    private func isFolder(_ entry: CSVEntry) -> Bool {
        entry.header.names.enumerated().allSatisfy { $1 == "name" || entry.row[$0]?.isEmpty != false }
    }

    private func array(_ cell: SecretText?, _ record: inout ImportedRecord) -> [JSONValue] {
        guard let cell else { return [] }
        if let elements = cell.json?.elements { return elements }
        record.add(field: "", cell, isHidden: true)
        record.notices.append("A list in it is damaged. It is kept as a field.")
        return []
    }

    private func addCard(_ entry: CSVEntry, _ record: inout ImportedRecord) {
        record.add(
            .creditCard,
            [
                ("number", entry["cardnumber"]?.field(.concealed)),
                ("fullName", entry["cardholdername"]?.field()),
                ("verificationNumber", entry["cvc"]?.field(.concealed)),
                ("pin", entry["pin"]?.field(.concealed)),
                ("expiryDate", CardDate.yearMonth(entry.text("expirydate"))?.field(.yearMonth)),
            ])
    }

    private func addIdentity(_ entry: CSVEntry, _ record: inout ImportedRecord) {
        let street = [entry.text("address1"), entry.text("address2")].filter { !$0.isEmpty }.joined(separator: "\n")
        record.add(
            .address,
            [
                ("streetAddress", street.field()), ("postalCode", entry["zipcode"]?.field()),
                ("city", entry["city"]?.field()), ("territory", entry["state"]?.field(.subdivision)),
                ("country", entry["country"]?.field(.country)), ("tel", entry["phonenumber"]?.field()),
            ])
        record.add(.personName, [("given", entry["fullname"]?.field())])
        record.add(field: "email", entry["email"])
    }
}

extension SecretText {
    /// The JSON that it is; nil where it is none.
    var json: JSONValue? { withUnsafeBytes { try? JSONScanner.document($0) } }
}

/// Months of cards as CXF has them.
enum CardDate {
    /// `2029-04` for `04/29`, `4/2029`, `2029-04`, `2029/4` and `April,2029`; nil for anything else.
    static func yearMonth(_ text: String) -> String? {
        let parts = text.split { "/-., ".contains($0) }.map(String.init)
        guard parts.count >= 2 else { return nil }
        if let year = Int(parts[0]), year > 12, let month = Int(parts[1]) { return yearMonth(year, month) }
        let month = Int(parts[0]) ?? months.firstIndex { parts[0].lowercased().hasPrefix($0) }.map { $0 + 1 }
        guard let month, let year = parts.last.flatMap({ Int($0) }) else { return nil }
        return yearMonth(year, month)
    }

    /// The same of numbers; years of two digits are of this century.
    static func yearMonth(_ year: Int, _ month: Int) -> String? {
        guard (1...12).contains(month), (0...9999).contains(year) else { return nil }
        let year = year < 100 ? year + 2000 : year
        return "\(padded(year, 4))-\(padded(month, 2))"
    }

    /// `2022-01-30` for `2022-1-30` and `January,30,2022`; nil for anything else.
    static func date(_ text: String) -> String? {
        let parts = text.split { "/-., ".contains($0) }.map(String.init)
        guard parts.count == 3 else { return nil }
        let numbers = parts.map { Int($0) }
        if let year = numbers[0], let month = numbers[1], let day = numbers[2], year > 31 {
            return date(year, month, day)
        }
        let month = numbers[0] ?? months.firstIndex { parts[0].lowercased().hasPrefix($0) }.map { $0 + 1 }
        guard let month, let day = numbers[1], let year = numbers[2] else { return nil }
        return date(year, month, day)
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int) -> String? {
        guard (1...31).contains(day) else { return nil }
        return yearMonth(year, month).map { "\($0)-\(padded(day, 2))" }
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
