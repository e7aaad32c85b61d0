import CodeLinks
import CredentialExchange
import KeePassDatabases
import KeywayCrypto
import SecretDocuments

/// KeePass 2 and KeePassXC: the tree of a database as XML.
enum KeePassXML {
    static func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        return start.contains("<KeePassFile")
    }

    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        try read(KeePassTree(files: source.files.map { KeePassFiles($0) }), bytes, take)
    }

    /// Follows the tree of a document and hands on what is in it.
    static func read(_ tree: KeePassTree, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        let reader = try XMLReader(bytes, handler: tree)
        var hasMore = true
        while hasMore {
            hasMore = try reader.readOn()
            if let failure = tree.failure { throw failure }
            try tree.files?.check()
            for event in tree.takeEvents() { try take(event) }
        }
    }
}

/// Follows the tree of a KeePass database and makes records of its entries.
final class KeePassTree: XMLHandler {
    /// What must end the import.
    private(set) var failure: ImportError?
    private var events: [ImportEvent] = []
    private var path: [String] = []
    private var groups: [(name: String, identifier: String)] = []
    private var recycleBin = ""
    private var entry: KeePassEntry?
    private var historyDepth = 0
    private var entryCount = 0
    private var rootCount = 0
    private var key = ""
    private var isProtected = false
    /// Decrypts the values that are encrypted once more, as they are within a database; nil for XML by itself.
    private let stream: ProtectedStream?
    /// What the header of the database must be for the document to belong to it; nil where nothing is known.
    private let headerHash: SecretBytes?
    /// Whether the text of the element that began last is encrypted once more.
    private var isEncrypted = false

    /// What is in its files; nil where they are left out.
    let files: KeePassFiles?
    /// The file whose text is being read, and what refers to it.
    private var file: KeePassFileText?
    private var fileNumber = ""

    init(stream: ProtectedStream? = nil, headerHash: SecretBytes? = nil, files: KeePassFiles? = nil) {
        self.files = files
        self.stream = stream
        self.headerHash = headerHash
    }

    /// What was found since the last time.
    func takeEvents() -> [ImportEvent] {
        defer { events = [] }
        return events
    }

    private var parent: String { path.count > 1 ? path[path.count - 2] : "" }

    func start(_ name: String, _ attributes: [String: String]) {
        path.append(name)
        isEncrypted = attributes["Protected"]?.lowercased() == "true"
        if isEncrypted, stream == nil { fail(.unsupported, "the values in the file are encrypted") }
        switch name {
        case "Root" where path.count == 2:
            rootCount += 1
            if rootCount > 1 { fail(.damaged, "the file has two roots") }
        case "History": historyDepth += 1
        case "Group" where historyDepth == 0: groups.append(("", ""))
        case "Entry" where historyDepth == 0: entry = KeePassEntry()
        case "Entry": entry?.formerCount += 1
        case "Binary" where parent == "Binaries": begin(file: attributes, "ID")
        case "String", "Binary": (key, isProtected) = ("", false)
        case "Value" where parent == "Binary" && historyDepth == 0: begin(file: attributes, "Ref")
        case "Value":
            isProtected = isEncrypted || attributes["ProtectInMemory"]?.lowercased() == "true"
        default: break
        }
    }

    /// Attached files have no place to go, and may be larger than any text; in version 3 they lie in the document.
    var ignoresText: Bool {
        // The stream goes over those that are encrypted, too.
        !isEncrypted && isFile
    }

    /// A file begins, or is referred to: a reference has no text.
    private func begin(file attributes: [String: String], _ name: String) {
        fileNumber = attributes[name] ?? ""
        guard name == "ID" || fileNumber.isEmpty else { return }
        file = files?.open(isPacked: attributes["Compressed"]?.lowercased() == "true")
    }

    func takeIgnored(_ text: UnsafeRawBufferPointer) { if isFile { file?.add(text) } }

    /// A file ends.
    private func endOfFile(_ text: SecretText) -> KeePassFiles.Outcome? {
        defer { file = nil }
        text.withUnsafeBytes { if !$0.isEmpty { file?.add(decoded: $0) } }
        return file?.end() ?? files?[fileNumber]
    }

    private var isFile: Bool {
        path.last == "Binary" && parent == "Binaries" || path.last == "Value" && parent == "Binary"
    }

