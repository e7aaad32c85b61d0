import FoundationEssentials
import KeywayCrypto
import Testing

@testable import CodeLinks
@testable import OneTimeCodes

/// What other programs write, from their own tests. Their licences keep the files out of the repository.
@Suite("the exports of other authenticators", .enabled(if: Vectors.othersAreHere))
struct OtherProgramsTests {
    private static func setups() throws -> [CodeSetup] {
        try Vectors.lines("otpauth_uris.txt", in: Vectors.others).map(setup)
    }

    @Test func theirLinksAreReadAndWritten() throws {
        let setups = try Self.setups()
        #expect(setups.map(\.recipe.type) == ["totp", "totp", "totp", "hotp", "hotp", "hotp", "steam"])
        #expect(
            setups.map(\.issuer) == ["Deno", "SPDX", "Airbnb", "Issuu", "Air Canada", "WWE", "Boeing"])
        #expect(setups.map(\.recipe.digits) == [6, 7, 8, 6, 7, 8, 5])
        #expect(setups.map(\.recipe.algorithm) == [.sha1, .sha256, .sha512, .sha1, .sha256, .sha512, .sha1])
        for setup in setups { #expect(try CodeLink.setup(in: setup.link) == setup) }
    }

    private struct Google: Decodable {
        let name, secret, issuer, type: String
        let counter: UInt64?
        let url: String
    }

    @Test func googlesExportsAreReadAsExpected() throws {
        let links = try Vectors.lines("google_migration.txt", in: Vectors.others).filter { !$0.hasPrefix("#") }
        #expect(links.count == 5)
        let found = try links.flatMap { try MigrationLink(secretBytes($0)).setups }
        let expected = try Vectors.json("google_migration.expected.json", in: Vectors.others, as: [Google].self)
        #expect(found.count == expected.count)
        for (setup, account) in zip(found, expected) {
            #expect(setup.account == account.name)
            #expect(setup.issuer == account.issuer)
            #expect(setup.recipe.type == account.type)
            #expect(base32(setup.recipe.secret) == account.secret)
            if case .counter(let counter) = setup.recipe.kind { #expect(counter == account.counter) }
            #expect(try OneTimeCodesTests.setup(account.url).recipe == setup.recipe)
        }
    }

    /// The secret and the parameters of one account in a JSON export, whatever they are called there.
    private struct Entry: Decodable {
        struct Part: Decodable {
            let secret, algo, algorithm, tokenType: String?
            let digits: Int?
            let period: UInt32?
            let counter: UInt64?
        }
        let issuer, issuerExt, name, type, secret, algorithm, algo, label: String?
        let bytes: [Int8]?
        let info, otp: Part?
        let digits: Int?
        let period: UInt32?
        let counter: UInt64?

        enum CodingKeys: String, CodingKey {
            case issuer, issuerExt, name, type, secret, algorithm, algo, label, info, otp, digits, period, counter
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            func text(_ key: CodingKeys) -> String? { try? members.decode(String.self, forKey: key) }
            (issuer, issuerExt, name, type) = (text(.issuer), text(.issuerExt), text(.name), text(.type))
            (secret, algorithm, algo, label) = (text(.secret), text(.algorithm), text(.algo), text(.label))
            bytes = try? members.decode([Int8].self, forKey: .secret)
            info = try members.decodeIfPresent(Part.self, forKey: .info)
            otp = try members.decodeIfPresent(Part.self, forKey: .otp)
            digits = try members.decodeIfPresent(Int.self, forKey: .digits)
            period = try members.decodeIfPresent(UInt32.self, forKey: .period)
            counter = try members.decodeIfPresent(UInt64.self, forKey: .counter)
        }

        /// - Parameter behind: by how much the export's counters are behind those of the links.
        func recipe(behind: UInt64 = 0) throws -> CodeRecipe {
            let part = info ?? otp
            let period = period ?? part?.period ?? 30
            let kind: CodeRecipe.Kind =
                switch (type ?? part?.tokenType ?? "").lowercased() {
                case "hotp": .counter((counter ?? part?.counter ?? 0) + behind)
                case "steam": .steam
                default: .time(period: period)
                }
            let secret = bytes.map { SecretBytes(copying: $0.map { UInt8(bitPattern: $0) }) }
            let name = algo ?? algorithm ?? part?.algo ?? part?.algorithm ?? ""
            return try CodeRecipe(
                kind, secret: secret ?? base32(self.secret ?? part?.secret ?? ""),
                algorithm: try #require(CodeAlgorithm(rawValue: name)), digits: digits ?? part?.digits ?? 6)
        }
    }

    private struct Aegis: Decodable {
        struct Database: Decodable { let entries: [Entry] }
        let db: Database
    }

    private struct TwoFAS: Decodable { let services: [Entry] }

    private struct FreeOTP: Decodable { let tokens: [Entry] }

    @Test func theSecretsOfTheirExportsAreThoseOfTheirLinks() throws {
        let links = try Self.setups().map(\.recipe)
        let aegis = try Vectors.json("aegis_plain.json", in: Vectors.others, as: Aegis.self).db.entries
        #expect(try aegis.map { try $0.recipe() } == links)
        let andOTP = try Vectors.json("andotp_plain.json", in: Vectors.others, as: [Entry].self)
        #expect(try andOTP.map { try $0.recipe() } == links)
        let freeOTP = try Vectors.json("freeotp_plus.json", in: Vectors.others, as: FreeOTP.self).tokens
        // It writes the counter of the code before.
        #expect(try freeOTP.reversed().map { try $0.recipe(behind: 1) } == links.dropLast())
        let twoFAS = try Vectors.json("2fas_plain_v3.2fas", in: Vectors.others, as: TwoFAS.self).services
        #expect(!twoFAS.isEmpty)
        for entry in twoFAS { #expect(links.contains(try entry.recipe()), "\(entry.name ?? "")") }
    }

    private struct Steam: Decodable {
        struct Account: Decodable {
            let uri, sharedSecret: String
            enum CodingKeys: String, CodingKey {
                case uri
                case sharedSecret = "shared_secret"
            }
        }
        let accounts: [String: Account]
    }

    @Test func theLinkOfSteamsAppIsForSteamsCodes() throws {
        let file = try Vectors.json("steam.json", in: Vectors.others, as: Steam.self)
        for account in file.accounts.values {
            let secret = try #require(SecretBytes(base64: secretBytes(account.sharedSecret)))
            #expect(try setup(account.uri).recipe == CodeRecipe(.steam, secret: secret))
        }
        #expect(file.accounts.count == 1)
    }
}
