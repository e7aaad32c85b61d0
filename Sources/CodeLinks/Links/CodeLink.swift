package import KeywayCrypto

/// Links that set one-time codes up: `otpauth:` as published for Google Authenticator and as others vary it,
/// `apple-otpauth:` and `steam:`.
///
/// `otpauth://TYPE/LABEL?secret=…&issuer=…&algorithm=…&digits=…&period=…&counter=…`. The first of a repeated parameter
/// counts; parameters that are not known are passed over.
package enum CodeLink {
    /// The most bytes of a link.
    package static let longest = 8192

    /// The schemes of such links.
    package static let schemes = ["otpauth", "apple-otpauth", "steam"]

    /// Reads a link.
    ///
    /// - Throws: ``OneTimeCodeError`` with what is wrong with it.
    package static func setup(in text: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> CodeSetup {
        guard text.count <= longest else { throw OneTimeCodeError(.tooLong, "link of \(text.count) bytes") }
        let text = LinkText.trimmed(text)
        if let link = LinkText(text, scheme: "otpauth") { return try setup(link, isApples: false) }
        if let link = LinkText(text, scheme: "apple-otpauth") { return try setup(link, isApples: true) }
        if let link = LinkText(text, scheme: "steam") {
            return try CodeSetup(recipe: CodeRecipe(.steam, secret: secret(link.path)))
        }
        throw OneTimeCodeError(.malformedLink, "another scheme")
    }

    /// The same of bytes that are kept secret.
    package static func setup(in text: SecretBytes) throws(OneTimeCodeError) -> CodeSetup {
        try text.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try setup(in: bytes) }
    }

    private static func setup(_ link: LinkText, isApples: Bool) throws(OneTimeCodeError) -> CodeSetup {
        let path = link.path
        let type = path.prefix { $0 != UInt8(ascii: "/") }
        let kind = try kind(type, link, isApples: isApples)
        guard let encoded = link.value("secret") else { throw OneTimeCodeError(.malformedSecret, "no secret") }
        let digits = try number(link, "digits").map { Int(clamping: $0) }
        let algorithm = try algorithm(link)
        let (prefix, account) = label(path[type.endIndex...].dropFirst())
        let issuer = link.text("issuer", plusIsBlank: true)
        let isSteam =
            kind == nil || link.text("encoder")?.lowercased() == "steam"
            // As Steam's own app writes it: time, and nothing of how its codes differ.
            || isTime(kind) && digits == nil && (issuer ?? prefix) == "Steam"
        return try CodeSetup(
            issuer: issuer ?? prefix, labelIssuer: prefix, account: account,
            recipe: CodeRecipe(
                isSteam ? .steam : kind ?? .steam, secret: secret(encoded), algorithm: algorithm,
                digits: isSteam ? CodeRecipe.steamDigits : digits ?? CodeRecipe.usualDigits))
    }

    private static func isTime(_ kind: CodeRecipe.Kind?) -> Bool {
        if case .time = kind { true } else { false }
    }

    /// How the codes move on; nil for Steam's.
    private static func kind(
        _ type: Slice<UnsafeRawBufferPointer>, _ link: LinkText, isApples: Bool
    ) throws(OneTimeCodeError) -> CodeRecipe.Kind? {
        if LinkText.equal(type, "totp") {
            guard let period = try number(link, "period") else { return .time(period: CodeRecipe.usualPeriod) }
            return .time(period: UInt32(clamping: period))
        }
        guard !isApples else { throw OneTimeCodeError(.unsupportedKind, "Apple's links are for codes by time") }
        if LinkText.equal(type, "hotp") {
            guard let counter = try number(link, "counter") else {
                throw OneTimeCodeError(.invalidParameter, "no counter")
            }
            guard counter <= UInt64(Int64.max) else { throw OneTimeCodeError(.invalidParameter, "counter") }
            return .counter(counter)
        }
        guard LinkText.equal(type, "steam") else { throw OneTimeCodeError(.unsupportedKind, "another type of codes") }
        return nil
    }

    /// `SHA1`, `sha-256`, `HMACSHA512` and the like.
    private static func algorithm(_ link: LinkText) throws(OneTimeCodeError) -> CodeAlgorithm {
        guard let written = link.text("algorithm") else { return .sha1 }
        let name = written.uppercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
        guard let known = CodeAlgorithm(rawValue: name.hasPrefix("HMAC") ? String(name.dropFirst(4)) : name) else {
            throw OneTimeCodeError(.unsupportedAlgorithm, "another algorithm")
        }
        return known
    }

    private static func number(_ link: LinkText, _ name: String) throws(OneTimeCodeError) -> UInt64? {
        guard let written = link.text(name) else { return nil }
        // Nothing but digits, where the initializer takes a sign too.
        guard written.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt64(written)
        else { throw OneTimeCodeError(.invalidParameter, name) }
        return number
    }

    /// `issuer:account`, or the account alone. The colon may be escaped; blanks before the account are dropped.
    private static func label(_ path: Slice<UnsafeRawBufferPointer>) -> (issuer: String, account: String) {
        let label = LinkText.text(path).drop { $0 == " " }
        // By scalars: a colon with a mark on it is one too.
        guard let colon = label.unicodeScalars.firstIndex(of: ":") else { return ("", String(label)) }
        let account = label[colon...].unicodeScalars.dropFirst().drop { $0 == " " }
        return (String(label[..<colon]), String(account))
    }

    private static func secret(_ escaped: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> SecretBytes {
        let text = SecretBytes(upTo: escaped.count) { room in
            var (count, unescaped) = (0, Unescaped(escaped[...]))
            while let next = unescaped.next() {
                room[count] = next
                count += 1
            }
            return count
        }
        return try text.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try Base32.secret(in: bytes) }
    }
}
