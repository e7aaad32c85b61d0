import SecretDocuments

/// 1Password's former interchange format: an object of JSON in each line, with a line of asterisks behind it.
enum OnePasswordPIF {
    /// The line between objects.
    private static let separator = "***5642bee8-a5ff-11dc-8314-0800200c9a66***"

    static func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.split(separator: 0x0A, maxSplits: 2).dropFirst().first?.starts(with: separator.utf8) ?? false
    }

    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        var (places, lines) = ([Range<Int>](), [Int]())
        for (number, line) in TextLines(bytes).enumerated() {
            guard line.contains(where: { $0 > 0x20 }), !line.starts(with: separator.utf8) else { continue }
            guard places.count < DocumentLimits.mostItems else {
                throw ImportError(.tooLarge, "the file has more than \(DocumentLimits.mostItems) items")
            }
            // All of a file is checked before anything of it is handed on.
            var scanner = JSONScanner(bytes, at: line.startIndex)
            let place = try scanner.skip()
            guard place.upperBound <= line.endIndex else { throw scanner.error(.malformed, "a line holds no object") }
            places.append(place)
            lines.append(number + 1)
        }
        let folders = try folders(at: places, in: bytes)
        var (values, index) = (JSONValues(at: places, in: bytes), 0)
        while let value = try values.next() {
            let place = "line \(lines[index])"
            index += 1
            guard let item = value.object, !item.publicText("typeName").hasPrefix("system.") else { continue }
            guard item["trashed"]?.boolean != true else {
                try take(.skipped(SkippedEntry(place: place, reason: "It is in the trash of 1Password.")))
                continue
            }
            try take(.record(record(item, at: place, folders)))
        }
    }

    /// The folders, by their identifiers.
    private static func folders(
        at places: [Range<Int>], in bytes: UnsafeRawBufferPointer
    ) throws -> [String: JSONObject] {
        var (values, folders) = (JSONValues(at: places, in: bytes), [String: JSONObject]())
        while let value = try values.next() {
            guard let item = value.object, item.publicText("typeName").hasPrefix("system.folder") else { continue }
            folders[item.publicText("uuid")] = item
        }
        return folders
    }

    private static func record(_ item: JSONObject, at place: String, _ folders: [String: JSONObject]) -> ImportedRecord
    {
        let (secure, open) = (item.object("secureContents"), item.object("openContents"))
        var record = ImportedRecord(place: place)
        record.title = item.publicText("title")
        record.created = item["createdAt"]?.integer
        record.modified = item["updatedAt"]?.integer
        record.tags = (open["tags"]?.elements ?? []).compactMap(\.publicText)
        record.isFavorite = open["faveIndex"]?.integer ?? 0 != 0
        var next = item.publicText("folderUuid")
        while record.folder.count < 64, let folder = folders[next] {
            record.folder.insert(folder.publicText("title"), at: 0)
            next = folder.publicText("folderUuid")
        }
        record.set(notes: secure.text("notesPlain"))
        record.set(password: secure.text("password"))
        record.userName = secure.publicText("username")
        let urls = secure.objects("URLs").map { $0.publicText("url") }
        for url in urls.isEmpty ? [item.publicText("location")] : urls { record.add(url: url) }
        for field in secure.objects("fields") {
            guard let value = field.filled("value") else { continue }
            switch field.publicText("designation") {
            case "username": record.userName = value.publicText
            case "password": record.password = value
            default: record.add(field: field.publicText("name"), value, isHidden: field.publicText("type") == "P")
            }
        }
        for field in secure.objects("sections").flatMap({ $0.objects("fields") }) {
            guard let value = field.filled("v") else { continue }
            if field.publicText("n").hasPrefix("TOTP_") {
                record.add(code: value)
            } else {
                record.add(field: field.publicText("t"), value, isHidden: field.publicText("k") == "concealed")
            }
        }
        return record
    }
}
