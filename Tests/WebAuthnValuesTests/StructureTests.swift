import FoundationEssentials
import Testing

@testable import WebAuthnValues

struct StructureTests {
    private static let hash = [UInt8](repeating: 0x5A, count: 32)
    private static let x = [UInt8](repeating: 1, count: 32)
    private static let y = [UInt8](repeating: 2, count: 32)
    private static let key = bytes("a5 0102 0326 2001 215820") + x + bytes("225820") + y

    private static func registration(
        flags: UInt8 = 0x45, identifier: [UInt8] = [7, 8], key: [UInt8] = key, rest: [UInt8] = []
    ) -> [UInt8] {
        let length = [UInt8(identifier.count >> 8), UInt8(identifier.count & 0xFF)]
        let parts = [hash, [flags, 0, 0, 0, 5], [UInt8](repeating: 9, count: 16), length, identifier, key, rest]
        return parts.flatMap { $0 }
    }

    @Test func takesARegistrationApart() throws {
        let data = try AuthenticatorData(Self.registration())
        #expect(data.relyingPartyHash == Self.hash)
        #expect(data.flags == [.userPresent, .userVerified, .attestedCredential])
        #expect(data.counter == 5)
        #expect(data.credential?.aaguid == [UInt8](repeating: 9, count: 16))
        #expect(data.credential?.identifier == [7, 8])
        #expect(data.credential?.algorithm == -7)
        #expect(data.credential?.publicKey == .p256(x: Self.x, y: Self.y))
        #expect(data.bytes == Self.registration())
    }

    @Test func takesASignatureApart() throws {
        let data = try AuthenticatorData(Self.hash + [0x1D, 0, 0, 1, 0])
        #expect(data.flags == [.userPresent, .userVerified, .backupEligible, .backedUp])
        #expect(data.counter == 256)
        #expect(data.credential == nil)
    }

