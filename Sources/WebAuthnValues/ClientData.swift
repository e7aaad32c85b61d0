/// The client data of a ceremony, which the trusted side writes, never the page (WebAuthn Level 3, section 5.8.1).
package struct ClientData: Hashable, Sendable {
    /// Which ceremony it is for.
    package enum Ceremony: String, Hashable, Sendable, CaseIterable {
        /// Registration.
        case create = "webauthn.create"
        /// Signing in.
        case get = "webauthn.get"
    }

    /// Where the document that asks stands.
    package enum Frame: Hashable, Sendable {
        /// It is the top document, or has the origin of all documents around it.
        case sameOrigin
        /// It is in a frame of another origin; `top` is the origin of the top document, where that is known.
        case crossOrigin(top: String?)
    }

    /// Which ceremony it is for.
    package let ceremony: Ceremony
    /// What the relying party sent to be signed.
    package let challenge: [UInt8]
    /// The origin that asks, as browsers write it, such as `https://example.org`.
    package let origin: String
    /// Where its document stands.
    package let frame: Frame

    /// Makes client data of facts that were seen to.
    package init(ceremony: Ceremony, challenge: [UInt8], origin: String, frame: Frame) {
        self.ceremony = ceremony
        self.challenge = challenge
        self.origin = origin
        self.frame = frame
    }

    /// The serialization (section 5.8.1.1), byte for byte: verifiers may compare it without reading JSON. Its SHA-256 is
    /// what an authenticator signs.
    package var json: [UInt8] {
        var text = Self.start(ceremony, challenge, origin)
        switch frame {
        case .sameOrigin:
            text += "false"
        case .crossOrigin(let top):
            text += "true"
            if let top { text += Self.topOriginKey + Self.quoted(top) }
        }
        return Array((text + "}").utf8)
    }

    /// The limited verification (section 5.8.1.2): whether `json` was written for these facts, by whichever client.
    ///
    /// `top` is nil where a frame of another origin is not expected. Unless `requiresTop`, clients of Level 2 pass, which
    /// tell of such a frame without saying where it is.
    package static func isVerified(
        _ json: [UInt8], ceremony: Ceremony, challenge: [UInt8], origin: String, top: String? = nil,
        requiresTop: Bool = false
    ) -> Bool {
        var expected = Array(start(ceremony, challenge, origin).utf8)
        if let top {
            expected += "true".utf8
            if requiresTop || json.dropFirst(expected.count).starts(with: topOriginKey.utf8) {
                expected += (topOriginKey + quoted(top)).utf8
            }
        } else {
            expected += "false".utf8
        }
        guard json.starts(with: expected), json.count > expected.count else { return false }
        return json[expected.count] == UInt8(ascii: "}") || json[expected.count] == UInt8(ascii: ",")
    }

    private static let topOriginKey = #","topOrigin":"#

    /// Everything up to the value of `crossOrigin`.
    private static func start(_ ceremony: Ceremony, _ challenge: [UInt8], _ origin: String) -> String {
        #"{"type":"# + quoted(ceremony.rawValue) + #","challenge":"# + quoted(Base64URL.text(of: challenge))
            + #","origin":"# + quoted(origin) + #","crossOrigin":"#
    }

    /// The function that the specification calls CCDToString: JSON's string with one way to write each character.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += #"\""#
            case "\\": result += #"\\"#
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                result += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
