import FoundationEssentials
import KeywayCrypto
import Testing

@testable import CodeLinks
@testable import OneTimeCodes

/// Links with several accounts.
@Suite struct MigrationLinkTests {
    private struct Account: Decodable {
        let type, name, issuer, secretBase32, algorithm: String
        let digits: Int
        let period: UInt32?
        let counter: UInt64?
    }

    private static func link() throws -> String { try Vectors.lines("generated_migration.txt")[0] }

    @Test func eachAccountIsReadAsExpected() throws {
        let expected = try Vectors.json("generated_migration.expected.json", as: [Account].self)
        let found = try MigrationLink(secretBytes(try Self.link())).setups
        #expect(found.count == 4)
        #expect(expected.count == 4)
        for (setup, account) in zip(found, expected) {
            #expect(setup.recipe.type == account.type)
            #expect(setup.account == account.name)
            #expect(setup.issuer == account.issuer)
            #expect(base32(setup.recipe.secret) == account.secretBase32)
            #expect(setup.recipe.algorithm.rawValue.lowercased() == account.algorithm)
            #expect(setup.recipe.digits == account.digits)
            if setup.recipe.type == "totp" { #expect(setup.recipe.kind == .time(period: account.period ?? 0)) }
            if setup.recipe.type == "hotp" { #expect(setup.recipe.kind == .counter(account.counter ?? 0)) }
        }
    }

    // MARK: - Messages made here

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }

    private static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }

    private static func bytes(_ field: UInt64, _ value: [UInt8]) -> [UInt8] {
        varint(field << 3 | 2) + varint(UInt64(value.count)) + value
    }

    private static let usual = bytes(1, [1, 2, 3, 4, 5])

    private static func link(_ payload: [UInt8], plus: String = "%2B") -> SecretBytes {
        let base64 = Data(payload).base64EncodedString()
        return secretBytes("otpauth-migration://offline?data=" + base64.replacing("+", with: plus))
    }

    private static func read(_ account: [UInt8]) throws -> CodeSetup {
        try MigrationLink(link(bytes(1, account))).setups[0]
    }

    @Test func whatIsNotSaidIsUsual() throws {
        let setup = try Self.read(Self.usual)
        #expect(setup.recipe == (try CodeRecipe(.time(period: 30), secret: SecretBytes(copying: [1, 2, 3, 4, 5]))))
        #expect(setup.issuer.isEmpty && setup.account.isEmpty)
    }

    @Test func fieldsOfLaterVersionsArePassedOver() throws {
        let more = Self.number(9, 7) + Self.bytes(10, [1, 2]) + [0x65, 1, 2, 3, 4] + [0x61, 1, 2, 3, 4, 5, 6, 7, 8]
        #expect(try Self.read(Self.usual + more) == Self.read(Self.usual))
        let link = try MigrationLink(Self.link(Self.bytes(1, Self.usual) + more))
        #expect(link.setups.count == 1)
    }

    @Test func severalLinksSayWhichTheyAre() throws {
        let negative = UInt64(bitPattern: Int64(-42))
        let batch = Self.number(2, 1) + Self.number(3, 3) + Self.number(4, 1) + Self.number(5, negative)
        let found = try MigrationLink(Self.link(Self.bytes(1, Self.usual) + batch)).batch
        #expect(found == MigrationLink.Batch(size: 3, index: 1, identifier: -42))
    }

