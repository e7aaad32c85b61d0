import CredentialExchange
import SecretDocuments

/// Dashlane: each member of its zip is a file of its own, told apart by its columns.
struct DashlaneCSV: CSVFormat {
    private enum Kind { case credentials, payments, papers, personal, notes, wifi }

    private let kind: Kind

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) { kind = Self.kind(header) ?? .notes }

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool { kind(header) != nil }

    private static func kind(_ header: CSVHeader) -> Kind? {
        if header.has("username", "username2", "username3", "title", "password") { return .credentials }
        if header.has("type", "accountname", "accountholder", "ccnumber") { return .payments }
        if header.has("type", "number", "name", "issuedate", "expirationdate") { return .papers }
        if header.has("type", "title", "firstname", "lastname", "itemname") { return .personal }
        if header.has("ssid", "passphrase", "name") { return .wifi }
        return header.names == ["title", "note"] ? .notes : nil
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.title = entry.text("title")
        record.notes = entry["note"]
        switch kind {
        case .credentials: addLogin(entry, to: &record)
        case .payments: addPayment(entry, to: &record)
        case .papers: addPaper(entry, to: &record)
        case .personal: addPersonal(entry, to: &record)
        case .notes: break
        case .wifi: addNetwork(entry, to: &record)
        }
        return .record(record)
    }

    private func addLogin(_ entry: CSVEntry, to record: inout ImportedRecord) {
        record.userName = entry.text("username")
        record.add(field: "username2", entry["username2"])
        record.add(field: "username3", entry["username3"])
        record.password = entry["password"]
        record.add(url: entry.text("url"))
        record.folder = entry.text("category").folders()
        record.add(code: entry["otpurl"] ?? entry["otpsecret"])
    }

    private func addPayment(_ entry: CSVEntry, to record: inout ImportedRecord) {
        let name = entry.text("name")
        record.title = name.isEmpty ? entry.text("accountname") : name
        guard entry.text("type") == "credit_card" else {
            for column in ["account_holder", "routing_number", "account_number", "country", "issuing_bank"] {
                record.add(
                    field: column, entry[CSVHeader.plain(column)], isHidden: column.hasSuffix("number"))
            }
            return
        }
        let (month, year) = (Int(entry.text("expirationmonth")), Int(entry.text("expirationyear")))
        let expiry = month.flatMap { month in year.flatMap { CardDate.yearMonth($0, month) } }
        record.add(
            .creditCard,
            [
                ("number", entry["ccnumber"]?.field(.concealed)),
                ("fullName", (entry["accountholder"] ?? entry["accountname"])?.field()),
                ("verificationNumber", entry["code"]?.field(.concealed)), ("expiryDate", expiry?.field(.yearMonth)),
            ])
    }

    private func addPaper(_ entry: CSVEntry, to record: inout ImportedRecord) {
        let type = entry.text("type")
        record.title = Self.titles[type] ?? type
        let (name, number) = (entry["name"]?.field(), entry["number"]?.field())
        let issued = CardDate.date(entry.text("issuedate"))?.field(.date)
        let expires = CardDate.date(entry.text("expirationdate"))?.field(.date)
        let authority = entry["placeofissue"]?.field()
        switch type {
        case "passport":
            record.add(
                .passport,
                [
                    ("passportNumber", number), ("fullName", name), ("issueDate", issued), ("expiryDate", expires),
                    ("issuingAuthority", authority),
                ])
        case "license":
            // Dashlane writes regions with a zero in them.
            let state = entry.text("state").split(separator: "-").filter { $0 != "0" }.joined(separator: "-")
            record.add(
                .driversLicense,
                [
                    ("licenseNumber", number), ("fullName", name), ("issueDate", issued), ("expiryDate", expires),
                    ("issuingAuthority", authority), ("territory", state.field(.subdivision)),
                ])
        default:
            let isNumber = type == "social_security" || type == "tax_number"
            record.add(
                .identityDocument,
                [
                    (isNumber ? "identificationNumber" : "documentNumber", number), ("fullName", name),
                    ("issueDate", issued), ("expiryDate", expires), ("issuingAuthority", authority),
                ])
        }
    }

    private static let titles = [
        "card": "Identity card", "passport": "Passport", "license": "Driving licence",
        "social_security": "Social security number", "tax_number": "Tax number",
    ]

    private func addPersonal(_ entry: CSVEntry, to record: inout ImportedRecord) {
        let type = entry.text("type")
        record.title = entry["itemname"]?.publicText ?? type
        record.add(
            .personName,
            [
                ("title", type == "name" ? entry["title"]?.field() : nil), ("given", entry["firstname"]?.field()),
                ("given2", entry["middlename"]?.field()), ("surname", entry["lastname"]?.field()),
            ])
        record.add(
            .address,
            [
                ("streetAddress", entry["address"]?.field()), ("postalCode", entry["zip"]?.field()),
                ("city", entry["city"]?.field()),
                (
                    "territory",
                    entry.text("state").split(separator: "-").filter { $0 != "0" }.joined(separator: "-").field(
                        .subdivision)
                ),
                ("country", entry["country"]?.field(.country)), ("tel", entry["phonenumber"]?.field()),
            ])
        let known: Set<String> = [
            "type", "title", "firstname", "middlename", "lastname", "itemname", "address", "zip", "city", "state",
            "country", "phonenumber", "note",
        ]
        for (index, name) in entry.header.names.enumerated() where !known.contains(name) {
            record.add(field: name, entry.row[index])
        }
    }

    private func addNetwork(_ entry: CSVEntry, to record: inout ImportedRecord) {
        record.title = entry["name"]?.publicText ?? entry.text("ssid")
        record.add(
            .wifi,
            [
                ("ssid", entry["ssid"]?.field()), ("passphrase", entry["passphrase"]?.field(.concealed)),
                ("networkSecurityType", entry["encriptiontype"]?.field(.wifiSecurity)),
                ("hidden", entry["hidden"]?.field(.boolean)),
            ])
    }
}
