import CodeLinks
import PassEntries
import SecretDocuments

/// `pass`: entries that gpg decrypted, as ``EntryBundle`` says. The first line is the password; `user:` and `url:` lines, and
/// links for one-time codes, are what they say; other lines with a key become fields, and the rest notes.
enum PassImport {
    /// The first line of an entry in a former format of gopass.
    private static let gopassSignature = Array("GOPASS-SECRET-1.0".utf8)

    /// Whether the bytes begin as a bundle does.
    static func fits(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: EntryBundle.signature) }

    @Sendable
    static func read(_ source: ImportSource, _ take: ImportSink) throws(ImportError) {
        let bytes = source.bytes
        var offset = EntryBundle.signature.count
        while offset < bytes.count {
            guard let part = EntryBundle.part(at: offset, in: bytes),
                let text = String(validating: bytes[part.name], as: UTF8.self)
            else { throw ImportError(.damaged, "the entries end within one, or aren't what they say") }
            offset = part.bytes.upperBound
            let content = UnsafeRawBufferPointer(rebasing: bytes[part.bytes])
            switch part.kind {
            case .reason: try take(skip(text, String(decoding: content, as: UTF8.self)))
            case .contents:
                guard let name = EntryName(text) else { throw ImportError(.damaged, "an entry has no name") }
                try take(event(name, content))
            }
        }
    }

    private static func skip(_ name: String, _ reason: String) -> ImportEvent {
        .skipped(SkippedEntry(place: name, reason: reason))
    }

    private static func event(_ name: EntryName, _ bytes: UnsafeRawBufferPointer) -> ImportEvent {
        let entry = EntryText(bytes)
        guard !bytes[entry.firstLine].elementsEqual(gopassSignature) else {
            return skip(name.text, "It is in a former format of gopass. `gopass convert` writes it as pass does.")
        }
        guard !bytes.contains(0), (try? checkedText(bytes)) != nil else {
            return skip(name.text, "What is in it is no text.")
        }
        var record = ImportedRecord(place: name.text)
        fill(&record, from: name)
        fill(&record, from: entry, bytes)
        return .record(record)
    }

    // MARK: - What its name says

    private static func fill(_ record: inout ImportedRecord, from name: EntryName) {
        let account = EntryAccount(name)
        let parts = name.parts
        record.userName = account.user
        guard let service = account.service else {
            record.title = String(name.last)
            record.userName = ""
            record.folder = parts.dropLast().map(String.init)
            return
        }
        record.add(url: service.address)
        // The part that is the site names it; what lies above are folders.
        let place = parts.lastIndex { StoreService(namePart: $0) == service } ?? parts.count - 1
        record.title = parts[place].contains("@") ? String(parts[place]) : service.host
        record.folder = parts.indices.filter { $0 < place || $0 > place && $0 < parts.count - 1 }.map {
            String(parts[$0])
        }
    }

    // MARK: - What is in it

    private static func fill(
        _ record: inout ImportedRecord, from entry: EntryText, _ bytes: UnsafeRawBufferPointer
    ) {
        func text(_ range: Range<Int>) -> SecretText {
            SecretText(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        if entry.links.first?.lowerBound != entry.firstLine.lowerBound { record.set(password: text(entry.firstLine)) }
        var hasUser = false
        for field in entry.fields {
            let key = field.key.lowercased()
            if EntryText.userKeys.contains(key), !hasUser, !field.value.isEmpty {
                record.userName = String(decoding: bytes[field.value], as: UTF8.self)
                hasUser = true
            } else if EntryText.addressKeys.contains(key) {
                let address = String(decoding: bytes[field.value], as: UTF8.self)
                if !record.urls.contains(address) { record.add(url: address) }
            } else {
                record.add(field: field.key, text(field.value), isHidden: true)
            }
        }
        for link in entry.links { record.add(code: text(link)) }
        record.set(notes: notes(entry.otherLines.map { EntryText.trimmed($0, bytes) }, bytes))
    }

    private static func notes(_ lines: [Range<Int>], _ bytes: UnsafeRawBufferPointer) -> SecretText? {
        var lines = lines[...]
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty else { return nil }
        return SecretText(room: lines.reduce(0) { $0 + $1.count + 1 }) { buffer in
            for (index, line) in lines.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: "\n")) }
                buffer.append(UnsafeRawBufferPointer(rebasing: bytes[line]))
            }
        }
    }
}

extension StoreService {
    /// As the person would type it.
    fileprivate var address: String {
        let place = port.map { "\(host):\($0)" } ?? host
        return scheme.map { "\($0)://\(place)" } ?? place
    }
}
