/// An `otpauth:` link: how an entry's one-time codes are made.
struct CodeLink: Sendable {
    /// How the codes move on.
    enum Kind: Equatable, Sendable {
        /// With the time (RFC 6238), every so many seconds.
        case time(period: UInt64)
        /// With every code (RFC 4226). The counter is that of the last code, as pass-otp keeps it, and stands at `place`.
        case counter(UInt64, place: Range<Int>)
    }

    /// How the codes move on.
    let kind: Kind
    /// How many digits a code has: 6, 7 or 8.
    let digits: Int
    /// The hash.
    let algorithm: MessageCode
    /// The shared key.
    let key: SecretBuffer

    /// Reads the link that stands at `place` in `contents`.
    ///
    /// - Throws: ``StoreError/noCode(_:)`` with what is wrong with it.
    init(_ contents: SecretBuffer, at place: Range<Int>) throws(StoreError) {
        let parts: CodeLinkParts? = contents.withBytes { CodeLinkParts($0, place) }
        guard let parts else { throw .noCode("The entry's otpauth: link is none for one-time codes.") }
        guard let key = parts.key else { throw .noCode("The secret in the entry's otpauth: link is no Base32.") }
        self.key = key
        guard let algorithm = MessageCode(rawValue: parts.algorithm?.uppercased() ?? "SHA1") else {
            throw .noCode("The entry's otpauth: link wants an algorithm that is not known.")
        }
        self.algorithm = algorithm
        guard let digits = Int(parts.digits ?? "6"), (6...8).contains(digits) else {
            throw .noCode("The entry's otpauth: link wants codes of other than 6 to 8 digits.")
        }
        self.digits = digits
        if parts.isCounter {
            guard let counter = parts.counter.flatMap({ UInt64($0) }), counter < .max else {
                throw .noCode("The entry's otpauth: link has no counter.")
            }
            kind = .counter(counter, place: parts.counterPlace)
        } else {
            guard let period = UInt64(parts.period ?? "30"), (1...86_400).contains(period) else {
                throw .noCode("The entry's otpauth: link has no usable period.")
            }
            kind = .time(period: period)
        }
    }

    /// The code at a time, in seconds since 1970; for a counter, the next one.
    ///
    /// - Throws: ``StoreError/noCode(_:)`` when the library refuses the algorithm.
    func code(at seconds: UInt64) throws(StoreError) -> String {
        switch kind {
        case .time(let period): try code(for: seconds / period)
        case .counter(let last, _): try code(for: last + 1)
        }
    }

    /// The code for a moving factor (RFC 4226, section 5.3).
    func code(for factor: UInt64) throws(StoreError) -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: factor >> (56 - 8 * UInt64($0))) }
        guard let hash = algorithm.code(of: message, key: key), let last = hash.last else {
            throw .noCode("\(algorithm.rawValue) is not allowed on this machine.")
        }
        let offset = Int(last & 0xF)
        let four = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let bound = (0..<digits).reduce(UInt32(1)) { bound, _ in bound * 10 }
        let text = String(four % bound)
        return String(repeating: "0", count: digits - text.count) + text
    }
}

/// The parts of a link, as they stand there.
private struct CodeLinkParts {
    private(set) var isCounter = false
    private(set) var key: SecretBuffer?
    private(set) var algorithm: String?
    private(set) var digits: String?
    private(set) var period: String?
    private(set) var counter: String?
    private(set) var counterPlace = 0..<0

    /// The parts of `otpauth://totp/LABEL?secret=…&…`; nil when it begins otherwise or has no secret.
    init?(_ bytes: UnsafeRawBufferPointer, _ place: Range<Int>) {
        let link = bytes[place]
        guard link.starts(with: "otpauth://".utf8) else { return nil }
        let kind = link.dropFirst(10).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        switch String(decoding: kind, as: UTF8.self) {
        case "totp": isCounter = false
        case "hotp": isCounter = true
        default: return nil
        }
        guard let question = link.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        var hasSecret = false
        for parameter in link[(question + 1)...].split(separator: UInt8(ascii: "&")) {
            guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = parameter[(equals + 1)...]
            switch String(decoding: parameter[..<equals], as: UTF8.self) {
            case "secret":
                hasSecret = true
                key = Base32.decode(Unescaped(value))
            case "algorithm": algorithm = String(decoding: Unescaped(value).map { $0 }, as: UTF8.self)
            case "digits": digits = String(decoding: value, as: UTF8.self)
            case "period": period = String(decoding: value, as: UTF8.self)
            case "counter":
                counter = String(decoding: value, as: UTF8.self)
                counterPlace = value.startIndex..<value.endIndex
            default: break
            }
        }
        guard hasSecret else { return nil }
    }
}

/// Bytes with every `%41` read as the byte it stands for.
private struct Unescaped: Sequence, IteratorProtocol {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: Slice<UnsafeRawBufferPointer>) {
        rest = bytes
    }

    mutating func next() -> UInt8? {
        guard let first = rest.popFirst() else { return nil }
        guard first == UInt8(ascii: "%"), let high = rest.first.flatMap(Self.digit),
            let low = rest.dropFirst().first.flatMap(Self.digit)
        else { return first }
        rest = rest.dropFirst(2)
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
