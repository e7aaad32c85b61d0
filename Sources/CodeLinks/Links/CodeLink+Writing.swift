package import KeywayCrypto

extension CodeSetup {
    /// The link that every authenticator reads: what is usual is left out, since some read nothing else.
    ///
    /// Read again it gives the same codes for the same issuer and account; where nothing stood before the account, the
    /// issuer does.
    package var link: SecretBytes {
        SecretBytes(upTo: 3 * (2 * Self.longestName + 2 * Base32.longestSecret) + 256) { room in
            var writer = LinkWriter(room)
            write(&writer)
            return writer.count
        }
    }

    private func write(_ writer: inout LinkWriter) {
        switch recipe.kind {
        case .time: writer.append("otpauth://totp/")
        case .counter: writer.append("otpauth://hotp/")
        case .steam: writer.append("otpauth://steam/")
        }
        // The first colon ends the issuer's name, wherever it comes from.
        let prefix = [labelIssuer, issuer].first { !$0.isEmpty && !$0.unicodeScalars.contains(":") } ?? ""
        if !prefix.isEmpty || account.unicodeScalars.contains(":") {
            writer.append(escaping: prefix)
            writer.append(":")
        }
        writer.append(escaping: account)
        writer.append("?secret=")
        Base32.write(recipe.secret) { writer.append($0) }
        if !issuer.isEmpty {
            writer.append("&issuer=")
            writer.append(escaping: issuer)
        }
        guard recipe.kind != .steam else { return }
        if recipe.algorithm != .sha1 { writer.append("&algorithm=\(recipe.algorithm.rawValue)") }
        // Left out with that name, the digits would say that the codes are Steam's.
        if recipe.digits != CodeRecipe.usualDigits || [issuer, prefix].contains("Steam") {
            writer.append("&digits=\(recipe.digits)")
        }
        switch recipe.kind {
        case .time(CodeRecipe.usualPeriod), .steam: break
        case .time(let period): writer.append("&period=\(period)")
        case .counter(let counter): writer.append("&counter=\(counter)")
        }
    }
}

/// Writes into room that is known to suffice.
private struct LinkWriter {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ room: UnsafeMutableRawBufferPointer) {
        self.room = room
    }

    mutating func append(_ byte: UInt8) {
        room[count] = byte
        count += 1
    }

    mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }

    /// With everything escaped that is not unreserved (RFC 3986, section 2.3).
    mutating func append(escaping text: String) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                append(byte)
            default:
                append(UInt8(ascii: "%"))
                append(digits[Int(byte >> 4)])
                append(digits[Int(byte & 15)])
            }
        }
    }
}
