package import KeywayCrypto

/// `otpauth-migration://offline?data=…`: several accounts at once, as Google Authenticator exports them, in one link or
/// spread over several.
package struct MigrationLink: Sendable, Equatable {
    /// Which of several links this is.
    package struct Batch: Sendable, Equatable {
        /// How many there are, and which of them this is, counted from 0.
        package let size, index: Int32
        /// What is the same in all of them.
        package let identifier: Int32
    }

    /// The scheme of such links.
    package static let scheme = "otpauth-migration"
    /// The most bytes of a link; a QR code holds fewer than 3000.
    package static let longest = 65_536
    /// The most accounts of a link.
    package static let mostAccounts = 512

    /// The accounts, in their order. Their names are as the link has them, with or without the issuer's before a colon.
    package let setups: [CodeSetup]
    /// Which of several links this is.
    package let batch: Batch

    /// Reads a link.
    ///
    /// - Throws: ``OneTimeCodeError`` with what is wrong with it; nothing is read of a link with one wrong account.
    package init(_ text: UnsafeRawBufferPointer) throws(OneTimeCodeError) {
        guard text.count <= Self.longest else { throw OneTimeCodeError(.tooLong, "link of \(text.count) bytes") }
        guard let link = LinkText(LinkText.trimmed(text), scheme: Self.scheme),
            LinkText.equal(link.path.prefix { $0 != UInt8(ascii: "/") }, "offline"), let data = link.value("data")
        else { throw OneTimeCodeError(.malformedLink, "no migration link") }
        let base64 = SecretBytes(upTo: data.count) { room in
            // A plus that was not escaped came to be a blank on its way.
            var (count, unescaped) = (0, Unescaped(data[...]))
            while let next = unescaped.next() {
                room[count] = next == UInt8(ascii: " ") ? UInt8(ascii: "+") : next
                count += 1
            }
            return count
        }
        guard let message = SecretBytes(base64: base64) else { throw OneTimeCodeError(.malformedLink, "no Base64") }
        (setups, batch) = try message.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try Self.payload(bytes) }
    }

    /// The same of bytes that are kept secret.
    package init(_ text: SecretBytes) throws(OneTimeCodeError) {
        self = try text.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try MigrationLink(bytes) }
    }

    private static func payload(_ message: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> ([CodeSetup], Batch) {
        var reader = WireReader(message)
        var setups: [CodeSetup] = []
        var (size, index, identifier) = (Int32(1), Int32(0), Int32(0))
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let account)):
                guard setups.count < mostAccounts else { throw OneTimeCodeError(.tooLong, "accounts") }
                setups.append(try setup(account))
            case (3, .number(let number)): size = Int32(truncatingIfNeeded: number)
            case (4, .number(let number)): index = Int32(truncatingIfNeeded: number)
            case (5, .number(let number)): identifier = Int32(truncatingIfNeeded: number)
            case (1, _), (3, _), (4, _), (5, _): throw OneTimeCodeError(.malformedLink, "type of a field")
            default: break
            }
        }
        guard !setups.isEmpty else { throw OneTimeCodeError(.malformedLink, "no account") }
        return (setups, Batch(size: size, index: index, identifier: identifier))
    }

    private static func setup(_ message: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> CodeSetup {
        var reader = WireReader(message)
        var secret: SecretBytes?
        var (name, issuer) = ("", "")
        var (algorithm, digits, type, counter) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let bytes)):
                guard bytes.count <= Base32.longestSecret else { throw OneTimeCodeError(.tooLong, "secret") }
                secret = SecretBytes(copying: bytes)
            case (2, .bytes(let bytes)): name = String(decoding: bytes.prefix(4096), as: UTF8.self)
            case (3, .bytes(let bytes)): issuer = String(decoding: bytes.prefix(4096), as: UTF8.self)
            case (4, .number(let number)): algorithm = number
            case (5, .number(let number)): digits = number
            case (6, .number(let number)): type = number
            case (7, .number(let number)): counter = number
            case (1...7, _): throw OneTimeCodeError(.malformedLink, "type of a field")
            default: break
            }
        }
        guard let secret else { throw OneTimeCodeError(.malformedSecret, "no secret") }
        return try CodeSetup(
            issuer: issuer, labelIssuer: "", account: name,
            recipe: CodeRecipe(
                kind(type, counter), secret: secret, algorithm: self.algorithm(algorithm), digits: self.digits(digits)))
    }

    private static func kind(_ type: UInt64, _ counter: UInt64) throws(OneTimeCodeError) -> CodeRecipe.Kind {
        switch type {
        case 0, 2: return .time(period: CodeRecipe.usualPeriod)
        case 1:
            guard counter <= UInt64(Int64.max) else { throw OneTimeCodeError(.invalidParameter, "counter") }
            return .counter(counter)
        default: throw OneTimeCodeError(.unsupportedKind, "another type of codes")
        }
    }

    private static func algorithm(_ number: UInt64) throws(OneTimeCodeError) -> CodeAlgorithm {
        switch number {
        case 0, 1: .sha1
        case 2: .sha256
        case 3: .sha512
        default: throw OneTimeCodeError(.unsupportedAlgorithm, "another algorithm")
        }
    }

    private static func digits(_ number: UInt64) throws(OneTimeCodeError) -> Int {
        switch number {
        case 0, 1: 6
        case 2: 8
        default: throw OneTimeCodeError(.invalidParameter, "digits")
        }
    }
}