    func rewrite(_ text: UnsafeMutableRawBufferPointer, of name: String) -> Int {
        // Every such text counts, also in the history and where it isn't taken: the stream goes over all of them.
        guard isEncrypted, let stream else { return text.count }
        isEncrypted = false
        var count = 0
        if !isFile {
            count = stream.open(text)
        } else if file != nil {
            count = stream.open(file: text)
        } else {
            stream.skip(text)
            count = 0
        }
        if !stream.isSound { fail(.damaged, "a protected value in the database is damaged") }
        return count
    }

    func end(_ name: String, _ text: SecretText) {
        defer { path.removeLast() }
        let parent = parent
        // What most elements are: parts of the strings of entries.
        if parent == "String", historyDepth == 0, name == "Key" || name == "Value" {
            return endOfEntry(name, parent, text)
        }
        switch (name, parent) {
        case ("History", _): historyDepth -= 1
        case ("RecycleBinUUID", "Meta"): recycleBin = text.publicText
        case ("HeaderHash", "Meta"): check(headerHash: text)
        case ("Group", _) where historyDepth == 0: groups.removeLast()
        case ("Binary", "Binaries"):
            if let outcome = endOfFile(text) { files?.note(outcome, fileNumber) }
        case ("Name", "Group") where !groups.isEmpty: groups[groups.count - 1].name = text.publicText
        case ("UUID", "Group") where !groups.isEmpty: groups[groups.count - 1].identifier = text.publicText
        default: if historyDepth == 0 { endOfEntry(name, parent, text) }
        }
    }

    private func endOfEntry(_ name: String, _ parent: String, _ text: SecretText) {
        guard entry != nil else { return }
        switch (name, parent) {
        case ("Key", "String"): key = text.publicText
        case ("Value", "String"): entry?.strings.append((key, text, isProtected))
        case ("Key", "Binary"): key = text.publicText
        case ("Value", "Binary"): entry?.add(file: key, endOfFile(text))
        case ("Tags", "Entry"): entry?.tags = text.publicText
        case ("CreationTime", "Times"): entry?.created = KeePassTime.seconds(text.publicText)
        case ("LastModificationTime", "Times"): entry?.modified = KeePassTime.seconds(text.publicText)
        case ("Entry", _): finish()
        default: break
        }
    }

    /// The header of version 3 has no code of its own: whoever changes it is found out here.
    private func check(headerHash text: SecretText) {
        guard let headerHash, !text.isEmpty else { return }
        if SecretBytes(base64: text.secret) != headerHash { fail(.damaged, "the header of the database is damaged") }
    }

    private func finish() {
        guard let entry else { return }
        self.entry = nil
        entryCount += 1
        guard entryCount <= DocumentLimits.mostItems else {
            return fail(.tooLarge, "the file has more than \(DocumentLimits.mostItems) entries")
        }
        let place = "entry \(entryCount)"
        let isRemoved = !recycleBin.isEmpty && groups.contains { $0.identifier == recycleBin }
        guard !isRemoved else {
            events.append(.skipped(SkippedEntry(place: place, reason: "It is in the recycle bin.")))
            return
        }
        guard entry.strings.count <= DocumentLimits.mostCells else {
            events.append(.skipped(SkippedEntry(place: place, reason: "It has too many fields.")))
            return
        }
        var record = entry.record(at: place)
        // The outermost group is the database itself.
        record.folder = groups.dropFirst().map(\.name)
        events.append(.record(record))
    }

    private func fail(_ code: ImportError.Code, _ detail: String) {
        if failure == nil { failure = ImportError(code, detail) }
    }
}

/// An entry of KeePass, as it stands in the tree.
struct KeePassEntry {
    var strings: [(key: String, value: SecretText, isProtected: Bool)] = []
    var tags = ""
    var created: Int64?
    var modified: Int64?
    var files: [ImportedFile] = []
    /// What is told of files that are left out.
    private var fileNotices: [String] = []
    private var fileCount = 0
    /// How often it was changed, as far as the file keeps what it was before.
    var formerCount = 0

    private static let passkeyKeys: Set<String> = [
        "KPEX_PASSKEY_USERNAME", "KPXC_PASSKEY_USERNAME", "KPEX_PASSKEY_CREDENTIAL_ID",
        "KPEX_PASSKEY_GENERATED_USER_ID",
        "KPEX_PASSKEY_PRIVATE_KEY_PEM", "KPEX_PASSKEY_RELYING_PARTY", "KPEX_PASSKEY_USER_HANDLE",
        "KPEX_PASSKEY_FLAG_BE",
        "KPEX_PASSKEY_FLAG_BS",
    ]

