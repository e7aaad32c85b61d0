import CredentialExchange
import KeywayCrypto
import OtherCiphers
import SecretDocuments

/// Bitwarden's JSON of a person or of an organisation.
enum BitwardenJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        guard let outline = try JSONOutline(bytes, leaving: ["items"]) else { throw ImportFormat.unknown }
        guard outline.object["encrypted"]?.boolean != true else {
            let content = try BitwardenEncryption.content(
                of: outline.object, password: source.password,
                limits: DerivationLimits(memory: source.derivationMemory))
            return try content.withUnsafeBytes { content in
                let text = try checkedText(content)
                // One file within another, and no more.
                guard let inner = try JSONOutline(text, leaving: ["items"]), inner.object["encrypted"]?.boolean != true
                else {
                    throw ImportError(.damaged, "the encrypted part of the file is damaged")
                }
                try read(source.part(content), text, take)
            }
        }
        var folders: [String: String] = [:]
        for folder in outline.object.objects("folders") + outline.object.objects("collections") {
            folders[folder.publicText("id")] = folder.publicText("name")
        }
        try JSONFormat.each(of: outline.places["items"], in: bytes, take) { item, record in
            outcome(item, record, folders)
        }
    }

    private static func outcome(
        _ item: JSONObject, _ record: ImportedRecord, _ folders: [String: String]
    ) -> CSVOutcome {
        guard item["deletedDate"]?.string == nil else { return .skipped("It is in the trash of Bitwarden.") }
        var record = record
        record.title = item.publicText("name")
        record.set(notes: item.text("notes"))
        record.isFavorite = item["favorite"]?.boolean ?? false
        record.created = Time.rfc3339(item.publicText("creationDate"))
        record.modified = Time.rfc3339(item.publicText("revisionDate"))
        let collection = item["collectionIds"]?.elements?.first?.publicText ?? ""
        record.folder = (folders[item.publicText("folderId")] ?? folders[collection] ?? "").folders()
        addFields(item, &record)
        switch item["type"]?.integer {
        case 1: addLogin(item.object("login"), &record)
        case 2: break
        case 3: addCard(item.object("card"), &record)
        case 4: addIdentity(item.object("identity"), &record)
        case 5: addKey(item.object("sshKey"), &record)
        default: record.notices.append(ImportedRecord.unknownKind)
        }
        return .record(record)
    }

    private static func addFields(_ item: JSONObject, _ record: inout ImportedRecord) {
        for field in item.objects("fields") {
            let name = field.publicText("name")
            switch field["type"]?.integer {
            case 3: record.notices.append("A field that is linked to another is left out.")
            default: record.add(field: name, field.filled("value"), isHidden: field["type"]?.integer == 1)
            }
        }
        record.note(formerPasswords: item.objects("passwordHistory").count)
    }

    private static func addLogin(_ login: JSONObject, _ record: inout ImportedRecord) {
        record.userName = login.publicText("username")
        record.set(password: login.text("password"))
        record.add(code: login.text("totp"))
        for uri in login.objects("uris") { record.add(url: uri.publicText("uri")) }
        for passkey in login.objects("fido2Credentials") {
            guard passkey["counter"]?.integer ?? 0 == 0 else {
                record.notices.append("A passkey that counts its uses is left out: its site would refuse it.")
                continue
            }
            do {
                record.passkeys.append(try Self.passkey(passkey))
            } catch {
                record.notices.append("A passkey is left out: \(error.detail).")
            }
        }
    }

    private static func passkey(_ passkey: JSONObject) throws(ExchangeError) -> ExchangePasskey {
        let identifier = passkey.publicText("credentialId")
        guard let id = uuid(identifier) ?? base64(identifier.replacingPrefix("b64.")),
            let handle = base64(passkey.publicText("userHandle")),
            let key = passkey.text("keyValue").flatMap({ SecretBytes(base64: $0.secret) })
        else { throw ExchangeError(.invalidCredential, "the passkey isn't whole") }
        return try ExchangePasskey(
            credentialID: id, relyingParty: passkey.publicText("rpId"), userName: passkey.publicText("userName"),
            userDisplayName: passkey.publicText("userDisplayName"), userHandle: handle, key: key)
    }

    /// The 16 bytes that a UUID stands for.
    private static func uuid(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != "-" }
        guard text.utf8.count == 36, digits.utf8.count == 32 else { return nil }
        var (bytes, rest) = ([UInt8](), digits[...])
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private static func base64(_ text: String) -> [UInt8]? {
        SecretBytes(base64: SecretBytes(copyingUTF8Of: text))?.withUnsafeBytes { Array($0) }
    }

    private static func addCard(_ card: JSONObject, _ record: inout ImportedRecord) {
        let (month, year) = (card["expMonth"]?.integer, card["expYear"]?.integer)
        let expiry = month.flatMap { month in
            year.flatMap { CardDate.yearMonth(Int(clamping: $0), Int(clamping: month)) }
        }
        record.add(
            .creditCard,
            [
                ("number", card.filled("number")?.field(.concealed)),
                ("fullName", card.filled("cardholderName")?.field()), ("cardType", card.filled("brand")?.field()),
                ("verificationNumber", card.filled("code")?.field(.concealed)),
                ("expiryDate", expiry?.field(.yearMonth)),
            ])
    }

    private static func addIdentity(_ identity: JSONObject, _ record: inout ImportedRecord) {
        record.userName = identity.publicText("username")
        record.add(
            .personName,
            [
                ("title", identity.filled("title")?.field()), ("given", identity.filled("firstName")?.field()),
                ("given2", identity.filled("middleName")?.field()), ("surname", identity.filled("lastName")?.field()),
            ])
        let street = ["address1", "address2", "address3"].map(identity.publicText).filter { !$0.isEmpty }
        record.add(
            .address,
            [
                ("streetAddress", street.joined(separator: "\n").field()),
                ("postalCode", identity.filled("postalCode")?.field()), ("city", identity.filled("city")?.field()),
                ("territory", identity.filled("state")?.field(.subdivision)),
                ("country", identity.filled("country")?.field(.country)), ("tel", identity.filled("phone")?.field()),
            ])
        record.add(.passport, [("passportNumber", identity.filled("passportNumber")?.field())])
        record.add(.driversLicense, [("licenseNumber", identity.filled("licenseNumber")?.field())])
        record.add(.identityDocument, [("identificationNumber", identity.filled("ssn")?.field())])
        record.add(field: "email", identity.filled("email"))
        record.add(field: "company", identity.filled("company"))
    }

    private static func addKey(_ key: JSONObject, _ record: inout ImportedRecord) {
        SSHKey.add(key.filled("privateKey"), publicKey: key.filled("publicKey"), &record)
    }
}

