import CredentialExchange
import SecretDocuments

/// LastPass: `url,username,password,totp,extra,name,grouping,fav`, formerly without the code. Cards, addresses and the like
/// are notes of lines `Key:Value` that begin with `NoteType:`.
struct LastPassCSV: CSVFormat {
    /// Whether the file was copied from a page, with its signs escaped as HTML has them.
    private let isEscaped: Bool

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) { isEscaped = HTMLText.looksEscaped(bytes) }

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("url", "username", "password", "extra", "name", "grouping")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        let url = text(entry, "url")?.publicText ?? ""
        // A folder by itself.
        guard url != "http://group" else { return .nothing }
        var record = entry.record
        record.title = text(entry, "name")?.publicText ?? ""
        record.isFavorite = entry.text("fav").isYes
        let grouping = text(entry, "grouping")?.publicText ?? ""
        record.folder = grouping == "(none)" ? [] : grouping.folders("\\")
        record.userName = text(entry, "username")?.publicText ?? ""
        record.password = text(entry, "password")
        record.add(code: text(entry, "totp"))
        record.notes = text(entry, "extra")
        guard url == "http://sn" else {
            // What LastPass writes where there is no address.
            if url != "http://" { record.add(url: url) }
            return .record(record)
        }
        if let note = record.notes, note.hasPrefix("NoteType:") { LastPassNote(note).move(to: &record) }
        return .record(record)
    }

    private func text(_ entry: CSVEntry, _ name: String) -> SecretText? {
        guard let cell = entry[name] else { return nil }
        return isEscaped ? HTMLText.unescaped(cell) : cell
    }
}

/// A note of LastPass with a type: lines of keys and values; the last, `Notes`, takes the rest.
private struct LastPassNote {
    private var values: [(key: String, value: SecretText)] = []

    init(_ note: SecretText) {
        let lines = note.lines
        var parts: [Part] = []
        for (index, line) in lines.enumerated() {
            if let colon = line.range(of: ":"), !(parts.last?.isOpen ?? false) {
                let (key, value) = (line[0..<colon.lowerBound].publicText, line[colon.upperBound..<line.count])
                if key == "Notes" {
                    parts.append(Part(key, [value] + lines[(index + 1)...]))
                    break
                }
                // A key is a word or some; a colon elsewhere is part of a value of several lines.
                if key.count < 40, key.first?.isLetter == true {
                    parts.append(Part(key, [value]))
                    continue
                }
            }
            if parts.isEmpty { parts.append(Part("", [])) }
            parts[parts.count - 1].add(line)
        }
        values = parts.map { ($0.key, Self.joined($0.lines)) }
    }

    /// A key with the lines of its value.
    private struct Part {
        let key: String
        private(set) var lines: [SecretText] = []
        private var (hasBegun, hasEnded) = (false, false)

        /// Whether the value goes on: a key that has not come to its end.
        var isOpen: Bool { hasBegun && !hasEnded }

        init(_ key: String, _ lines: [SecretText]) {
            self.key = key
            for line in lines { add(line) }
        }

        mutating func add(_ line: SecretText) {
            lines.append(line)
            hasBegun = hasBegun || line.range(of: "-----BEGIN") != nil
            hasEnded = hasEnded || line.range(of: "-----END") != nil
        }
    }

    private static func joined(_ lines: [SecretText]) -> SecretText {
        if lines.count == 1 { return lines[0] }
        return SecretText(room: lines.reduce(0) { $0 + $1.count + 1 }) { buffer in
            for (index, line) in lines.enumerated() {
                if index > 0 { buffer.append(0x0A) }
                line.withUnsafeBytes { buffer.append($0) }
            }
        }
    }

