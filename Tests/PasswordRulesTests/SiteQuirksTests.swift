import Testing

@testable import PasswordRules

/// The data that ships.
enum Quirks {
    static let folder =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Packaging/share/quirks"
}

@Suite struct SiteQuirksTests {
    private let quirks = SiteQuirks(folder: Quirks.folder)

    @Test(arguments: [
        ("163.com", "minlength: 6; maxlength: 16;"), ("mail.163.com", "minlength: 6; maxlength: 16;"),
        ("MAIL.163.com", "minlength: 6; maxlength: 16;"), ("not163.com", nil), ("com", nil), ("", nil),
        ("163.com.example", nil),
    ])
    func rulesAreThoseOfTheSite(host: String, rules: String?) {
        #expect(quirks.passwordRules(of: host) == rules)
    }

    @Test func aRuleForOneHostIsForNoOther() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "password-rules.json",
            #"{"a.example": {"password-rules": "minlength: 9", "exact-domain-match-only": true}}"#)
        let quirks = SiteQuirks(folder: folder.path)
        #expect(quirks.passwordRules(of: "a.example") == "minlength: 9")
        #expect(quirks.passwordRules(of: "b.a.example") == nil)
    }

    @Test func accountsAreSharedAsTheListSays() {
        let sites = quirks.sitesSharing(with: "www.airbnb.de")
        #expect(sites.contains("airbnb.com") && !sites.contains("airbnb.de"))
        // A site that has taken the place of another knows its accounts, and not the other way.
        #expect(quirks.sitesSharing(with: "hosting.com") == ["a2hosting.com"])
        #expect(quirks.sitesSharing(with: "a2hosting.com") == [])
        // What was so once says nothing of today.
        #expect(quirks.sitesSharing(with: "alltrails.com") == [])
        #expect(quirks.sitesSharing(with: "unknown.example") == [])
    }

    @Test func knowsWherePasswordsAreChanged() {
        #expect(quirks.changePasswordPage(of: "247sports.com") == "https://247sports.com/my/settings/password/")
        #expect(quirks.changePasswordPage(of: "unknown.example") == nil)
    }

    @Test func knowsWhereACodeFollowsThePassword() {
        #expect(quirks.appendsCode("us.etrade.com"))
        #expect(!quirks.appendsCode("example.com"))
    }

    @Test(arguments: ["", "{", "[]", #"{"163.com": 5}"#])
    func knowsNothingFromADamagedFile(text: String) throws {
        let folder = try TemporaryFolder()
        for name in ["password-rules", "shared-credentials", "change-password-URLs"] {
            try folder.write("\(name).json", text)
        }
        let quirks = SiteQuirks(folder: folder.path)
        #expect(quirks.passwordRules(of: "163.com") == nil)
        #expect(quirks.sitesSharing(with: "163.com") == [])
        #expect(quirks.changePasswordPage(of: "163.com") == nil)
        #expect(!SiteQuirks(folder: "/nonexistent").appendsCode("usaa.com"))
    }
}
