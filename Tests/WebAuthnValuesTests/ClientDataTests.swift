import Testing

@testable import WebAuthnValues

struct ClientDataTests {
    private static func text(_ frame: ClientData.Frame, origin: String = "https://a.example") -> String {
        let data = ClientData(ceremony: .get, challenge: [0xFB, 0xFF], origin: origin, frame: frame)
        return String(decoding: data.json, as: UTF8.self)
    }

    @Test(arguments: [
        (ClientData.Frame.sameOrigin, "false}"), (.crossOrigin(top: nil), "true}"),
        (.crossOrigin(top: "https://b.example"), #"true,"topOrigin":"https://b.example"}"#),
    ])
    func endsWithWhereTheDocumentStands(frame: ClientData.Frame, end: String) {
        let start = #"{"type":"webauthn.get","challenge":"-_8","origin":"https://a.example","crossOrigin":"#
        #expect(Self.text(frame) == start + end)
    }

    /// One way to write each character (CCDToString).
    @Test(arguments: [
        ("\"", #"\""#), ("\\", #"\\"#), ("\u{0}", #"\u0000"#), ("\n", #"\u000a"#), ("\u{1F}", #"\u001f"#),
        ("\u{7F}", "\u{7F}"), ("/", "/"), ("ü", "ü"), ("\u{2028}", "\u{2028}"), ("\u{10FFFF}", "\u{10FFFF}"),
        ("e\u{301}", "e\u{301}"), ("\r\n", #"\u000d\u000a"#),
    ])
    func writesCharacters(character: String, written: String) {
        let text = Self.text(.sameOrigin, origin: character)
        #expect(Array(text.utf8).count == Self.text(.sameOrigin, origin: "").utf8.count + written.utf8.count)
        #expect(
            text.unicodeScalars.elementsEqual(
                Self.text(.sameOrigin, origin: "§").unicodeScalars.flatMap {
                    $0 == "§" ? Array(written.unicodeScalars) : [$0]
                }))
    }

    private static func isVerified(
        _ json: String, ceremony: ClientData.Ceremony = .get, challenge: [UInt8] = [0xFB, 0xFF],
        origin: String = "https://a.example", top: String? = nil, requiresTop: Bool = false
    ) -> Bool {
        ClientData.isVerified(
            Array(json.utf8), ceremony: ceremony, challenge: challenge, origin: origin, top: top,
            requiresTop: requiresTop)
    }

    @Test func theLimitedVerificationTakesWhatWeWriteAndNothingElse() {
        let json = Self.text(.sameOrigin)
        #expect(Self.isVerified(json))
        #expect(Self.isVerified(json.dropLast() + #","more":1}"#))
        #expect(!Self.isVerified(json, ceremony: .create))
        #expect(!Self.isVerified(json, challenge: [0xFB]))
        #expect(!Self.isVerified(json, origin: "https://b.example"))
        #expect(!Self.isVerified(json, top: "https://b.example"))
        #expect(!Self.isVerified(String(json.dropLast())))
        #expect(!Self.isVerified(json.dropLast() + " }"))
        #expect(!Self.isVerified(""))
        #expect(!Self.isVerified(" " + json))
    }

    @Test func theTopOriginMayBeLeftOutUnlessItIsRequired() {
        let with = Self.text(.crossOrigin(top: "https://b.example"))
        let without = Self.text(.crossOrigin(top: nil))
        #expect(Self.isVerified(with, top: "https://b.example", requiresTop: true))
        #expect(Self.isVerified(with, top: "https://b.example"))
        #expect(!Self.isVerified(with, top: "https://c.example"))
        #expect(Self.isVerified(without, top: "https://b.example"))
        #expect(!Self.isVerified(without, top: "https://b.example", requiresTop: true))
        #expect(!Self.isVerified(without))
    }
}