    /// Puts what is in it into a record: members of CXF where it has them, else fields.
    func move(to record: inout ImportedRecord) {
        let type = self["NoteType"]?.publicText ?? ""
        record.notes = self["Notes"]?.nonEmpty
        var used: Set<String> = ["NoteType", "Language", "Notes"]
        func take(_ key: String, _ type: ExchangeFieldType = .string) -> JSONValue? {
            used.insert(key)
            return self[key]?.field(type)
        }
        func date(_ key: String, _ type: ExchangeFieldType) -> JSONValue? {
            guard let text = self[key]?.publicText else { return nil }
            guard let date = type == .date ? CardDate.date(text) : CardDate.yearMonth(text) else { return nil }
            used.insert(key)
            return date.field(type)
        }
        switch type {
        case "Credit Card":
            record.add(
                .creditCard,
                [
                    ("number", take("Number", .concealed)), ("fullName", take("Name on Card")),
                    ("cardType", take("Type")), ("verificationNumber", take("Security Code", .concealed)),
                    ("expiryDate", date("Expiration Date", .yearMonth)), ("validFrom", date("Start Date", .yearMonth)),
                ])
        case "Address":
            let street = ["Address 1", "Address 2", "Address 3"].compactMap { key -> String? in
                used.insert(key)
                return self[key]?.nonEmpty?.publicText
            }
            record.add(
                .address,
                [
                    ("streetAddress", street.joined(separator: "\n").field()),
                    ("postalCode", take("Zip / Postal Code")), ("city", take("City / Town")),
                    ("territory", take("State", .subdivision)), ("country", take("Country", .country)),
                    ("tel", phone("Phone", &used)),
                ])
        case "Wi-Fi Password":
            record.add(
                .wifi,
                [("ssid", take("SSID")), ("passphrase", take("Password", .concealed))])
        case "Passport":
            record.add(
                .passport,
                [
                    ("passportType", take("Type")), ("passportNumber", take("Number")), ("fullName", take("Name")),
                    ("nationality", take("Nationality")), ("sex", take("Sex")),
                    ("issuingAuthority", take("Issuing Authority")), ("birthDate", date("Date of Birth", .date)),
                    ("issueDate", date("Issued Date", .date)), ("expiryDate", date("Expiration Date", .date)),
                ])
        case "Driver's License":
            record.add(
                .driversLicense,
                [
                    ("licenseNumber", take("Number")), ("fullName", take("Name")),
                    ("licenseClass", take("License Class")),
                    ("birthDate", date("Date of Birth", .date)), ("expiryDate", date("Expiration Date", .date)),
                ])
        default: break
        }
        let hidden = ["password", "passphrase", "private key", "pin", "code", "number"]
        for (key, value) in values where !used.contains(key) {
            let isHidden = hidden.contains { key.lowercased().contains($0) }
            record.add(field: key, value, isHidden: isHidden)
        }
    }

    /// A phone, which LastPass writes as JSON.
    private func phone(_ key: String, _ used: inout Set<String>) -> JSONValue? {
        used.insert(key)
        guard let text = self[key]?.nonEmpty else { return nil }
        return (text.json?.object?.text("num") ?? text).field()
    }

    private subscript(_ key: String) -> SecretText? { values.first { $0.key == key }?.value }
}

/// Text that was copied from a page.
enum HTMLText {
    private static let entities: [(name: String, sign: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")), ("&#39;", UInt8(ascii: "'")), ("&#039;", UInt8(ascii: "'")),
        ("&#x27;", UInt8(ascii: "'")), ("&apos;", UInt8(ascii: "'")),
    ]

    /// Whether a whole file is escaped: there is an entity in it, no sign that would be one, and no bare `&`.
    static func looksEscaped(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (index, found) = (0, false)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"), UInt8(ascii: ">"): return false
            case UInt8(ascii: "&"):
                guard let entity = entity(bytes[index...]) else { return false }
                found = true
                index += entity.name.utf8.count
            default: index += 1
            }
        }
        return found
    }

    /// The text that was escaped.
    static func unescaped(_ text: SecretText) -> SecretText {
        SecretText(room: text.count) { buffer in
            text.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while let first = rest.first {
                    if first == UInt8(ascii: "&"), let entity = entity(rest) {
                        buffer.append(entity.sign)
                        rest = rest.dropFirst(entity.name.utf8.count)
                    } else {
                        buffer.append(first)
                        rest = rest.dropFirst()
                    }
                }
            }
        }
    }

    private static func entity(_ bytes: Slice<UnsafeRawBufferPointer>) -> (name: String, sign: UInt8)? {
        entities.first { bytes.starts(with: $0.name.utf8) }
    }
}
