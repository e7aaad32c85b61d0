import CredentialExchange
import KeywayCrypto
import SecretDocuments

/// Proton Pass: `data.json`, which its zip holds.
enum ProtonJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        guard let outline = try JSONOutline(bytes, leaving: ["vaults"]), let place = outline.places["vaults"],
            let vaults = try JSONOutline.members(at: place, in: bytes)
        else { throw ImportFormat.unknown }
        guard outline.object["encrypted"]?.boolean != true else {
            throw ImportError(.unsupported, "the file is encrypted")
        }
        for vault in vaults {
            guard let content = try JSONOutline(bytes, at: vault.place, leaving: ["items"]) else { continue }
            let folder = ProtonVault.folder(content.object.publicText("name"))
            try JSONFormat.each(of: content.places["items"], in: bytes, take) { item, record in
                outcome(item, record, folder)
            }
        }
    }

    private static func outcome(_ item: JSONObject, _ record: ImportedRecord, _ folder: [String]) -> CSVOutcome {
        guard item["state"]?.integer != 2 else { return .skipped("It is in the trash of Proton Pass.") }
        let (data, content) = (item.object("data"), item.object("data").object("content"))
        var record = record
        record.folder = folder
        record.title = data.object("metadata").publicText("name")
        record.set(notes: data.object("metadata").text("note"))
        record.isFavorite = item["pinned"]?.boolean ?? false
        record.created = item["createTime"]?.integer
        record.modified = item["modifyTime"]?.integer
        switch data.publicText("type") {
        case "login": addLogin(content, &record)
        case "creditCard": ProtonItem.add(card: content, to: &record)
        case "identity": ProtonItem.add(identity: content, to: &record)
        case "wifi": addNetwork(content, &record)
        case "sshKey":
            SSHKey.add(content.filled("privateKey"), publicKey: content.filled("publicKey"), &record)
        case "alias": record.userName = item.publicText("aliasEmail")
        case "note", "custom": break
        default: record.notices.append(ImportedRecord.unknownKind)
        }
        ProtonItem.add(fields: data["extraFields"]?.elements ?? [], to: &record)
        ProtonItem.add(fields: content["sections"]?.elements ?? [], to: &record)
        for app in data.object("platformSpecific").object("android").objects("allowedApps") {
            let package = app.publicText("packageName")
            if !package.isEmpty { record.urls.append("androidapp://\(package)") }
        }
        let files = item["files"]?.elements?.count ?? 0
        if files > 0 { record.notices.append("Its \(files) files are left out.") }
        return .record(record)
    }

    private static func addLogin(_ content: JSONObject, _ record: inout ImportedRecord) {
        let older = content.publicText("username")
        let (user, email) = (content.publicText("itemUsername"), content.publicText("itemEmail"))
        record.userName = !user.isEmpty ? user : !email.isEmpty ? email : older
        if !user.isEmpty, !email.isEmpty { record.add(field: "Email", content.text("itemEmail")) }
        record.set(password: content.text("password"))
        record.add(code: content.text("totpUri"))
        for url in content["urls"]?.elements ?? [] { record.add(url: url.publicText ?? "") }
        for passkey in content.objects("passkeys") {
            do {
                record.passkeys.append(try ProtonPasskey.passkey(passkey))
            } catch {
                record.notices.append("A passkey is left out: \(error.detail).")
            }
        }
    }

    private static func addNetwork(_ content: JSONObject, _ record: inout ImportedRecord) {
        let kinds = ["unsecured", "wpa-personal", "wpa2-personal", "wpa3-personal", "wpa3-personal"]
        let kind = content["security"]?.integer.flatMap {
            kinds.indices.contains(Int(clamping: $0)) ? kinds[Int($0)] : nil
        }
        record.add(
            .wifi,
            [
                ("ssid", content.filled("ssid")?.field()),
                ("passphrase", content.filled("password")?.field(.concealed)),
                ("networkSecurityType", kind?.field(.wifiSecurity)),
            ])
    }
}

/// Passkeys of Proton Pass. Their keys are in a coding of Proton's own.
enum ProtonPasskey {
    static func passkey(_ passkey: JSONObject) throws(ExchangeError) -> ExchangePasskey {
        func bytes(_ name: String) -> SecretBytes? { passkey.text(name).flatMap { SecretBytes(base64: $0.secret) } }
        guard let identifier = bytes("credentialId"), let handle = bytes("userHandle") ?? bytes("userId"),
            let content = bytes("content")
        else { throw ExchangeError(.invalidCredential, "the passkey isn't whole") }
        // Keyway reads a key in PKCS #8 alone.
        guard content.withUnsafeBytes({ $0.first == 0x30 }) else {
            throw ExchangeError(.invalidCredential, "its key is in a coding of Proton's own")
        }
        return try ExchangePasskey(
            credentialID: identifier.withUnsafeBytes { Array($0) }, relyingParty: passkey.publicText("rpId"),
            userName: passkey.publicText("userName"), userDisplayName: passkey.publicText("userDisplayName"),
            userHandle: handle.withUnsafeBytes { Array($0) }, key: content)
    }
}
