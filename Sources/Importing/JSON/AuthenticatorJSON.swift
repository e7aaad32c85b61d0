import CodeLinks
import KeywayCrypto
import OtherCiphers
import SecretDocuments

/// Codes as authenticators write them: a secret and its parameters, whatever these are called.
struct AuthenticatorEntry {
    var type = "totp"
    var issuer = ""
    var account = ""
    var secret: SecretBytes?
    var algorithm = "SHA1"
    var digits: Int64?
    var period: Int64?
    var counter: Int64?

    /// The record that it is.
    func outcome(_ record: ImportedRecord) -> CSVOutcome {
        do {
            let setup = try setup()
            var record = record
            record.title = setup.issuer.isEmpty ? setup.account : setup.issuer
            record.userName = setup.account
            record.codes = [setup]
            return .record(record)
        } catch {
            return .skipped(error.words)
        }
    }

    private func setup() throws(OneTimeCodeError) -> CodeSetup {
        let kind: CodeRecipe.Kind
        switch type.lowercased() {
        case "totp": kind = .time(period: UInt32(clamping: period ?? Int64(CodeRecipe.usualPeriod)))
        case "hotp":
            guard let counter, counter >= 0 else { throw OneTimeCodeError(.invalidParameter, "counter") }
            kind = .counter(UInt64(counter))
        case "steam": kind = .steam
        default: throw OneTimeCodeError(.unsupportedKind, "another type of codes")
        }
        guard let secret else { throw OneTimeCodeError(.malformedSecret, "no secret") }
        let name = algorithm.uppercased().filter { $0 != "-" }.replacingPrefix("HMAC")
        guard let algorithm = CodeAlgorithm(rawValue: name) else {
            throw OneTimeCodeError(.unsupportedAlgorithm, "another algorithm")
        }
        let recipe = try CodeRecipe(
            kind, secret: secret, algorithm: algorithm, digits: Int(clamping: digits ?? Int64(CodeRecipe.usualDigits)))
        return try CodeSetup(issuer: issuer, account: account, recipe: recipe)
    }

    /// The bytes of a secret in Base32; nil for what is none.
    static func base32(_ text: SecretText?) -> SecretBytes? {
        text?.withUnsafeBytes { try? Base32.secret(in: $0) }
    }
}

/// Aegis.
enum AegisJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        guard let outline = try JSONOutline(bytes, leaving: ["db"]), let place = outline.places["db"] else {
            throw ImportFormat.unknown
        }
        if let vault = try JSONOutline(bytes, at: place, leaving: ["entries"]) { return try read(vault, bytes, take) }
        // An encrypted vault is text.
        var file = outline.object
        file["db"] = try JSONScanner.values(at: [place], in: bytes).first
        let content = try AegisEncryption.content(
            of: file, password: source.password, limits: DerivationLimits(memory: source.derivationMemory))
        try content.withUnsafeBytes { content in
            let text = try checkedText(content)
            guard let vault = try JSONOutline(text, leaving: ["entries"]) else {
                throw ImportError(.damaged, "the encrypted part of the file is damaged")
            }
            try read(vault, text, take)
        }
    }

    private static func read(_ vault: JSONOutline, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        let groups = Dictionary(
            vault.object.objects("groups").map { ($0.publicText("uuid"), $0.publicText("name")) }
        ) { first, _ in first }
        try JSONFormat.each(of: vault.places["entries"], in: bytes, take) { item, record in
            let info = item.object("info")
            var record = record
            record.set(notes: item.text("note"))
            record.isFavorite = item["favorite"]?.boolean ?? false
            let group = item["groups"]?.elements?.first?.publicText.flatMap { groups[$0] } ?? item.publicText("group")
            record.folder = [group].filter { !$0.isEmpty }
            return AuthenticatorEntry(
                type: item.publicText("type"), issuer: item.publicText("issuer"), account: item.publicText("name"),
                secret: AuthenticatorEntry.base32(info.text("secret")), algorithm: info.publicText("algo"),
                digits: info["digits"]?.integer, period: info["period"]?.integer, counter: info["counter"]?.integer
            ).outcome(record)
        }
    }
}

