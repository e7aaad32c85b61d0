import SecretDocuments

/// Keeper.
enum KeeperJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        guard let outline = try JSONOutline(bytes, leaving: ["records"]) else { throw ImportFormat.unknown }
        try JSONFormat.each(of: outline.places["records"], in: bytes, take) { item, record in
            var record = record
            record.title = item.publicText("title")
            record.userName = item.publicText("login")
            record.set(password: item.text("password"))
            record.add(url: item.publicText("login_url"))
            record.set(notes: item.text("notes"))
            let folder = item.objects("folders").first ?? JSONObject()
            record.folder = [folder.publicText("shared_folder"), folder.publicText("folder")]
                .flatMap { $0.folders("\\") }
            for member in item.object("custom_fields").members {
                let value = member.value.string
                if member.name == "TFC:Keeper" || member.name.hasPrefix("$oneTimeCode") {
                    record.add(code: value)
                } else {
                    record.add(field: member.name.replacingPrefix("$"), value, isHidden: true)
                }
            }
            return .record(record)
        }
    }
}
