import FoundationEssentials
import KeywayCrypto
import Testing

@testable import CodeLinks
@testable import OneTimeCodes

/// What a link says, and what is none.
@Suite struct LinkTests {
    private struct Case: Decodable {
        struct Reading: Decodable {
            let type, issuer, account, secret, algorithm: String
            let labelIssuer: String?
            enum CodingKeys: String, CodingKey {
                case type, issuer, account, secret, algorithm, digits, period, counter
                case labelIssuer = "label_issuer"
            }
            let digits: Int
            let period: UInt32?
            let counter: UInt64?
        }
        let uri: String
        let expect: Reading?
    }

    @Test func eachCaseIsReadAsExpectedOrRefused() throws {
        let cases = try Vectors.json("generated_uri_cases.json", as: [Case].self)
        #expect(cases.count == 13)
        for each in cases {
            guard let expected = each.expect else {
                #expect(throws: OneTimeCodeError.self, "\(each.uri)") { try setup(each.uri) }
                continue
            }
            let found = try setup(each.uri)
            #expect(found.recipe.type == expected.type)
            #expect(found.issuer == expected.issuer)
            #expect(found.account == expected.account)
            #expect(expected.labelIssuer == nil || found.labelIssuer == expected.labelIssuer)
            #expect(base32(found.recipe.secret) == expected.secret)
            #expect(found.recipe.algorithm.rawValue.lowercased() == expected.algorithm)
            #expect(found.recipe.digits == expected.digits)
            if found.recipe.type == "totp" { #expect(found.recipe.kind == .time(period: expected.period ?? 0)) }
            if found.recipe.type == "hotp" { #expect(found.recipe.kind == .counter(expected.counter ?? 0)) }
        }
    }

    private static let plain = "otpauth://totp/Example:ada?secret=GEZDGNBV&issuer=Example"

    /// Ways to write the same.
    @Test(arguments: [
        "OTPAUTH://TOTP/Example:ada?SECRET=gezdgnbv&Issuer=Example", "otpauth://totp/Example%3Aada?secret=GEZD%20GNBV",
        "otpauth://totp/Example:%20%20ada?secret=gezd-gnbv", "otpauth://totp/Example:ada?secret=GEZD+GNBV&issuer=",
        "otpauth://totp/Example:ada?secret=GEZDGNBV%3D%3D%3D", "otpauth://totp/Example:ada?secret=GEZDGNBV===&digits=",
        "  otpauth://totp/Example:ada?secret=GEZDGNBV\n", "apple-otpauth://totp/Example:ada?secret=GEZDGNBV",
        "otpauth://totp/Example:ada?&&x&secret=GEZDGNBV&secret=AAAA&image=https%3A%2F%2Fa.example#fragment",
        "otpauth://totp/Example:ada?algorithm=SHA1&digits=6&period=30&counter=9&lock=true&secret=GEZDGNBV",
        "otpauth://totp/Example:ada?secret=GEZDGNBV&algorithm=HmacSHA-1&codeDisplay=%7B%7D",
    ])
    func whatPeopleAndProgramsVaryIsRead(link: String) throws {
        #expect(try setup(link) == setup(Self.plain))
    }

    @Test(arguments: [
        ("algorithm=SHA256", CodeAlgorithm.sha256), ("algorithm=sha-512", .sha512), ("algorithm=HMACSHA256", .sha256),
        ("algorithm=hmac-sha512", .sha512), ("algorithm=", .sha1),
    ])
    func algorithmsHaveSeveralNames(parameter: String, algorithm: CodeAlgorithm) throws {
        #expect(try setup(Self.plain + "&" + parameter).recipe.algorithm == algorithm)
    }

    @Test(arguments: [
        ("otpauth://totp?secret=GEZDGNBV", "", ""), ("otpauth://totp/?secret=GEZDGNBV", "", ""),
        ("otpauth://totp/a/b?secret=GEZDGNBV", "", "a/b"), ("otpauth://totp/a+b:c+d?secret=GEZDGNBV", "a+b", "c+d"),
        ("otpauth://totp/x:y?secret=GEZDGNBV&issuer=Air+Canada", "Air Canada", "y"),
        ("otpauth://totp/Old:y?secret=GEZDGNBV&issuer=New", "New", "y"),
        ("otpauth://totp/%zz%4?secret=GEZDGNBV", "", "%zz%4"), ("otpauth://totp/%FF?secret=GEZDGNBV", "", "\u{FFFD}"),
        ("otpauth://totp/a:b:c?secret=GEZDGNBV", "a", "b:c"),
    ])
    func namesAreReadAsTheyStand(link: String, issuer: String, account: String) throws {
        let found = try setup(link)
        #expect(found.issuer == issuer)
        #expect(found.account == account)
    }

    @Test(arguments: [
        "otpauth://steam/Steam:ada?secret=GEZDGNBV", "otpauth://totp/Steam:ada?secret=GEZDGNBV&issuer=Steam",
        "otpauth://totp/Game:ada?secret=GEZDGNBV&encoder=steam", "steam://GEZDGNBV", "STEAM://gezdgnbv",
    ])
    func steamsLinksHaveSeveralForms(link: String) throws {
        #expect(try setup(link).recipe == CodeRecipe(.steam, secret: base32("GEZDGNBV")))
    }

    @Test func linksNamedSteamWithDigitsAreForDigits() throws {
        let found = try setup("otpauth://totp/Steam:ada?secret=GEZDGNBV&digits=6")
        #expect(found.recipe.kind == .time(period: 30))
        #expect(try CodeLink.setup(in: found.link) == found)
    }

    @Test(arguments: [
        ("", OneTimeCodeError.Code.malformedLink), ("otpauth:totp/x?secret=GEZDGNBV", .malformedLink),
        ("http://totp/x?secret=GEZDGNBV", .malformedLink), ("otpauth-migration://offline?data=AAAA", .malformedLink),
        ("otpauth://motp/x?secret=GEZDGNBV", .unsupportedKind), ("otpauth://yaotp/x?secret=GEZDGNBV", .unsupportedKind),
        ("otpauth://?secret=GEZDGNBV", .unsupportedKind),
        ("apple-otpauth://hotp/x?secret=GEZDGNBV&counter=1", .unsupportedKind),
        ("otpauth://totp/x?secret=GEZ%3DDGNBV", .malformedSecret), ("otpauth://totp/x?secret=%C3%A4", .malformedSecret),
        ("otpauth://totp/x?secret==", .malformedSecret), ("otpauth://totp/x?secret=A", .malformedSecret),
        ("steam://", .malformedSecret),
        ("otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5", .unsupportedAlgorithm),
        ("otpauth://totp/x?secret=GEZDGNBV&algorithm=SHA384", .unsupportedAlgorithm),
        ("otpauth://totp/x?secret=GEZDGNBV&digits=0", .invalidParameter),
        ("otpauth://totp/x?secret=GEZDGNBV&digits=11", .invalidParameter),
        ("otpauth://totp/x?secret=GEZDGNBV&digits=+6", .invalidParameter),
        ("otpauth://totp/x?secret=GEZDGNBV&digits=six", .invalidParameter),
        ("otpauth://totp/x?secret=GEZDGNBV&period=0", .invalidParameter),
        ("otpauth://totp/x?secret=GEZDGNBV&period=86401", .invalidParameter),
        ("otpauth://totp/x?secret=GEZDGNBV&period=99999999999999999999", .invalidParameter),
        ("otpauth://hotp/x?secret=GEZDGNBV&counter=-1", .invalidParameter),
        ("otpauth://hotp/x?secret=GEZDGNBV&counter=9223372036854775808", .invalidParameter),
    ])
    func whatIsNoLinkIsRefused(link: String, code: OneTimeCodeError.Code) {
        #expect(throws: OneTimeCodeError(code, "")) { try setup(link) }
    }

    @Test func whatIsTooLongIsRefused() {
        let long = String(repeating: "A", count: CodeLink.longest)
        for link in [
            "otpauth://totp/x?secret=\(long)", "otpauth://totp/x?secret=GEZDGNBV&image=\(long)",
            "otpauth://totp/x?secret=\(long.prefix(4 * Base32.longestSecret + 1))",
            "otpauth://totp/x?secret=\(long.prefix(Base32.longestSecret / 5 * 8 + 16))",
            "otpauth://totp/\(long.prefix(513))?secret=GEZDGNBV",
            "otpauth://totp/x?secret=AA&issuer=\(long.prefix(513))",
        ] {
            #expect(throws: OneTimeCodeError(.tooLong, "")) { try setup(link) }
        }
    }

    @Test func errorsSayNothingOfWhatWasRead() {
        for link in ["otpauth://totp/VERYSECRET?secret=VERYSECRET1", "otpauth://VERYSECRET/x?secret=VERYSECRET"] {
            #expect { try setup(link) } throws: { !"\($0)".contains("VERYSECRET") }
        }
    }

    // MARK: - Writing

    @Test(arguments: [
        "otpauth://totp/Example:ada?secret=GEZDGNBV&issuer=Example",
        "otpauth://totp/ada%40example.com?secret=GEZDGNBV",
        "otpauth://totp/:a%3Ab?secret=GEZDGNBV",
        "otpauth://totp/Example:ada?secret=GEZDGNBV&issuer=example.com",
        "otpauth://totp/%C3%84%20%26:x%3F?secret=GEZDGNBVGY&issuer=%C3%84%20%26&algorithm=SHA512&digits=8&period=60",
        "otpauth://hotp/Example:ada?secret=GEZDGNBV&issuer=Example&counter=0",
        "otpauth://steam/Steam:ada?secret=GEZDGNBV&issuer=Steam",
    ])
    func aLinkIsWrittenAsItWasRead(link: String) throws {
        let found = try setup(link)
        #expect(text(found.link) == link)
        #expect(try CodeLink.setup(in: found.link) == found)
    }

    @Test func theLongestNamesAndSecretFitALink() throws {
        let name = String(repeating: "\u{7F}", count: CodeSetup.longestName)
        let secret = SecretBytes(copying: [UInt8](repeating: 0xFF, count: Base32.longestSecret))
        let setup = try CodeSetup(
            issuer: name, labelIssuer: name, account: name,
            recipe: CodeRecipe(.counter(UInt64(Int64.max)), secret: secret, algorithm: .sha512, digits: 10))
        #expect(setup.link.count > CodeLink.longest / 2)
        #expect(try CodeLink.setup(in: setup.link) == setup)
    }

    // MARK: - What a person gives

    @Test func aBareSecretIsForUsualCodes() throws {
        let usual = try CodeSetup(recipe: CodeRecipe(.time(period: 30), secret: base32("GEZDGNBV")))
        #expect(try CodeSetup.read(secretBytes(" gezd gnbv\n")) == [usual])
        #expect(try CodeSetup.read(secretBytes("otpauth://totp?secret=GEZDGNBV")) == [usual])
        #expect(try CodeSetup.read(secretBytes(Vectors.lines("generated_migration.txt")[0])).count == 4)
        for text in ["", "no secret 1", "https://example.com"] {
            #expect(throws: OneTimeCodeError.self) { try CodeSetup.read(secretBytes(text)) }
        }
    }

    // MARK: - Damage

    private static let damaged = [
        "otpauth://totp/Ex%C3%A4mple:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Example&algorithm=SHA256&digits=8&period=60",
        "otpauth://hotp/x?secret=GEZDGNBV&counter=41", "steam://GEZDGNBV",
    ]

    /// Whatever is read can be written, and is then read as the same codes.
    private func tryAll(_ bytes: [UInt8]) throws {
        guard let found = try? CodeLink.setup(in: SecretBytes(copying: bytes)) else { return }
        let again = try CodeLink.setup(in: found.link)
        #expect(again.recipe == found.recipe)
        #expect(again.issuer == found.issuer)
        #expect(again.account == found.account)
    }

    @Test(arguments: damaged) func aLinkThatIsCutOffIsReadOrRefused(link: String) throws {
        let bytes = Array(link.utf8)
        for count in bytes.indices { try tryAll(Array(bytes.prefix(count))) }
    }

    @Test(arguments: damaged) func aLinkWithAnotherBitIsReadOrRefused(link: String) throws {
        let bytes = Array(link.utf8)
        for bit in 0..<8 * bytes.count {
            var other = bytes
            other[bit / 8] ^= 1 << (bit % 8)
            try tryAll(other)
        }
    }
}
