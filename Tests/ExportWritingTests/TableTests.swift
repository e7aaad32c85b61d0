import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Testing

@testable import ExportWriting
@testable import Importing

@Suite("tables of other programs")
struct TableTests {
    private static let tables = ExportFormat.allCases.filter { $0.table != nil }

    private func full() throws -> ImportedRecord {
        try record("Full", "secret") { record in
            record.userName = "ada"
            record.urls = ["https://a.example/path", "b.example", "androidapp://org.example"]
            record.set(notes: SecretText(copyingUTF8Of: "of two\nlines"))
            let links = [
                "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ", "otpauth://hotp/b?secret=GEZDGNBVGY3TQOJQ&counter=1",
            ]
            record.codes = try links.flatMap { try CodeSetup.read(SecretBytes(copyingUTF8Of: $0)) }
            (record.folder, record.tags) = (["Work", "Infra"], ["one", "two"])
            (record.isFavorite, record.isForHTTP) = (true, true)
            record.add(field: "Name: x", SecretText(copyingUTF8Of: "value"))
            record.add(field: "Lines", SecretText(copyingUTF8Of: "a\nb"))
            record.passkeys = [
                try ExchangePasskey(
                    credentialID: [1], relyingParty: "a.example", userName: "ada", userDisplayName: "",
                    userHandle: [1], key: SecretBytes(copying: [1, 2]))
            ]
            record.add(.creditCard, [("number", "4111".field(.concealed))])
        }
    }

