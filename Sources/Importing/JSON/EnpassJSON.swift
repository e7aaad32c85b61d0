import SecretDocuments

/// Enpass.
enum EnpassJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        guard let outline = try JSONOutline(bytes, leaving: ["items"]) else { throw ImportFormat.unknown }
        let all = outline.object.objects("folders").map { ($0.publicText("uuid"), $0) }
        let folders = Dictionary(all) { first, _ in first }
        try JSONFormat.each(of: outline.places["items"], in: bytes, take) { item, record in
            guard item["trashed"]?.integer ?? 0 == 0 else { return .skipped("It is in the trash of Enpass.") }
            var record = record
            record.title = item.publicText("title")
            record.set(notes: item.text("note"))
            record.isFavorite = item["favorite"]?.integer == 1 || item["favorite"]?.boolean == true
            record.created = item["createdAt"]?.integer
            record.modified = item["updated_at"]?.integer
            record.folder = path(item["folders"]?.elements?.first?.publicText, folders)
            for field in item.objects("fields") where field["deleted"]?.integer != 1 { add(field, &record) }
            return .record(record)
        }
    }

    private static func add(_ field: JSONObject, _ record: inout ImportedRecord) {
        guard let value = field.text("value")?.nonEmpty else { return }
        switch field.publicText("type") {
        case "username" where record.userName.isEmpty: record.userName = value.publicText
        case "password" where record.password == nil: record.password = value
        case "url": record.add(url: value.publicText)
        case "totp": record.add(code: value)
        case "section": break
        default:
            let isHidden = field["sensitive"]?.integer == 1 || field["sensitive"]?.boolean == true
            record.add(field: field.publicText("label"), value, isHidden: isHidden)
        }
    }

    /// The names of a folder and of those around it.
    private static func path(_ identifier: String?, _ folders: [String: JSONObject]) -> [String] {
        var (path, next) = ([String](), identifier)
        // A folder may be said to lie in itself.
        while path.count < 64, let identifier = next, let folder = folders[identifier] {
            path.insert(folder.publicText("title"), at: 0)
            next = folder.publicText("parent_uuid")
        }
        return path
    }
}
