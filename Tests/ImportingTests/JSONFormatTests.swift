import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Testing

@testable import Importing

@Suite("exports in JSON")
struct JSONFormatTests {
    private func value(_ record: ImportedRecord?, _ type: ExchangeCredentialType, _ member: String) -> String? {
        record?.credentials.first { $0.type == type }?.field(member)?.value?.publicText
    }

    @Test func everyKindOfItemOfBitwardenArrives() throws {
        let found = try Import(own: "bitwarden/generated_individual.json")
        func record(_ title: String) -> ImportedRecord? { found.records.first { $0.title == title } }
        #expect(record("Secure note")?.notes?.publicText == "note body")
        #expect(value(record("Card"), .creditCard, "expiryDate") == "2029-04")
        #expect(value(record("Identity"), .personName, "given2") == "King")
        #expect(value(record("Identity"), .passport, "passportNumber") == "C01X00T47")
        #expect(record("SSH")?.fields.map(\.label) == ["private key", "public key"])
        #expect(record("SSH")?.fields.first?.isHidden == true)
        #expect(record("In trash") == nil)
        #expect(found.skipped.count == 1)
        #expect(record("Future type")?.notes?.publicText == "kept?")
    }

    @Test func everyKindOfItemOfProtonArrives() throws {
        let found = try Import(own: "proton-pass/generated_data.json")
        func record(_ title: String) -> ImportedRecord? { found.records.first { $0.title == title } }
        #expect(value(record("Wifi"), .wifi, "networkSecurityType") == "wpa3-personal")
        #expect(record("API")?.codes.count == 1)
        #expect(record("Trashed") == nil)
        #expect(record("Future")?.notices.count == 1)
    }

    @Test func anEncryptedFileSaysSo() throws {
        for text in [
            "{\"encrypted\":true,\"data\":\"2.x\"}",
            "{\"version\":1,\"header\":{},\"db\":\"AAAA\"}",
        ] {
            #expect { _ = try Import(text) } throws: { ($0 as? ImportError)?.code == .unsupported }
        }
    }

