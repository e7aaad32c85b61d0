import SecretDocuments

/// Bitwarden's CSV of a person or of an organisation. Cards and identities are not in it.
struct BitwardenCSV: CSVFormat {
    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("type", "name", "loginuri", "loginusername", "loginpassword")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.title = entry.text("name")
        // Of several collections the first is the folder.
        let collection = entry.text("collections").split(separator: ",").first.map(String.init) ?? ""
        record.folder = (entry["folder"]?.publicText ?? collection).folders()
        record.isFavorite = entry.text("favorite").isYes
        record.notes = entry["notes"]
        record.userName = entry.text("loginusername")
        record.password = entry["loginpassword"]
        record.add(code: entry["logintotp"])
        for url in Self.addresses(entry.text("loginuri")) { record.add(url: url) }
        for line in entry["fields"]?.lines ?? [] {
            guard let colon = line.range(of: ": ") else {
                // A value of several lines goes on.
                record.add(field: "", line)
                continue
            }
            // What was hidden in Bitwarden isn't noted: it is hidden here.
            record.add(
                field: line[0..<colon.lowerBound].publicText, line[colon.upperBound..<line.count], isHidden: true)
        }
        return .record(record)
    }

    /// Addresses with commas between them; they may have commas themselves, so a new one begins where a scheme does.
    static func addresses(_ text: String) -> [String] {
        var addresses: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if addresses.isEmpty || part.contains("://") || !(addresses.last?.contains("://") ?? false) {
                addresses.append(String(part))
            } else {
                addresses[addresses.count - 1] += ",\(part)"
            }
        }
        return addresses
    }
}

extension SecretText {
    /// Its lines, without what ends them.
    var lines: [SecretText] {
        var (lines, start) = ([SecretText](), 0)
        let ends = withUnsafeBytes { bytes in bytes.indices.filter { bytes[$0] == 0x0A } }
        for end in ends + [count] {
            let hasReturn = end > start && withUnsafeBytes { $0[end - 1] == 0x0D }
            lines.append(self[start..<(hasReturn ? end - 1 : end)])
            start = end + 1
        }
        return lines
    }

    /// Where that text first stands in it.
    func range(of text: String) -> Range<Int>? {
        let wanted = Array(text.utf8)
        return withUnsafeBytes { bytes in
            guard bytes.count >= wanted.count else { return nil }
            return (0...bytes.count - wanted.count).first { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
                .map { $0..<$0 + wanted.count }
        }
    }

    /// Whether it begins so.
    func hasPrefix(_ text: String) -> Bool { withUnsafeBytes { $0.starts(with: text.utf8) } }

    /// Without blanks and line ends around it.
    var trimmed: SecretText {
        withUnsafeBytes { bytes in
            func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
            let start = bytes.firstIndex { !isBlank($0) } ?? bytes.count
            let end = bytes.lastIndex { !isBlank($0) } ?? start - 1
            return start..<max(start, end + 1)
        }.pipe { self[$0] }
    }
}

extension Range<Int> {
    /// What a function makes of it.
    fileprivate func pipe(_ make: (Range<Int>) -> SecretText) -> SecretText { make(self) }
}
