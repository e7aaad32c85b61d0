import CodeLinks
import CredentialExchange
package import KeePassDatabases
package import KeywayCrypto
import SecretDocuments

/// Writes records into the document of a database, in the form that KeePassXC reads.
package struct KeePassExport {
    /// What the form has no place for, in words; no content.
    package private(set) var notices: [String] = []

    private let records: [ImportedRecord]
    /// The numbers of the files, by the same.
    private let numbers: [[UInt8]: Int]
    private let name: String
    private let now: Int64
    private let random: any RandomSource
    /// What is in the files of the records, by their SHA-256: in the order in which the database has them.
    package private(set) var files: [[UInt8]] = []

    /// An export of records into a database of that name.
    ///
    /// - Parameter hasFile: whether what is in a file is there.
    package init(
        _ records: [ImportedRecord], name: String, now: Int64, random: any RandomSource,
        hasFile: ([UInt8]) -> Bool = { _ in false }
    ) {
        self.records = records
        var known: Set<[UInt8]> = []
        files = records.flatMap(\.files).map(\.mark.hash).filter { hasFile($0) && known.insert($0).inserted }
        numbers = Dictionary(uniqueKeysWithValues: files.enumerated().map { ($1, $0) })
        self.name = name
        self.now = now
        self.random = random
        notices = records.flatMap { record in
            Self.losses(of: record).map { "“\(record.title)”: \($0)" }
        }
    }

    /// Writes the document.
    package func write(_ document: KeePassDocument) {
        document.open("KeePassFile")
        document.open("Meta")
        document.element("Generator", "Keyway")
        document.element("DatabaseName", name)
        document.open("MemoryProtection")
        for key in ["Title", "UserName", "Password", "URL", "Notes"] {
            document.element("Protect\(key)", key == "Password" ? "True" : "False")
        }
        document.close()
        document.element("RecycleBinEnabled", "True")
        document.element("RecycleBinUUID", KeePassDocument.base64([UInt8](repeating: 0, count: 16)))
        document.close()
        document.open("Root")
        write(KeePassFolder(name: name, records), document)
        document.element("DeletedObjects", "")
        document.close()
        document.close()
    }

    private func write(_ folder: KeePassFolder, _ document: KeePassDocument) {
        document.open("Group")
        document.element("UUID", identifier())
        document.element("Name", folder.name)
        document.element("IconID", "48")
        times(now, now, document)
        document.element("IsExpanded", "True")
        for record in folder.records { write(record, document) }
        for inner in folder.folders { write(inner, document) }
        document.close()
    }

    private func write(_ record: ImportedRecord, _ document: KeePassDocument) {
        write(KeePassEntryStrings(record), of: record, document)
        // An entry has one passkey: a further one is an entry of its own, for the same account.
        for passkey in record.passkeys.dropFirst() {
            var further = ImportedRecord(place: record.place)
            (further.title, further.userName, further.urls) = (record.title, record.userName, record.urls)
            further.passkeys = [passkey]
            write(KeePassEntryStrings(further), of: further, document)
        }
    }

    private func write(_ strings: KeePassEntryStrings, of record: ImportedRecord, _ document: KeePassDocument) {
        document.open("Entry")
        document.element("UUID", identifier())
        document.element("IconID", "0")
        document.element("Tags", record.tags.joined(separator: ";"))
        times(record.created ?? record.modified ?? now, record.modified ?? record.created ?? now, document)
        for string in strings.strings {
            document.open("String")
            document.element("Key", string.key)
            document.element("Value", string.value, isProtected: string.isProtected)
            document.close()
        }
        var names: Set<String> = []
        for file in record.files {
            guard let number = numbers[file.mark.hash] else { continue }
            // An entry has one file of a name.
            var (name, count) = (file.name, 1)
            while !names.insert(name).inserted {
                count += 1
                name = "\(file.name) (\(count))"
            }
            document.open("Binary")
            document.element("Key", name)
            document.reference("Value", to: number)
            document.close()
        }
        document.close()
    }

    private func times(_ created: Int64, _ modified: Int64, _ document: KeePassDocument) {
        document.open("Times")
        for (name, time) in [
            ("LastModificationTime", modified), ("CreationTime", created), ("LastAccessTime", modified),
            ("ExpiryTime", modified), ("LocationChanged", created),
        ] {
            document.element(name, KeePassTime.text(time))
        }
        document.element("Expires", "False")
        document.element("UsageCount", "0")
        document.close()
    }

    private func identifier() -> String { KeePassDocument.base64(random.bytes(16)) }

    /// What of a record has no place.
    package static func losses(of record: ImportedRecord) -> [String] {
        var losses: [String] = []
        if record.isFavorite { losses.append("KeePass has no favorites.") }
        if record.codes.count > 1 { losses.append("Its codes but the first are fields.") }
        if record.passkeys.count > 1 { losses.append("Its passkeys but the first are entries of their own.") }
        if record.passkeys.contains(where: { $0.userDisplayName != $0.userName && !$0.userDisplayName.isEmpty }) {
            losses.append("The display name of its passkey is left out.")
        }
        let hasMore = { (passkey: ExchangePasskey) in
            passkey.secretWithVerification != nil || passkey.secretWithoutVerification != nil
                || passkey.largeBlob != nil
        }
        if record.passkeys.contains(where: hasMore) {
            losses.append("What sites stored with its passkey is left out.")
        }
        if record.isForHTTP { losses.append("That its password is for HTTP's own sign-in is left out.") }
        if !record.credentials.isEmpty { losses.append("What isn't a password is written as fields.") }
        return losses
    }
}

