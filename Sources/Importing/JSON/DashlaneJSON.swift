import SecretDocuments

/// Dashlane's former JSON: lists by upper-case names. Logins are in `AUTHENTIFIANT`.
enum DashlaneJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        guard let outline = try JSONOutline(bytes, leaving: ["AUTHENTIFIANT"]) else { throw ImportFormat.unknown }
        try JSONFormat.each(of: outline.places["AUTHENTIFIANT"], in: bytes, take) { item, record in
            var record = record
            record.title = item.publicText("title")
            let (login, email) = (item.publicText("login"), item.publicText("email"))
            record.userName = login.isEmpty ? email : login
            if !login.isEmpty { record.add(field: "email", item.text("email")) }
            record.add(field: "secondaryLogin", item.text("secondaryLogin"))
            record.set(password: item.text("password"))
            record.set(notes: item.text("note"))
            record.add(url: item.publicText("domain"))
            return .record(record)
        }
        for member in outline.object.members {
            guard let count = member.value.elements?.count, count > 0 else { continue }
            let reason = "Its \(count) items are of a kind that Keyway doesn't read from this format."
            try take(.skipped(SkippedEntry(place: "list \(member.name)", reason: reason)))
        }
    }
}