    @Test func outputsOfExtensionsAreAMapBehindTheKey() throws {
        let data = try AuthenticatorData(Self.registration(flags: 0xC5, rest: bytes("a16161f5")))
        #expect(data.extensions == .map([.text("a"): .bool(true)]))
        #expect(data.bytes == Self.registration(flags: 0xC5, rest: bytes("a16161f5")))
        #expect(throws: MalformedValue("")) {
            try AuthenticatorData(Self.registration(flags: 0xC5, rest: [0x80]))
        }
        #expect(throws: MalformedValue("")) { try AuthenticatorData(Self.registration(flags: 0xC5)) }
    }

    @Test func refusesWhatIsCutOffAnywhere() {
        let whole = Self.registration(flags: 0xC5, rest: bytes("a16161f5"))
        for count in whole.indices {
            #expect(throws: MalformedValue("")) { try AuthenticatorData(whole[..<count]) }
        }
    }

    @Test(arguments: [
        registration(rest: [0]), registration(identifier: []),
        registration(identifier: [UInt8](repeating: 1, count: 1024)),
        // A key that is no map, one without an algorithm, and one whose entries are out of order.
        registration(key: [0]), registration(key: bytes("a10102")), registration(key: bytes("a203260102")),
    ])
    func refusesWhatIsNone(data: [UInt8]) {
        #expect(throws: MalformedValue("")) { try AuthenticatorData(data) }
    }

    @Test func theLongestCredentialIDIsRead() throws {
        let identifier = [UInt8](repeating: 1, count: 1023)
        #expect(try AuthenticatorData(Self.registration(identifier: identifier)).credential?.identifier == identifier)
    }

    static let keys: [(String, PublicKey)] = [
        ("a5 0102 0326 2001 215820", .p256(x: x, y: y)),
        ("a4 0101 0327 2006 215820", .ed25519(x)),
        ("a4 0103 03390100 204102 214103", .rsa(modulus: [2], exponent: [3])),
    ]

    @Test func writesKeysAsCOSEDoes() {
        #expect(Self.keys[0].1.cose.encoded == Self.key)
        #expect(Self.keys[1].1.cose.encoded == bytes(Self.keys[1].0) + Self.x)
        #expect(Self.keys[2].1.cose.encoded == bytes(Self.keys[2].0))
        for (_, key) in Self.keys { #expect(PublicKey(cose: key.cose) == key) }
    }

    @Test(
        arguments: [
            // Another curve, another type, the compressed form, a short coordinate, no algorithm, an unknown algorithm.
            [1: .integer(2), 3: .integer(-7), -1: .integer(2), -2: .bytes(x), -3: .bytes(y)],
            [1: .integer(1), 3: .integer(-7), -1: .integer(1), -2: .bytes(x), -3: .bytes(y)],
            [1: .integer(2), 3: .integer(-7), -1: .integer(1), -2: .bytes(x), -3: .bool(true)],
            [1: .integer(2), 3: .integer(-7), -1: .integer(1), -2: .bytes([1]), -3: .bytes(y)],
            [1: .integer(2), -1: .integer(1), -2: .bytes(x), -3: .bytes(y)],
            [1: .integer(2), 3: .integer(-47), -1: .integer(8), -2: .bytes(x), -3: .bytes(y)],
            // Ed448, and a key for key agreement.
            [1: .integer(1), 3: .integer(-8), -1: .integer(7), -2: .bytes(x)],
            [1: .integer(1), 3: .integer(-8), -1: .integer(4), -2: .bytes(x)],
            [1: .integer(3), 3: .integer(-257), -1: .bytes(x)],
        ] as [[Int: CBORValue]])
    func knowsNoOtherKeys(entries: [Int: CBORValue]) {
        let map = CBORValue.map(Dictionary(uniqueKeysWithValues: entries.map { (.integer($0), $1) }))
        #expect(PublicKey(cose: map) == nil)
    }

    @Test(arguments: [
        "a0", "80", "a363666d74646e6f6e656761747453746d74a068617574684461746140",
        "a363666d74016761747453746d74a068617574684461746140", "a263666d74646e6f6e656761747453746d74a0",
    ])
    func refusesWhatIsNoAttestationObject(digits: String) {
        #expect(throws: MalformedValue("")) { try AttestationObject(bytes(digits)) }
    }

    /// Signed bytes and unsigned ones must not be told apart by what else stands in the object.
    @Test func anAttestationObjectHasThreeEntries() throws {
        let data = CBORValue.bytes(Self.registration())
        var entries: [CBORValue: CBORValue] = [
            .text("fmt"): .text("none"), .text("attStmt"): .map([:]), .text("authData"): data,
        ]
        #expect(try AttestationObject(CBORValue.map(entries).encoded).format == "none")
        entries[.text("epAtt")] = .bool(true)
        #expect(throws: MalformedValue("")) {
            try AttestationObject(CBORValue.map(entries).encoded)
        }
        entries[.text("epAtt")] = nil
        entries[.text("attStmt")] = .text("")
        #expect(throws: MalformedValue("")) {
            try AttestationObject(CBORValue.map(entries).encoded)
        }
    }

    /// RFC 4648, section 10, and what it warns of: bits that nobody reads, padding, the other alphabet, line breaks.
    @Test(arguments: [("", ""), ("66", "Zg"), ("666f", "Zm8"), ("666f6f", "Zm9v"), ("fbff", "-_8")])
    func writesBase64ForAddresses(digits: String, text: String) {
        #expect(Base64URL.text(of: bytes(digits)) == text)
        #expect(Base64URL.bytes(of: text) == bytes(digits))
    }

    @Test(arguments: 0..<70)
    func isBase64InTheOtherAlphabet(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
        let usual = Data(bytes).base64EncodedString().prefix { $0 != "=" }
        #expect(Base64URL.text(of: bytes) == String(usual.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
        #expect(Base64URL.bytes(of: Base64URL.text(of: bytes)) == bytes)
    }

    @Test func ofOthersPaddingIsReadToo() {
        #expect(Base64URL.bytes(ofOthers: "_w==") == [255])
        #expect(Base64URL.bytes(ofOthers: "_x") == [255])
        for wrong in ["/w", "+w", "a", "a b", "ä", "_=w"] { #expect(Base64URL.bytes(ofOthers: wrong) == nil) }
    }

    @Test(arguments: ["Zg==", "Zh", "+/8", "Z", "Zm9v\n", " Zg", "Zg ", "Zü"])
    func readsNoOtherBase64(text: String) {
        #expect(Base64URL.bytes(of: text) == nil)
    }
}
