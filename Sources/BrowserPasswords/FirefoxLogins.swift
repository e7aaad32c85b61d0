import Importing
import KeywayCrypto
import KeywaySQLite
import SecretDocuments

/// What Firefox has stored: `logins.json`, under the keys of `key4.db`; and in `permissions.sqlite`, for which sites it was
/// told to save nothing.
enum FirefoxLogins {
    /// The file with the logins.
    static let file = "logins.json"
    private static let permissions = "permissions.sqlite"

    /// What decrypts a text in base64: nil where that is not possible.
    typealias Opening = (SecretText) -> SecretBytes?

    /// How many passwords are stored.
    static func count(_ profile: ProfileFolder) throws(ImportError) -> Int {
        guard let bytes = try profile.contents(file) else { return 0 }
        return try lend(bytes) { (bytes) throws(ImportError) -> Int in try places(bytes).logins.count }
    }

    /// Reads all of them.
    static func read(
        _ profile: ProfileFolder, password: SecretBytes?, _ take: (ImportEvent) throws(ImportError) -> Void
    ) throws(ImportError) {
        guard let bytes = try profile.contents(file) else {
            throw ImportError(.unknownFormat, "the profile has no \(file): Firefox has stored no password in it")
        }
        var leftOut = LeftOut()
        try lend(bytes) { (bytes) throws(ImportError) -> Void in
            guard try !places(bytes).logins.isEmpty else { return }
            let keys = try FirefoxKeys(profile: profile, password: password)
            try read(bytes, &leftOut, take) { keys.open($0) }
        }
        leftOut.add(neverSaved, ("site", "sites"), count: try excepted(profile))
        try leftOut.tell(take)
    }

    /// Lends bytes to what throws errors of one type.
    private static func lend<Result>(
        _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(ImportError) -> Result
    ) throws(ImportError) -> Result {
        let outcome = bytes.withUnsafeBytes { bytes in
            Swift.Result { () throws(ImportError) in try body(bytes) }
        }
        return try outcome.get()
    }

    private static let neverSaved = "Firefox was told never to save passwords of them."

    /// Reads the logins in the text of the file.
    static func read(
        _ bytes: UnsafeRawBufferPointer, _ leftOut: inout LeftOut,
        _ take: (ImportEvent) throws(ImportError) -> Void, _ open: Opening
    ) throws(ImportError) {
        let (logins, disabled) = try places(bytes)
        leftOut.add(neverSaved, ("site", "sites"), count: disabled)
        var number = 0
        for place in logins {
            number += 1
            let value = try reading { () throws(DocumentError) in try JSONScanner.values(at: [place], in: bytes).first }
            guard let login = value?.object else {
                leftOut.add("It is no login of Firefox.")
                continue
            }
            if let record = record(login, number, &leftOut, open) { try take(.record(record)) }
        }
    }

    private static func record(
        _ login: JSONObject, _ number: Int, _ leftOut: inout LeftOut, _ open: Opening
    ) -> ImportedRecord? {
        let url = login.publicText("hostname")
        guard !url.hasPrefix("chrome://FirefoxAccounts") else {
            leftOut.add("These are keys of Firefox itself, and no password of a site.", ("entry", "entries"))
            return nil
        }
        guard login["encType"]?.integer ?? 1 == 1 else {
            leftOut.add("It is encrypted in a way that Keyway doesn't know. Export the passwords in Firefox.")
            return nil
        }
        guard let user = login.text("encryptedUsername").flatMap(open),
            let password = login.text("encryptedPassword").flatMap(open)
        else {
            leftOut.add("It can't be decrypted with the keys of this profile.")
            return nil
        }
        guard user.withUnsafeBytes(Unicode.isText), password.withUnsafeBytes(Unicode.isText) else {
            leftOut.add("What is stored is no text.")
            return nil
        }
        guard !password.isEmpty else {
            leftOut.add("No password is stored.", ("account", "accounts"))
            return nil
        }
        var record = ImportedRecord(place: "login \(number)")
        record.title = url.host
        record.add(url: url)
        record.userName = user.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        record.password = password.withUnsafeBytes { SecretText(copying: $0) }
        record.isForHTTP = login["httpRealm"]?.publicText != nil
        record.created = time(login["timeCreated"]?.integer)
        record.modified = time(login["timePasswordChanged"]?.integer)
        return record
    }

    private static func time(_ milliseconds: Int64?) -> Int64? {
        milliseconds.flatMap { $0 > 0 ? $0 / 1000 : nil }
    }

    // MARK: - Files

    /// Where the logins stand, and how many sites are excepted in the file itself, as in former versions.
    private static func places(
        _ bytes: UnsafeRawBufferPointer
    ) throws(ImportError) -> (logins: [Range<Int>], disabled: Int) {
        try reading { () throws(DocumentError) in
            let text = try checkedText(bytes)
            guard let outline = try JSONOutline(text, leaving: ["logins", "disabledHosts"]) else { return ([], 0) }
            func elements(_ name: String) throws(DocumentError) -> [Range<Int>] {
                guard let place = outline.places[name] else { return [] }
                return try JSONOutline.elements(at: place, in: text) ?? []
            }
            return (try elements("logins"), try elements("disabledHosts").count)
        }
    }

    /// How many sites are excepted. A profile without that database has none; one that can't be read loses nobody a password.
    private static func excepted(_ profile: ProfileFolder) throws(ImportError) -> Int {
        guard profile.hasFile(permissions), let database = try? DatabaseImage.open(permissions, in: profile) else {
            return 0
        }
        let sql = """
            SELECT count(DISTINCT origin) FROM moz_perms WHERE type = 'login-saving' AND permission = 2
            AND 'table' = (SELECT type FROM sqlite_master WHERE name = 'moz_perms')
            """
        return Int(clamping: (try? database.integer(sql)) ?? 0)
    }

    private static func reading<Result>(_ body: () throws(DocumentError) -> Result) throws(ImportError) -> Result {
        do {
            return try body()
        } catch {
            let isTooLarge = error.code == .tooLarge || error.code == .tooDeep
            throw ImportError(isTooLarge ? .tooLarge : .damaged, "\(file) in the profile: \(error.detail)", error.place)
        }
    }
}
