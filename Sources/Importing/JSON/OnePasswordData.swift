import CodeLinks
import CredentialExchange
import SecretDocuments
import ZipArchives

/// 1Password: `export.data`, which its 1PUX holds.
enum OnePasswordData {
    /// Reads the archive, or the member of it that holds the items.
    static let reader: @Sendable (ImportSource, ImportSink) throws(ImportError) -> Void = {
        (source, take) throws(ImportError) in
        if ZipArchive.fits(source.bytes) {
            try ZipImport.onePassword(source, take)
        } else {
            try JSONFormat.reader(read)(source, take)
        }
    }

    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        let files = OnePasswordFiles(source)
        guard let outline = try JSONOutline(bytes, leaving: ["accounts"]), let place = outline.places["accounts"] else {
            throw ImportFormat.unknown
        }
        for account in try JSONOutline.elements(at: place, in: bytes) ?? [] {
            guard let content = try JSONOutline(bytes, at: account, leaving: ["vaults"]),
                let vaults = content.places["vaults"]
            else { throw ImportFormat.unknown }
            for vault in try JSONOutline.elements(at: vaults, in: bytes) ?? [] {
                guard let content = try JSONOutline(bytes, at: vault, leaving: ["items"]) else { continue }
                let attributes = content.object.object("attrs")
                // The vault that everybody has is no folder.
                let isOwn = attributes.publicText("type") == "P"
                let folder = isOwn ? [] : [attributes.publicText("name")].filter { !$0.isEmpty }
                try JSONFormat.each(of: content.places["items"], in: bytes, take) { item, record in
                    outcome(item["item"]?.object ?? item, record, folder, files)
                }
            }
        }
    }

    private static func outcome(
        _ item: JSONObject, _ record: ImportedRecord, _ folder: [String], _ files: OnePasswordFiles
    ) -> CSVOutcome {
        guard !["trashed", "deleted"].contains(item.publicText("state")) else {
            return .skipped("It is in the trash of 1Password.")
        }
        let (details, overview) = (item.object("details"), item.object("overview"))
        var record = record
        record.title = overview.publicText("title")
        record.tags = (overview["tags"]?.elements ?? []).compactMap(\.publicText)
        record.folder = folder
        record.isFavorite = item["favIndex"]?.integer ?? 0 != 0
        record.created = item["createdAt"]?.integer
        record.modified = item["updatedAt"]?.integer
        if item.publicText("state") == "archived" { record.notices.append("It was archived in 1Password.") }
        record.set(notes: details.text("notesPlain"))
        record.set(password: details.text("password"))
        let urls = overview.objects("urls").map { $0.publicText("url") }
        for url in urls.isEmpty ? [overview.publicText("url")] : urls { record.add(url: url) }
        for field in details.objects("loginFields") { add(login: field, &record) }
        for section in details.objects("sections") { OnePasswordSection.add(section, to: &record, item, files) }
        if let document = details["documentAttributes"]?.object { files.add(document, to: &record) }
        record.note(formerPasswords: details.objects("passwordHistory").count)
        return .record(record)
    }

    private static func add(login field: JSONObject, _ record: inout ImportedRecord) {
        guard let value = field.filled("value") else { return }
        switch field.publicText("designation") {
        case "username": record.userName = value.publicText
        case "password": record.password = value
        default: record.add(field: field.publicText("name"), value, isHidden: field.publicText("fieldType") == "P")
        }
    }
}

/// A section of fields of 1Password.
enum OnePasswordSection {
    /// Members of CXF by the identifiers of fields, for each category that CXF has a type for.
    private static let members: [String: (ExchangeCredentialType, [String: (String, ExchangeFieldType)])] = [
        "002": (
            .creditCard,
            [
                "cardholder": ("fullName", .string), "type": ("cardType", .string), "ccnum": ("number", .concealed),
                "cvv": ("verificationNumber", .concealed), "pin": ("pin", .concealed),
                "expiry": ("expiryDate", .yearMonth), "validFrom": ("validFrom", .yearMonth),
            ]
        ),
        "004": (
            .personName,
            ["firstname": ("given", .string), "initial": ("given2", .string), "lastname": ("surname", .string)]
        ),
        "103": (
            .driversLicense,
            [
                "fullname": ("fullName", .string), "number": ("licenseNumber", .string),
                "class": ("licenseClass", .string),
            ]
        ),
        "106": (
            .passport,
            [
                "type": ("passportType", .string), "number": ("passportNumber", .string),
                "fullname": ("fullName", .string),
                "sex": ("sex", .string), "nationality": ("nationality", .string), "birthplace": ("birthPlace", .string),
                "issuing_authority": ("issuingAuthority", .string),
            ]
        ),
        "108": (
            .identityDocument, ["name": ("fullName", .string), "number": ("identificationNumber", .string)]
        ),
        "109": (
            .wifi,
            [
                "network_name": ("ssid", .string), "wireless_password": ("passphrase", .concealed),
                "wireless_security": ("networkSecurityType", .wifiSecurity),
            ]
        ),
        "112": (
            .apiKey,
            ["username": ("username", .string), "credential": ("key", .concealed), "type": ("keyType", .string)]
        ),
    ]

    /// Adds the fields of a section.
    static func add(
        _ section: JSONObject, to record: inout ImportedRecord, _ item: JSONObject, _ files: OnePasswordFiles
    ) {
        let (type, names) = members[item.publicText("categoryUuid")] ?? (.customFields, [:])
        var found: [(String, JSONValue?)] = []
        for field in section.objects("fields") {
            let label = field.publicText("title")
            guard let value = field.object("value").members.first else { continue }
            if let (name, type) = names[field.publicText("id")], let text = text(value) {
                found.append((name, text.field(type)))
                continue
            }
            if value.name == "file" {
                files.add(value.value.object ?? JSONObject(), to: &record)
            } else {
                add(value, label, &record)
            }
        }
        if !found.isEmpty { record.add(type, found) }
    }

    private static func add(_ value: JSONObject.Member, _ label: String, _ record: inout ImportedRecord) {
        switch value.name {
        case "totp": record.add(code: value.value.string)
        case "address":
            let address = value.value.object ?? JSONObject()
            record.add(
                .address,
                [
                    ("streetAddress", address.filled("street")?.field()),
                    ("postalCode", address.filled("zip")?.field()),
                    ("city", address.filled("city")?.field()),
                    ("territory", address.filled("state")?.field(.subdivision)),
                    ("country", address.publicText("country").uppercased().field(.country)),
                ])
        case "sshKey":
            let key = value.value.object ?? JSONObject()
            SSHKey.add(key.filled("privateKey"), publicKey: key.object("metadata").filled("publicKey"), &record)
        case "reference": record.notices.append("A reference to another item is left out.")
        default:
            record.add(
                field: label, text(value), isHidden: value.name == "concealed" || value.name == "creditCardNumber")
        }
    }

    /// The text of a value, in the form that CXF gives it.
    private static func text(_ value: JSONObject.Member) -> SecretText? {
        switch (value.name, value.value) {
        case (_, .string(let text)): text.nonEmpty
        case ("email", .object(let email)): email.filled("email_address")
        case ("monthYear", .number(let number)):
            Int(number).flatMap { CardDate.yearMonth($0 / 100, $0 % 100) }.map { SecretText(copyingUTF8Of: $0) }
        case ("date", .number(let number)): Int64(number).map { SecretText(copyingUTF8Of: Time.date($0)) }
        case (_, .number(let number)): SecretText(copyingUTF8Of: number)
        default: nil
        }
    }
}
