import CredentialExchange
import SecretDocuments

/// Proton Pass: `type,name,url,email,username,password,note,totp,createTime,modifyTime,vault`, formerly without email and
/// vault. Cards and identities are JSON in the note.
struct ProtonCSV: CSVFormat {
    private let hasEmail: Bool

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) { hasEmail = header.has("email") }

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("type", "name", "url", "username", "password", "note", "totp")
            && (header.has("createtime") || header.has("vault") || header.names.count == 7)
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.title = entry.text("name")
        record.folder = ProtonVault.folder(entry.text("vault"))
        record.created = Time.seconds(entry.text("createtime"))
        record.modified = Time.seconds(entry.text("modifytime"))
        switch entry.text("type") {
        case "creditCard":
            guard let card = entry["note"]?.json?.object else { return damaged }
            ProtonItem.add(card: card, to: &record)
        case "identity":
            guard let identity = entry["note"]?.json?.object else { return damaged }
            ProtonItem.add(identity: identity, to: &record)
        case "alias":
            record.userName = entry["email"]?.publicText ?? entry.text("username")
            record.notes = entry["note"]
        case "note": record.notes = entry["note"]
        default: addLogin(entry, to: &record)
        }
        return .record(record)
    }

    private var damaged: CSVOutcome { .skipped("The JSON in its note is damaged.") }

    private func addLogin(_ entry: CSVEntry, to record: inout ImportedRecord) {
        let (user, email) = (entry.text("username"), entry.text("email"))
        record.userName = user.isEmpty ? email : user
        if !user.isEmpty, !email.isEmpty { record.add(field: "Email", entry["email"]) }
        record.password = entry["password"]
        record.notes = entry["note"]
        record.add(code: entry["totp"])
        // A comma with a blank divides addresses; one without may be part of them.
        var rest = Substring(entry.text("url"))
        while let comma = rest.firstRange(of: ", ") {
            record.add(url: String(rest[..<comma.lowerBound]))
            rest = rest[comma.upperBound...]
        }
        record.add(url: String(rest))
    }
}

/// The vaults of Proton Pass.
enum ProtonVault {
    /// The folders that a vault stands for; the one that everybody has is none.
    static func folder(_ name: String) -> [String] { name == "Personal" ? [] : name.folders() }
}

/// What items of Proton Pass have in CSV and JSON alike.
enum ProtonItem {
    /// Adds a card.
    static func add(card: JSONObject, to record: inout ImportedRecord) {
        record.set(notes: card.text("note") ?? record.notes)
        record.add(
            .creditCard,
            [
                ("number", card.text("number")?.field(.concealed)), ("fullName", card.text("cardholderName")?.field()),
                ("verificationNumber", card.text("verificationNumber")?.field(.concealed)),
                ("pin", card.text("pin")?.field(.concealed)),
                ("expiryDate", CardDate.yearMonth(card.publicText("expirationDate"))?.field(.yearMonth)),
            ])
    }

    /// Adds a person: name, address, papers; all else as fields.
    static func add(identity: JSONObject, to record: inout ImportedRecord) {
        record.set(notes: identity.text("note") ?? record.notes)
        record.add(
            .personName,
            [
                ("given", identity.text("firstName")?.field()), ("given2", identity.text("middleName")?.field()),
                ("surname", identity.text("lastName")?.field()),
            ])
        record.add(
            .address,
            [
                ("streetAddress", identity.text("streetAddress")?.field()),
                ("postalCode", identity.text("zipOrPostalCode")?.field()), ("city", identity.text("city")?.field()),
                ("territory", identity.text("stateOrProvince")?.field(.subdivision)),
                ("country", identity.text("countryOrRegion")?.field(.country)),
                ("tel", identity.text("phoneNumber")?.field()),
            ])
        record.add(.passport, [("passportNumber", identity.text("passportNumber")?.field())])
        record.add(.driversLicense, [("licenseNumber", identity.text("licenseNumber")?.field())])
        record.add(.identityDocument, [("identificationNumber", identity.text("socialSecurityNumber")?.field())])
        let known: Set<String> = [
            "note", "firstName", "middleName", "lastName", "streetAddress", "zipOrPostalCode", "city",
            "stateOrProvince",
            "countryOrRegion", "phoneNumber", "passportNumber", "licenseNumber", "socialSecurityNumber",
        ]
        for member in identity.members where !known.contains(member.name) {
            switch member.value {
            case .string(let text): record.add(field: member.name, text)
            case .array(let elements): add(fields: elements, to: &record)
            default: break
            }
        }
    }

    /// Adds fields of the person's own, also those of sections.
    static func add(fields: [JSONValue], to record: inout ImportedRecord) {
        for field in fields.compactMap(\.object) {
            if let section = field["sectionFields"]?.elements {
                add(fields: section, to: &record)
                continue
            }
            let (type, data) = (field.publicText("type"), field["data"]?.object ?? JSONObject())
            switch type {
            case "totp": record.add(code: data.text("totpUri") ?? data.text("content"))
            case "timestamp":
                record.add(field: field.publicText("fieldName"), data.text("timestamp") ?? data.text("content"))
            default:
                record.add(
                    field: field.publicText("fieldName"), data.text("content"), isHidden: type == "hidden")
            }
        }
    }
}
