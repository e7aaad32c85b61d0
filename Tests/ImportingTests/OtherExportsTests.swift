import FoundationEssentials
import SecretDocuments
import Testing

@testable import Importing

/// Exports of other programs that all hold the same entries, from the tests of another importer. Their licence keeps them
/// out of the repository.
@Suite("exports of real programs", .enabled(if: Fixtures.othersAreHere))
struct OtherExportsTests {
    struct Entry: Hashable {
        var title = ""
        var password = ""
        var login = ""
        var url = ""
        var comments = ""
        var group = ""
    }

    /// What their description in YAML says.
    static func entries() throws -> Set<Entry> {
        let text = String(
            decoding: try Fixtures.bytes("expected/pass-import-main.yml", in: Fixtures.others), as: UTF8.self)
        var entries: Set<Entry> = []
        for part in text.split(separator: "\n- ").dropFirst() {
            var entry = Entry()
            var lines = part.split(separator: "\n").map { $0.trimmingPrefix("  ") }[...]
            while let line = lines.popFirst() {
                guard let colon = line.firstRange(of: ": ") else { continue }
                var value = String(line[colon.upperBound...])
                if value == "|-" {
                    value = ""
                    while let next = lines.first, next.hasPrefix("  ") {
                        value += (value.isEmpty ? "" : "\n") + next.dropFirst(2)
                        lines.removeFirst()
                    }
                } else if value.hasPrefix("\"") {
                    value = String(value.dropFirst().dropLast()).replacing("\\\\", with: "\\")
                }
                switch line[..<colon.lowerBound] {
                case "title": entry.title = value
                case "password": entry.password = value
                case "login": entry.login = value
                case "url": entry.url = value
                case "comments": entry.comments = value
                case "group": entry.group = value
                default: break
                }
            }
            entries.insert(entry)
        }
        return entries
    }

    private func found(_ file: String, hasGroups: Bool) throws -> Set<Entry> {
        Set(
            try Import(others: file).records.map { record in
                Entry(
                    title: record.title, password: record.password?.publicText ?? "", login: record.userName,
                    url: record.urls.first ?? "",
                    comments: (record.notes?.publicText ?? "").replacing("\r\n", with: "\n"),
                    group: hasGroups ? record.folder.joined(separator: "/") : "")
            })
    }

    @Test(arguments: [
        ("bitwarden/individual.csv", ImportFormat.bitwardenCSV, true), ("keepass/keepass2.xml", .keepassXML, true),
        ("keepass/keepassx2.csv", .keepassXCCSV, true), ("1password/1password.1pif", .onePasswordPIF, true),
        ("keepass/keepass1x.csv", .keepass1CSV, false), ("lastpass/lastpass_old.csv", .lastPassCSV, true),
        ("nordpass/nordpass.csv", .nordPassCSV, true), ("roboform/roboform.csv", .roboFormCSV, true),
        ("keeper/keeper.csv", .keeperCSV, true), ("enpass/enpass.csv", .enpassCSV, false),
        ("1password/1password8.csv", .onePasswordCSV, false), ("chrome/chrome.csv", .chromeCSV, false),
    ])
    func theSameEntriesArrive(file: String, format: ImportFormat, hasGroups: Bool) throws {
        #expect(try Import(others: file).format == format)
        var expected = try Self.entries()
        #expect(expected.count == 14)
        if !hasGroups {
            expected = Set(
                expected.map {
                    var entry = $0; entry.group = ""; return entry
                })
        }
        let found = try found(file, hasGroups: hasGroups)
        if format == .chromeCSV {
            // Not all entries are in that file.
            #expect(found.isSubset(of: expected))
            #expect(found.count >= 8)
        } else {
            #expect(found == expected)
        }
    }

    @Test func firefoxHasThePasswordsOfTheseEntries() throws {
        let found = try Import(others: "firefox/firefox.csv")
        #expect(found.format == .firefoxCSV)
        let pairs = Set(try Self.entries().map { [$0.login, $0.password] })
        #expect(found.records.count >= 10)
        for record in found.records {
            #expect(pairs.contains([record.userName, record.password?.publicText ?? ""]))
            #expect(record.created == 1_600_000_000)
        }
    }

    @Test func codesOfBitwardenAreRead() throws {
        let codes = try Import(others: "bitwarden/totp_only.csv").records.flatMap(\.codes)
        #expect(codes.map(\.issuer) == ["Deno", "SPDX", "Airbnb", ""])
        #expect(codes.map(\.recipe.digits) == [6, 7, 8, 5])
        #expect(codes.last?.recipe.kind == .steam)
    }

    @Test func aRowOfSafariIsRead() throws {
        let record = try #require(try Import(others: "apple-passwords/safari_current.csv").records.first)
        #expect(record.title == "example.com")
        #expect(record.notes?.publicText == "Example note\nMore notes on new line")
        #expect(record.codes.map(\.account) == ["test"])
    }

    @Test func everyKindOfProtonArrives() throws {
        let records = try Import(others: "proton-pass/proton_current.csv").records
        #expect(
            records.map(\.title) == [
                "note title", "login title", "alias title", "credit card title", ":identity-title:",
            ])
        #expect(records[1].urls == ["https://example.com/", "https://proton.me/"])
        #expect(records[1].userName == "john")
        #expect(records[1].fields.map(\.label) == ["Email"])
        #expect(records[2].userName == "aliastitle.skipping290@passdevpremium.com")
        #expect(records[3].credentials.first?.field("pin")?.value?.publicText == "1234")
        #expect(records[3].folder == ["Second vault"])
        #expect(records[4].fields.contains { $0.label == ":hidden-section:" && $0.isHidden })
        #expect(
            records[4].credentials.map(\.type) == [
                .personName, .address, .passport, .driversLicense, .identityDocument,
            ])
    }

    @Test(arguments: [
        ("dashlane/credentials.csv", 1), ("dashlane/payments.csv", 2), ("dashlane/ids.csv", 5),
        ("dashlane/personalInfo.csv", 5), ("dashlane/securenotes.csv", 1),
    ])
    func everyMemberOfDashlanesZipIsRead(file: String, count: Int) throws {
        let found = try Import(others: file)
        #expect(found.format == .dashlaneCSV)
        #expect(found.records.count == count)
        #expect(found.skipped.isEmpty)
        for credential in found.records.flatMap(\.credentials) { try credential.check() }
    }

    @Test func onePassword7OfWindowsIsRead() throws {
        let found = try Import(others: "1password/7_windows_items.csv")
        #expect(found.format == .onePassword7CSV)
        #expect(
            found.records.map(\.title) == [
                "1Password Account", "Identity Item", "test card", "\u{1F389} Welcome to 1Password!",
            ])
        #expect(found.records[0].password?.publicText == "the account's password")
        #expect(found.records[2].credentials.first?.field("number")?.value?.publicText == "4111111111111111")
    }

    @Test func everyItemOfARealExchangeArrives() throws {
        let found = try Import(others: "cxf/real-1password-account.json")
        #expect(found.format == .cxf)
        #expect(!found.records.isEmpty)
        #expect(found.records.allSatisfy { ($0.created ?? 0) < 1_790_000_000 })
        #expect(found.skipped.isEmpty)
    }

    @Test func linksForCodesAreReadLineByLine() throws {
        #expect(try Import(others: "otp/otpauth_uris.txt").records.count == 7)
        #expect(try Import(others: "otp/google_migration.txt").records.count >= 5)
    }
}