/// A folder with what is in it, made from records that say where they lie.
struct KeePassFolder {
    let name: String
    private(set) var records: [ImportedRecord] = []
    private(set) var folders: [KeePassFolder] = []
    /// Where each folder stands, by its name.
    private var places: [String: Int] = [:]

    private init(name: String) { self.name = name }

    init(name: String, _ records: [ImportedRecord]) {
        self.init(name: name)
        for record in records { add(record, to: record.folder[...]) }
    }

    private mutating func add(_ record: ImportedRecord, to path: ArraySlice<String>) {
        // Programs read so deep, and no deeper.
        guard let first = path.first, path.startIndex < 60 else { return records.append(record) }
        let place = places[first] ?? folders.count
        if place == folders.count {
            folders.append(KeePassFolder(name: first))
            places[first] = place
        }
        folders[place].add(record, to: path.dropFirst())
    }
}

/// The strings that an entry of KeePass has, by their keys, none of which stands twice.
struct KeePassEntryStrings {
    private(set) var strings: [(key: String, value: SecretText, isProtected: Bool)] = []
    private var keys: Set<String> = []

    init(_ record: ImportedRecord) {
        add("Title", record.title)
        add("UserName", record.userName)
        add("Password", record.password ?? SecretText(copyingUTF8Of: ""), isProtected: true)
        add("URL", record.urls.first ?? "")
        add("Notes", record.notes ?? SecretText(copyingUTF8Of: ""), isProtected: false)
        addFurther(record.urls.dropFirst())
        for (index, code) in record.codes.enumerated() {
            let link = code.link.withUnsafeBytes { SecretText(copying: $0) }
            if index == 0 { add("otp", link, isProtected: true) } else { add(field: "One-time code", link, true) }
        }
        if let passkey = record.passkeys.first { add(passkey) }
        for field in record.fields { add(field: field.label, field.value, field.isHidden) }
        for credential in record.credentials { add(credential) }
    }

    private mutating func add(_ key: String, _ value: SecretText, isProtected: Bool) {
        keys.insert(key)
        strings.append((key, value, isProtected))
    }

    private mutating func add(_ key: String, _ value: String) {
        add(key, SecretText(copyingUTF8Of: value), isProtected: false)
    }