    /// Whether a string of that name is no field of the person's.
    static func isReserved(_ key: String) -> Bool {
        ["Title", "UserName", "Password", "URL", "Notes", "otp", "TOTP Seed", "TOTP Settings"].contains(key)
            || passkeyKeys.contains(key)
            || ["KP2A_URL", "AndroidApp", "TimeOtp-", "HmacOtp-"].contains { key.hasPrefix($0) }
    }

    /// The record that it is.
    func record(at place: String) -> ImportedRecord {
        var record = ImportedRecord(place: place)
        record.tags = tags.words
        (record.created, record.modified) = (created, modified)
        for (key, value, isProtected) in strings { add(key, value, isProtected, to: &record) }
        addTimedCode(to: &record)
        addPasskey(to: &record)
        if formerCount > 0 {
            record.notices.append(
                formerCount == 1
                    ? "What it was before is left out." : "Its \(formerCount) former versions are left out.")
        }
        record.files = files
        record.notices += fileNotices
        if fileCount > 0 {
            record.notices.append(fileCount == 1 ? "A file is left out." : "Its \(fileCount) files are left out.")
        }
        return record
    }

    /// Adds a file, or notes why it is left out.
    mutating func add(file name: String, _ outcome: KeePassFiles.Outcome?) {
        switch outcome {
        case .taken(let mark): files.append(ImportedFile(name: name, mark))
        case .tooLarge: fileNotices.append(FileSink.notice(tooLarge: name))
        case .damaged: fileNotices.append("Its file “\(name)” is left out: it is damaged.")
        case nil: fileCount += 1
        }
    }

    private subscript(_ key: String) -> SecretText? { strings.first { $0.key == key }?.value.nonEmpty }

    private func add(_ key: String, _ value: SecretText, _ isProtected: Bool, to record: inout ImportedRecord) {
        switch key {
        case "Title": record.title = value.publicText
        case "UserName": record.userName = value.publicText
        case "Password": record.set(password: value)
        case "URL": record.urls.insert(contentsOf: value.isEmpty ? [] : [value.publicText], at: 0)
        case "Notes": record.set(notes: value)
        case "otp": add(otp: value, to: &record)
        case "TOTP Seed": addTray(value, to: &record)
        case "TOTP Settings": break
        case _ where Self.passkeyKeys.contains(key): break
        case _ where key.hasPrefix("KP2A_URL"): record.add(url: value.publicText)
        case _ where key.hasPrefix("AndroidApp"): record.urls.append("androidapp://\(value.publicText)")
        case _ where key.hasPrefix("TimeOtp-"): break
        default: record.add(field: key, value, isHidden: isProtected)
        }
    }

    // MARK: - Codes

    /// A link, or KeeOtp's `key=…&size=6&step=30`.
    private func add(otp text: SecretText, to record: inout ImportedRecord) {
        guard text.hasPrefix("key=") else { return record.add(code: text) }
        var parts: [String: SecretText] = [:]
        var rest = text
        while !rest.isEmpty {
            let end = rest.range(of: "&") ?? rest.count..<rest.count
            let part = rest[0..<end.lowerBound]
            if let equals = part.range(of: "=") {
                parts[part[0..<equals.lowerBound].publicText] = part[equals.upperBound..<part.count]
            }
            rest = rest[end.upperBound..<rest.count]
        }
        add(
            AuthenticatorEntry(
                type: parts["type"]?.publicText ?? "totp", secret: AuthenticatorEntry.base32(parts["key"]),
                algorithm: parts["otpHashMode"]?.publicText ?? "SHA1",
                digits: parts["size"].flatMap { Int64($0.publicText) },
                period: parts["step"].flatMap { Int64($0.publicText) },
                counter: parts["counter"].flatMap { Int64($0.publicText) }), text, to: &record)
    }