/// Keys of SSH as managers write them: text in PEM.
enum SSHKey {
    /// Adds a key: one in PKCS #8 as CXF has it, any other as a hidden field.
    static func add(_ key: SecretText?, publicKey: SecretText?, _ record: inout ImportedRecord) {
        let type = publicKey?.publicText.split(separator: " ").first.map(String.init) ?? ""
        if let key, let der = key.pkcs8, !type.isEmpty {
            record.add(.sshKey, [("keyType", .text(type)), ("privateKey", .string(der))])
        } else {
            record.add(field: "private key", key, isHidden: true)
        }
        record.add(field: "public key", publicKey)
    }
}

extension SecretText {
    /// The Base64 between the lines of a private key in PKCS #8, in the alphabet for addresses; nil for anything else.
    var pkcs8: SecretText? {
        guard let start = range(of: "-----BEGIN PRIVATE KEY-----"), let end = range(of: "-----END PRIVATE KEY-----"),
            start.upperBound < end.lowerBound
        else { return nil }
        return SecretText(room: count) { buffer in
            self[start.upperBound..<end.lowerBound].withUnsafeBytes { bytes in
                for byte in bytes where byte > 0x20 && byte != UInt8(ascii: "=") {
                    switch byte {
                    case UInt8(ascii: "+"): buffer.append(UInt8(ascii: "-"))
                    case UInt8(ascii: "/"): buffer.append(UInt8(ascii: "_"))
                    default: buffer.append(byte)
                    }
                }
            }
        }
    }
}

extension String {
    /// Without that, where it begins so.
    func replacingPrefix(_ prefix: String) -> String { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self }
}