    /// The alphabet for addresses, padding that is missing, and the plus that was not escaped.
    @Test func whatHappensToBase64OnItsWayIsMended() throws {
        let payload = Self.bytes(1, Self.bytes(1, [0, 0, 0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF, 0]))
        let base64 = Data(payload).base64EncodedString()
        #expect(base64.hasSuffix("++++////AA=="))
        let expected = try MigrationLink(Self.link(payload))
        for plus in ["+", " ", "%20"] { #expect(try MigrationLink(Self.link(payload, plus: plus)) == expected) }
        let forAddresses = base64.replacing("+", with: "-").replacing("/", with: "_")
        for data in [forAddresses, forAddresses.replacing("=", with: ""), base64.replacing("=", with: "%3D")] {
            #expect(try MigrationLink(secretBytes("otpauth-migration://offline?data=\(data)")) == expected)
        }
    }

    @Test(arguments: [
        ([], OneTimeCodeError.Code.malformedLink), (number(2, 1), .malformedLink),
        (bytes(1, []), .malformedSecret), (bytes(1, bytes(1, [])), .malformedSecret),
        (bytes(1, usual + number(4, 4)), .unsupportedAlgorithm),
        (bytes(1, usual + number(4, 9)), .unsupportedAlgorithm),
        (bytes(1, usual + number(5, 3)), .invalidParameter), (bytes(1, usual + number(6, 3)), .unsupportedKind),
        (bytes(1, usual + number(6, 1) + number(7, 1 << 63)), .invalidParameter),
        (bytes(1, number(1, 5)), .malformedLink), (bytes(1, usual + bytes(4, [])), .malformedLink),
        (number(1, 5), .malformedLink), (bytes(1, usual) + bytes(3, []), .malformedLink),
        (bytes(1, usual) + [0x00], .malformedLink), (bytes(1, usual) + [0x0B], .malformedLink),
        (bytes(1, usual) + [0x52, 0x05, 0x01], .malformedLink), (bytes(1, usual) + [0x80], .malformedLink),
        ([0x0A] + [UInt8](repeating: 0xFF, count: 9) + [0x01], .malformedLink),
        ([0x0A] + [UInt8](repeating: 0xFF, count: 9) + [0x7F], .malformedLink),
        (bytes(1, bytes(1, [UInt8](repeating: 1, count: 1025))), .tooLong),
        (bytes(1, usual + bytes(2, [UInt8](repeating: 65, count: 513))), .tooLong),
        ([[UInt8]](repeating: bytes(1, usual), count: 513).flatMap { $0 }, .tooLong),
    ])
    func whatIsNoExportIsRefused(payload: [UInt8], code: OneTimeCodeError.Code) {
        #expect(throws: OneTimeCodeError(code, "")) { try MigrationLink(Self.link(payload)) }
    }

    @Test(arguments: [
        "otpauth-migration://offline", "otpauth-migration://online?data=CgcKBQECAwQF",
        "otpauth-migration://offline?data=",
        "otpauth-migration://offline?data=CgcKBQ*CAwQF", "otpauth-migration://offline?data=CgcKBQECAwQF=C",
        "otpauth://offline?data=CgcKBQECAwQF",
    ])
    func whatIsNoMigrationLinkIsRefused(link: String) {
        #expect(throws: OneTimeCodeError(.malformedLink, "")) { try MigrationLink(secretBytes(link)) }
    }

    @Test func aLinkThatIsTooLongIsRefused() {
        let long = "otpauth-migration://offline?data=" + String(repeating: "A", count: MigrationLink.longest)
        #expect(throws: OneTimeCodeError(.tooLong, "")) { try MigrationLink(secretBytes(long)) }
    }

    // MARK: - Damage

    @Test func anExportThatIsCutOffIsReadOrRefused() throws {
        let bytes = Array(try Self.link().utf8)
        for count in bytes.indices {
            let link = try? MigrationLink(SecretBytes(copying: Array(bytes.prefix(count))))
            #expect((link?.setups.count ?? 0) <= 4)
        }
    }

    @Test func anExportWithAnotherBitIsReadOrRefused() throws {
        let text = try Self.link().replacing("otpauth-migration://offline?data=", with: "")
        let base64 = try #require(text.removingEscapes)
        let payload = [UInt8](try #require(Data(base64Encoded: base64)))
        for bit in 0..<8 * payload.count {
            var other = payload
            other[bit / 8] ^= 1 << (bit % 8)
            let link = try? MigrationLink(Self.link(other))
            for setup in link?.setups ?? [] { #expect(try CodeLink.setup(in: setup.link).recipe == setup.recipe) }
        }
    }
}

extension String {
    /// With `%41` read as what it stands for.
    fileprivate var removingEscapes: String? {
        Array(utf8).withUnsafeBytes { String(validating: Array(Unescaped($0[...])), as: UTF8.self) }
    }
}