    @Test func columnsAreThoseOfTheProgram() throws {
        let heads = try Self.tables.map { try Written([], as: $0).text }
        #expect(
            heads == [
                "Title,URL,Username,Password,Notes,OTPAuth\n",
                "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n",
                "name,url,username,password,note\n",
                "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\",\"timeCreated\","
                    + "\"timeLastUsed\",\"timePasswordChanged\"\n",
            ])
    }

    @Test func aRowIsWrittenForEachAddressWhereTheProgramHasOne() throws {
        #expect(
            try Written([full()], as: .chromeCSV).text.split(separator: "\n").last == "lines\"")
        let chrome = try Written([full()], as: .chromeCSV).read().records
        #expect(chrome.map(\.urls) == [["https://a.example/path"], ["https://b.example"]])
        let firefox = try Written([full()], as: .firefoxCSV).read().records
        #expect(firefox.map(\.urls) == [["https://a.example"], ["https://b.example"]])
        #expect(firefox.allSatisfy { $0.isForHTTP })
        let bitwarden = try Written([full()], as: .bitwardenCSV).read().records
        #expect(bitwarden.map(\.urls) == [["https://a.example/path", "https://b.example", "androidapp://org.example"]])
        #expect(bitwarden.first?.fields.map(\.label) == ["Name:x"])
        #expect(bitwarden.first?.folder == ["Work", "Infra"])
    }

    @Test func whatHasNoPlaceIsToldByItsItem() throws {
        let common = [
            "Its passkey is left out.", "What it holds beside a login is left out: credit-card.",
        ]
        let noTags = ["Its 2 tags are left out.", "Its folder is left out.", "That it is a favorite is left out."]
        let noHTTP = "That its password is for HTTP's own sign-in is left out."
        let expected: [ExportFormat: [String]] = [
            .chromeCSV: ["Its 2 one-time codes are left out.", "Its 2 custom fields are left out.", noHTTP]
                + noTags + ["Its app is left out."],
            .appleCSV: ["Its one-time codes but the first are left out.", "Its 2 custom fields are left out.", noHTTP]
                + noTags + ["Its app is left out."],
            .firefoxCSV: [
                "Its 2 one-time codes are left out.", "Its notes are left out.", "Its 2 custom fields are left out.",
                "Of its addresses, only the sites are kept.",
            ] + noTags + ["Its app is left out."],
            .bitwardenCSV: [
                "Its one-time codes but the first are left out.", noHTTP, "Its tags are left out.",
                "Its custom fields of several lines are left out.",
            ],
        ]
        for format in Self.tables {
            let report = try Written([full()], as: format).report
            #expect(Set(report.losses.map(\.reason)) == Set(common + (expected[format] ?? [])), "\(format)")
            #expect(report.losses.allSatisfy { $0.title == "Full" && $0.user == "ada" })
            #expect(report.lossCount == report.losses.count && !report.notices.isEmpty)
        }
    }

    @Test func whatOnlyCXFHasAPlaceForIsTold() throws {
        let login = "[{\"type\":\"basic-auth\",\"password\":{\"fieldType\":\"concealed-string\",\"value\":\"x\"}}]"
        let item = { (title: String, rest: String) in
            "{\"id\":\"\(title)\",\"title\":\"\(title)\",\"credentials\":\(login)\(rest)}"
        }
        let items = [
            item("Plain", ""), item("Sub", ",\"subtitle\":\"s\""),
            item("Forms", ",\"extensions\":[{\"name\":\"keyway.org/import\",\"use\":\"forms\"}]"),
            item("Other", ",\"extensions\":[{\"name\":\"shared\"}]"),
        ]
        let document = Array("{\"id\":\"A\",\"collections\":[],\"items\":[\(items.joined(separator: ","))]}".utf8)
        let report = try document.withUnsafeBytes { bytes in
            try ExportWriter(bytes, now: 1, random: SystemRandomSource()).table(.bitwardenCSV) { _ in }
        }
        #expect(
            report.losses.map { [$0.title, $0.reason] } == [
                ["Sub", "Its subtitle is left out."], ["Forms", "That its password is for forms alone is left out."],
                ["Other", "What another program noted of it is left out."],
            ])
    }

    @Test(arguments: tables)
    func whatIsNoLoginIsLeftOutAndTold(format: ExportFormat) throws {
        let card = record("Card") { $0.add(.creditCard, [("number", "4111".field(.concealed))]) }
        let written = try Written([card, record("Login", "one") { $0.urls = ["https://a.example"] }], as: format)
        #expect(try written.read().records.map { $0.password?.publicText } == ["one"])
        #expect(written.report.losses.map(\.title) == ["Card"] && written.report.entries == 1)
        #expect(!written.text.contains("4111"))
    }

    @Test(arguments: tables)
    func whatOtherProgramsWouldCutOffIsLeftOutAndTold(format: ExportFormat) throws {
        let written = try Written(
            [record("Cut", "a\0b") { $0.urls = ["https://a.example"] }], as: format)
        #expect(written.text.split(separator: "\n").count == 1)
        #expect(written.report.losses.map(\.title) == ["Cut"])
    }

    // MARK: - Formulas (T33)

    @Test(arguments: tables, ["=", "+", "-", "@", "\t", "\r"])
    func aFormulaIsWrittenAsItIsAndTold(format: ExportFormat, start: String) throws {
        let password = "\(start)cmd|' /C calc'!A0"
        let records = [
            record("Formula", password) { $0.urls = ["https://a.example"] },
            record("None", "a\(start)b") { $0.urls = ["https://b.example"] },
        ]
        let written = try Written(records, as: format)
        #expect(try written.read().records.map { $0.password?.publicText } == [password, "a\(start)b"])
        #expect(written.report.formulaCount == 1)
        let told = try #require(written.report.formulas.first)
        #expect(told.title == "Formula" && told.reason.lowercased().contains("password"))
        // Where it stands is told, and nothing of what it is.
        var report: [UInt8] = []
        written.report.write { report += $0 }
        #expect(!String(decoding: report, as: UTF8.self).contains("calc"))
    }

    @Test func namesAreFormulasAsWell() throws {
        let formula = record("=1+1", "a") { $0.userName = "@me" }
        #expect(try Written([formula], as: .chromeCSV).report.formulas.map(\.reason) == ["name", "username"])
    }

    // MARK: - Reports

    @Test func aReportIsReadAsItWasWritten() throws {
        let report = try Written([full(), record("-", "=")], as: .bitwardenCSV).report
        var bytes: [UInt8] = []
        report.write { bytes += $0 }
        #expect(bytes.withUnsafeBytes(ExportReport.init) == report)
        for text in ["", "{}", "[]", "{\"entries\":1}", "{\"entries\":"] {
            #expect(Array(text.utf8).withUnsafeBytes(ExportReport.init) == nil)
        }
    }

    @Test func ofManyLossesTheirNumberIsTold() throws {
        let records = (0..<1100).map { record("\($0)", "x") { $0.isFavorite = true } }
        let report = try Written(records, as: .chromeCSV).report
        // It has no website either.
        #expect(report.lossCount == 2200 && report.losses.count == 1000)
    }
}