    /// A field of the person's, under another name where that one is taken.
    private mutating func add(field label: String, _ value: SecretText, _ isHidden: Bool) {
        let label = label.isEmpty ? "Field" : label
        var (key, number) = (label, 1)
        while keys.contains(key) || KeePassEntry.isReserved(key) {
            number += 1
            key = "\(label) (\(number))"
            // A name that means something with any ending.
            if KeePassEntry.isReserved(key) { key = "Field “\(label)” (\(number))" }
        }
        add(key, value, isProtected: isHidden)
    }

    private mutating func addFurther(_ urls: ArraySlice<String>) {
        var (sites, apps) = (0, 0)
        for url in urls {
            if url.hasPrefix("androidapp://") {
                add(apps == 0 ? "AndroidApp" : "AndroidApp\(apps)", url.replacingPrefix("androidapp://"))
                apps += 1
            } else {
                add(sites == 0 ? "KP2A_URL" : "KP2A_URL_\(sites)", url)
                sites += 1
            }
        }
    }

    private mutating func add(_ passkey: ExchangePasskey) {
        add("KPEX_PASSKEY_USERNAME", passkey.userName)
        add("KPEX_PASSKEY_RELYING_PARTY", passkey.relyingParty)
        add("KPEX_PASSKEY_CREDENTIAL_ID", Self.addressBase64(passkey.credentialID), isProtected: true)
        add("KPEX_PASSKEY_USER_HANDLE", Self.addressBase64(passkey.userHandle), isProtected: true)
        add("KPEX_PASSKEY_PRIVATE_KEY_PEM", Self.privateKey(passkey.key), isProtected: true)
        add("KPEX_PASSKEY_FLAG_BE", "1")
        add("KPEX_PASSKEY_FLAG_BS", "1")
    }

    /// What CXF says of an entry that is more than a login, as fields.
    private mutating func add(_ credential: ExchangeCredential) {
        // A section that the person named.
        let section = credential.object.publicText("label")
        let isSection = credential.type == .customFields && !credential.fields.isEmpty
        if isSection {
            for field in credential.fields {
                guard let value = field.value else { continue }
                add(
                    field: [section, field.label ?? ""].filter { !$0.isEmpty }.joined(separator: ": "), value,
                    field.isHidden)
            }
        }
        for member in credential.object.members where member.name != "type" {
            guard !isSection || !["id", "label", "fields"].contains(member.name) else { continue }
            let label = "\(credential.type.rawValue): \(member.name)"
            if let object = member.value.object, let value = ExchangeField(object).value {
                add(field: label, value, ExchangeField(object).isHidden)
            } else if let text = member.value.string {
                add(field: label, text, true)
            } else if !member.value.isNull {
                // Of a form that nobody knows: as it stands in the document.
                add(field: label, SecretText(of: member.value), true)
            }
        }
    }

    private static func addressBase64(_ bytes: [UInt8]) -> SecretText {
        let text = KeePassDocument.base64(bytes).compactMap { character -> Character? in
            switch character {
            case "+": "-"
            case "/": "_"
            case "=": nil
            default: character
            }
        }
        return SecretText(copyingUTF8Of: String(text))
    }

    private static func privateKey(_ key: SecretBytes) -> SecretText {
        SecretText(room: key.count * 2 + 128) { buffer in
            buffer.append(utf8Of: "-----BEGIN PRIVATE KEY-----\n")
            key.withUnsafeBytes { bytes in
                // 48 bytes are a line of 64 characters.
                for start in stride(from: 0, to: bytes.count, by: 48) {
                    let line = bytes[start..<min(start + 48, bytes.count)]
                    buffer.append(base64Of: UnsafeRawBufferPointer(rebasing: line))
                    buffer.append(utf8Of: "\n")
                }
            }
            buffer.append(utf8Of: "-----END PRIVATE KEY-----\n")
        }
    }
}

extension SecretText {
    /// A value as JSON.
    fileprivate init(of value: JSONValue) {
        self.init(room: 256) { buffer in
            let writer = JSONWriter<Never> { buffer.append($0) }
            writer.value(value)
            writer.end()
        }
    }
}
