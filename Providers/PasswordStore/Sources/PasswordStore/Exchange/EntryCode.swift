import AuthenticationServices

/// A link for codes of an entry, as other managers take it: by time as such, anything else as a link.
struct EntryCode {
    /// What a manager makes codes of.
    private(set) var code: ASImportableCredential.TOTP?
    /// The link, where there is no other way to hand it over.
    private(set) var link: String?
    /// What the person should know of it.
    private(set) var notice: String?

    /// Reads the link that stands at `place`.
    init(_ contents: SecretBuffer, _ place: Range<Int>) {
        let text = contents.text(place) ?? ""
        guard let read = try? CodeLink(contents, at: place), let parts = URLComponents(string: text),
            !Self.items(parts).contains(where: { $0.name == "encoder" })
        else {
            link = text
            return
        }
        switch read.kind {
        case .time(let period):
            guard let period = UInt16(exactly: period) else {
                link = text
                return
            }
            code = Self.code(read, period, parts)
        case .counter(let last, let digits):
            // pass keeps the counter of the last code, everybody else that of the next one.
            guard last < UInt64(Int64.max), let head = contents.text(place.lowerBound..<digits.lowerBound),
                let tail = contents.text(digits.upperBound..<place.upperBound)
            else {
                link = text
                return
            }
            link = "\(head)\(last + 1)\(tail)"
            notice = "Its codes are counted: make them with only one of the two providers from now on."
        }
    }

    private static func code(_ read: CodeLink, _ period: UInt16, _ parts: URLComponents) -> ASImportableCredential.TOTP
    {
        let label = parts.path.hasPrefix("/") ? String(parts.path.dropFirst()) : parts.path
        let colon = label.firstIndex(of: ":")
        let account = colon.map { String(label[label.index(after: $0)...]) } ?? label
        let issuer = items(parts).first { $0.name == "issuer" }?.value ?? colon.map { String(label[..<$0]) }
        return .init(
            secret: read.key.withBytes { Data($0) }, period: period, digits: UInt16(read.digits),
            userName: account.trimmingCharacters(in: .whitespaces).nonEmpty, algorithm: read.algorithm.exchanged,
            issuer: issuer?.nonEmpty)
    }

    private static func items(_ parts: URLComponents) -> [URLQueryItem] { parts.queryItems ?? [] }

    /// The link of a code by time, as pass-otp reads it; what is usual is left out.
    static func link(_ code: ASImportableCredential.TOTP) -> String {
        let issuer = code.issuer ?? ""
        let label = [issuer.contains(":") ? "" : issuer, code.userName ?? ""].filter { !$0.isEmpty }
            .map(escaped).joined(separator: ":")
        var link = "otpauth://totp/\(label)?secret=\(Base32.encode(code.secret))"
        if !issuer.isEmpty { link += "&issuer=\(escaped(issuer))" }
        if code.algorithm != .sha1 { link += "&algorithm=\(code.algorithm.rawValue.uppercased())" }
        if code.digits != 6 { link += "&digits=\(code.digits)" }
        if code.period != 30 { link += "&period=\(code.period)" }
        return link
    }

    /// A link for counted codes as pass-otp keeps it: with the counter of the last code. Nil where it is none.
    ///
    /// Where no code was made yet, the first one is passed over: pass-otp has no counter for that.
    static func countedLink(_ text: String) -> String? {
        let contents = SecretBuffer(text.utf8)
        guard let read = try? CodeLink(contents, at: 0..<contents.count),
            case .counter(let next, let digits) = read.kind,
            let head = contents.text(0..<digits.lowerBound),
            let tail = contents.text(digits.upperBound..<contents.count)
        else { return nil }
        return "\(head)\(next == 0 ? 0 : next - 1)\(tail)"
    }

    private static func escaped(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

extension MessageCode {
    /// As the exchange names it.
    fileprivate var exchanged: ASImportableCredential.TOTP.Algorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}

extension Base32 {
    /// The text that stands for `bytes`, without padding.
    static func encode(_ bytes: Data) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (text, held, count) = ("", UInt32(0), 0)
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(held >> UInt32(count) & 31)])
            }
            held &= 1 << UInt32(count) - 1
        }
        if count > 0 { text.append(alphabet[Int(held << UInt32(5 - count) & 31)]) }
        return text
    }
}

extension String {
    /// The text, or nil where there is none.
    var nonEmpty: String? { isEmpty ? nil : self }
}