    @Test func aFileUnderAPasswordIsReadWithIt() throws {
        let found = try Import(own: "bitwarden/encrypted.json", password: "correct horse")
        #expect(found.records.map(\.title) == ["Mail"])
        #expect(found.records.first?.password?.publicText == "s3cret")
        for (password, code) in [(nil, ImportError.Code.needsPassword), ("wrong", .wrongPassword)] as [(String?, _)] {
            #expect {
                _ = try Import(own: "bitwarden/encrypted.json", password: password)
            } throws: { ($0 as? ImportError)?.code == code }
        }
    }

    @Test func aFlippedBitOfWhatIsEncryptedIsNoticed() throws {
        let text = String(decoding: try Fixtures.bytes("bitwarden/encrypted.json"), as: UTF8.self)
        let start = try #require(text.firstRange(of: "\"data\":\"2."))
        var bytes = Array(text.utf8)
        let index = text.utf8.distance(from: text.startIndex, to: start.upperBound) + 40
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect {
            _ = try Import(bytes, password: "correct horse")
        } throws: { ($0 as? ImportError)?.code == .damaged }
    }

    @Test func passkeysThatCountTheirUsesAreLeftOutAndTold() throws {
        let text = String(decoding: try Fixtures.bytes("bitwarden/generated_individual.json"), as: UTF8.self)
            .replacing("\"counter\": \"0\"", with: "\"counter\": \"3\"")
        let record = try #require(try Import(text).records.first { $0.title == "Passkey site" })
        #expect(record.passkeys.isEmpty)
        #expect(record.notices.count == 1)
    }

    @Test func foldersOfEnpassMayLieInThemselves() throws {
        let text = """
            {"folders":[{"uuid":"a","title":"A","parent_uuid":"a"},{"uuid":"c","title":"C","parent_uuid":"b"},
            {"uuid":"b","title":"B","parent_uuid":""}],"items":[
            {"title":"x","folders":["a"],"favorite":1,"fields":[]},
            {"title":"y","folders":["c"],"note":"n","fields":[
              {"type":"username","label":"User","value":"u"},{"type":"password","label":"P","value":"p"},
              {"type":"url","value":"https://a.example"},{"type":"totp","value":"JBSWY3DPEHPK3PXP"},
              {"type":"text","label":"PIN","value":"1234","sensitive":1},{"type":"text","label":"gone","value":"x","deleted":1}]}]}
            """
        let found = try Import(text)
        #expect(found.format == .enpassJSON)
        #expect(found.records[0].folder.count == 64)
        let record = Record(found.records[1])
        #expect(record.folder == ["B", "C"])
        #expect(record.username == "u")
        #expect(record.password == "p")
        #expect(record.urls == ["https://a.example"])
        #expect(record.totp?.secret == "JBSWY3DPEHPK3PXP")
        #expect(record.custom == [Record.Field("PIN", "1234", true)])
    }

    @Test func recordsOfKeeperAreRead() throws {
        let text = """
            {"shared_folders":[],"records":[{"title":"a","login":"u","password":"p","login_url":"https://a.example",
            "notes":"n","custom_fields":{"TFC:Keeper":"otpauth://totp/a?secret=JBSWY3DPEHPK3PXP","x":"y"},
            "folders":[{"folder":"Work\\\\Dev"}]}]}
            """
        let found = try Import(text)
        #expect(found.format == .keeperJSON)
        let record = Record(try #require(found.records.first))
        #expect(record.folder == ["Work", "Dev"])
        #expect(record.totp?.secret == "JBSWY3DPEHPK3PXP")
        #expect(record.custom == [Record.Field("x", "y", true)])
    }

    private let line = "***5642bee8-a5ff-11dc-8314-0800200c9a66***"

    @Test func linesOf1PIFAreRead() throws {
        let text = """
            {"typeName":"system.folder.Regular","uuid":"F","title":"Work"}
            \(line)
            {"typeName":"webforms.WebForm","uuid":"A","folderUuid":"F","title":"a","createdAt":5,"openContents":{"tags":["t"]},"secureContents":{"URLs":[{"url":"https://a.example"}],"fields":[{"value":"u","designation":"username"},{"value":"p","designation":"password"},{"value":"1","name":"pin","type":"P"}],"sections":[{"fields":[{"n":"TOTP_1","v":"JBSWY3DPEHPK3PXP"},{"t":"x","v":"y","k":"concealed"}]}]}}
            \(line)
            {"typeName":"webforms.WebForm","uuid":"B","title":"b","trashed":true}
            \(line)
            """
        let found = try Import(text)
        #expect(found.format == .onePasswordPIF)
        #expect(found.skipped.map(\.place) == ["line 5"])
        let record = Record(try #require(found.records.first))
        #expect(record.folder == ["Work"])
        #expect(record.username == "u")
        #expect(record.totp?.secret == "JBSWY3DPEHPK3PXP")
        #expect(record.custom == [Record.Field("pin", "1", true), Record.Field("x", "y", true)])
    }

    @Test func aDamagedLineOf1PIFIsRefused() {
        #expect(throws: ImportError.self) { try Import("{\"title\":\n\(line)\n") }
        #expect(throws: ImportError.self) { try Import("{\"title\":\"a\"}\n\(line)\n{\"title\":\n{}}\n\(line)\n") }
    }

    @Test(arguments: [
        (0, "1970-01-01"), (-4_890_283_200, "1815-01-13"), (951_782_400, "2000-02-29"), (1_750_000_000, "2025-06-15"),
        (-1, "1969-12-31"), (4_102_444_800, "2100-01-01"), (Int64.max, ""), (-62_135_596_800, "1-01-01"),
    ])
    func daysAreWrittenAsCXFHasThem(seconds: Int64, expected: String) {
        #expect(Time.date(seconds) == expected)
    }
}

@Suite("exports of real programs in JSON", .enabled(if: Fixtures.othersAreHere))
struct OtherJSONTests {
    @Test(arguments: [
        ("otp/aegis_plain.json", ImportFormat.aegis, 7), ("otp/2fas_plain_v3.2fas", .twoFAS, 6),
        ("otp/andotp_plain.json", .andOTP, 7), ("otp/freeotp_plus.json", .freeOTP, 6),
    ])
    func codesOfAuthenticatorsAreThoseOfTheirLinks(file: String, format: ImportFormat, count: Int) throws {
        let links = try Import(others: "otp/otpauth_uris.txt").records.flatMap(\.codes).map(\.recipe)
        let found = try Import(others: file)
        #expect(found.format == format)
        #expect(found.records.count == count)
        #expect(found.skipped.isEmpty)
        for recipe in found.records.flatMap(\.codes).map(\.recipe) { #expect(links.contains(recipe)) }
    }

    @Test func loginsOfBitwardenArrive() throws {
        let entries = try OtherExportsTests.entries()
        let found = try Import(others: "bitwarden/individual.json")
        #expect(found.format == .bitwardenJSON)
        #expect(found.records.count == 14)
        for record in found.records {
            #expect(
                entries.contains {
                    $0.title == record.title && $0.password == record.password?.publicText ?? ""
                        && $0.login == record.userName && $0.url == record.urls.first ?? ""
                        && $0.group == record.folder.joined(separator: "/")
                }, "\(record.title)")
        }
    }

    @Test(arguments: [("bitwarden/keepassxc_export.json", 4), ("bitwarden/sdk_export.json", 5)])
    func otherExportsOfBitwardenAreRead(file: String, count: Int) throws {
        let found = try Import(others: file)
        #expect(found.records.count + found.skipped.count >= count)
        let notices: [String] = found.records.flatMap(\.notices)
        #expect(notices.allSatisfy { !$0.contains("one-time code") })
        for credential in found.records.flatMap(\.credentials) { try credential.check() }
    }

    @Test func anEncryptedFileOfBitwardenIsRead() throws {
        let found = try Import(others: "bitwarden/encrypted_pbkdf2_export.json", password: "a")
        #expect(!found.records.isEmpty)
    }

    @Test func theFormerJSONOfDashlaneIsRead() throws {
        let entries = try OtherExportsTests.entries()
        let found = try Import(others: "dashlane/dashlane_legacy.json")
        #expect(found.format == .dashlaneJSON)
        #expect(Set(found.records.map(\.title)) == Set(entries.map(\.title)))
    }
}