/// 2FAS.
enum TwoFASJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        guard let outline = try JSONOutline(bytes, leaving: ["services"]) else { throw ImportFormat.unknown }
        let groups = Dictionary(
            outline.object.objects("groups").map { ($0.publicText("id"), $0.publicText("name")) }
        ) { first, _ in first }
        guard outline.object.filled("servicesEncrypted") != nil else {
            return try read(outline.places["services"], groups, bytes, take)
        }
        let content = try TwoFASEncryption.services(of: outline.object, password: source.password)
        try content.withUnsafeBytes { content in
            let text = try checkedText(content)
            var scanner = JSONScanner(text)
            let place = try scanner.skip()
            try scanner.end()
            try read(place, groups, text, take)
        }
    }

    private static func read(
        _ place: Range<Int>?, _ groups: [String: String], _ bytes: UnsafeRawBufferPointer, _ take: ImportSink
    ) throws {
        try JSONFormat.each(of: place, in: bytes, take) { item, record in
            let otp = item.object("otp")
            var record = record
            record.folder = [groups[item.publicText("groupId")] ?? ""].filter { !$0.isEmpty }
            let (issuer, type) = (otp.publicText("issuer"), otp.publicText("tokenType"))
            return AuthenticatorEntry(
                type: type.isEmpty ? "totp" : type, issuer: issuer.isEmpty ? item.publicText("name") : issuer,
                account: otp.publicText("account"), secret: AuthenticatorEntry.base32(item.text("secret")),
                algorithm: otp.filled("algorithm")?.publicText ?? "SHA1", digits: otp["digits"]?.integer,
                period: otp["period"]?.integer, counter: otp["counter"]?.integer
            ).outcome(record)
        }
    }
}

/// andOTP.
enum AndOTPJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        var scanner = JSONScanner(bytes)
        let place = try scanner.skip()
        try scanner.end()
        try JSONFormat.each(of: place, in: bytes, take) { item, record in
            var record = record
            record.tags = (item["tags"]?.elements ?? []).compactMap(\.publicText)
            return AuthenticatorEntry(
                type: item.publicText("type"), issuer: item.publicText("issuer"), account: item.publicText("label"),
                secret: AuthenticatorEntry.base32(item.text("secret")), algorithm: item.publicText("algorithm"),
                digits: item["digits"]?.integer, period: item["period"]?.integer, counter: item["counter"]?.integer
            ).outcome(record)
        }
    }
}

/// FreeOTP+, whose secrets are lists of signed bytes.
enum FreeOTPJSON {
    @Sendable
    static func read(_ source: ImportSource, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink) throws {
        guard let outline = try JSONOutline(bytes, leaving: ["tokens"]) else { throw ImportFormat.unknown }
        try JSONFormat.each(of: outline.places["tokens"], in: bytes, take) { item, record in
            // It writes the counter of the code before.
            let counter = item["counter"]?.integer.flatMap { $0 < Int64.max ? $0 + 1 : nil }
            let issuer = item.publicText("issuerExt")
            return AuthenticatorEntry(
                type: item.publicText("type"), issuer: issuer.isEmpty ? item.publicText("issuerInt") : issuer,
                account: item.publicText("label"), secret: secret(item["secret"]?.elements ?? []),
                algorithm: item.publicText("algo"), digits: item["digits"]?.integer, period: item["period"]?.integer,
                counter: counter
            ).outcome(record)
        }
    }

    private static func secret(_ elements: [JSONValue]) -> SecretBytes? {
        guard !elements.isEmpty, elements.allSatisfy({ (-128...255).contains($0.integer ?? 1000) }) else { return nil }
        return SecretBytes(count: elements.count) { room in
            for (index, element) in elements.enumerated() {
                room[index] = UInt8(truncatingIfNeeded: element.integer ?? 0)
            }
        }
    }
}