    /// TrayTOTP's `30;6` or `30;S`.
    private func addTray(_ seed: SecretText, to record: inout ImportedRecord) {
        let settings = self["TOTP Settings"]?.publicText.split(separator: ";").map(String.init) ?? []
        let isSteam = settings.dropFirst().first == "S"
        add(
            AuthenticatorEntry(
                type: isSteam ? "steam" : "totp", secret: AuthenticatorEntry.base32(seed),
                digits: settings.dropFirst().first.flatMap { Int64($0) }, period: settings.first.flatMap { Int64($0) }),
            seed, to: &record)
    }

    /// KeePass 2.47 and later.
    private func addTimedCode(to record: inout ImportedRecord) {
        guard strings.contains(where: { $0.key.hasPrefix("TimeOtp-") }) else { return }
        let forms: [(key: String, secret: (SecretText) -> SecretBytes?)] = [
            ("TimeOtp-Secret-Base32", { AuthenticatorEntry.base32($0) }),
            ("TimeOtp-Secret-Base64", { SecretBytes(base64: $0.secret) }),
            ("TimeOtp-Secret", { $0.secret }), ("TimeOtp-Secret-Hex", { SecretBytes(hexadecimal: $0.secret) }),
        ]
        guard let form = forms.first(where: { self[$0.key] != nil }), let text = self[form.key] else { return }
        let algorithm = (self["TimeOtp-Algorithm"]?.publicText ?? "HMAC-SHA-1").filter { $0 != "-" }
        add(
            AuthenticatorEntry(
                secret: form.secret(text), algorithm: algorithm,
                digits: self["TimeOtp-Length"].flatMap { Int64($0.publicText) },
                period: self["TimeOtp-Period"].flatMap { Int64($0.publicText) }), text, to: &record)
    }

    private func add(_ code: AuthenticatorEntry, _ text: SecretText?, to record: inout ImportedRecord) {
        switch code.outcome(ImportedRecord(place: record.place)) {
        case .record(let found): record.codes += found.codes
        case .skipped(let reason):
            record.add(field: "One-time code", text, isHidden: true)
            record.notices.append("The one-time code is kept as a field. \(reason)")
        case .nothing: break
        }
    }

    // MARK: - Passkeys

    private func addPasskey(to record: inout ImportedRecord) {
        guard let pem = self["KPEX_PASSKEY_PRIVATE_KEY_PEM"] else { return }
        func bytes(_ text: SecretText?) -> [UInt8]? {
            text.flatMap { SecretBytes(base64: $0.secret) }?.withUnsafeBytes { Array($0) }
        }
        let userName = (self["KPEX_PASSKEY_USERNAME"] ?? self["KPXC_PASSKEY_USERNAME"])?.publicText ?? ""
        let identifier = self["KPEX_PASSKEY_CREDENTIAL_ID"] ?? self["KPEX_PASSKEY_GENERATED_USER_ID"]
        guard let identifier = bytes(identifier), let key = pem.pkcs8.flatMap({ SecretBytes(base64: $0.secret) }) else {
            record.notices.append("A passkey is left out: it isn't whole.")
            return
        }
        do {
            record.passkeys.append(
                try ExchangePasskey(
                    credentialID: identifier, relyingParty: self["KPEX_PASSKEY_RELYING_PARTY"]?.publicText ?? "",
                    // KeePassXC knows no other name.
                    userName: userName, userDisplayName: userName,
                    userHandle: bytes(self["KPEX_PASSKEY_USER_HANDLE"]) ?? [], key: key))
        } catch {
            record.notices.append("A passkey is left out: \(error.detail).")
        }
    }
}

/// Times of KeePass: by RFC 3339, or from version 4 on Base64 of the seconds since the year 1.
enum KeePassTime {
    /// How many seconds 1970 began after the year 1.
    private static let start: Int64 = 62_135_596_800

    /// A time as version 4 writes it.
    static func text(_ seconds: Int64) -> String {
        let (time, isTooLarge) = seconds.addingReportingOverflow(start)
        return KeePassDocument.base64(withUnsafeBytes(of: (isTooLarge ? start : time).littleEndian) { Array($0) })
    }

    static func seconds(_ text: String) -> Int64? {
        if let time = Time.rfc3339(text) { return time > 0 ? time : nil }
        guard let bytes = SecretBytes(base64: SecretBytes(copyingUTF8Of: text)), bytes.count == 8 else { return nil }
        let time = bytes.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
        let (seconds, isTooLarge) = time.subtractingReportingOverflow(start)
        return isTooLarge || seconds <= 0 ? nil : seconds
    }
}
