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
        ("163.com", "163.com", "minlength: 6; maxlength: 16;"),
        ("mail.163.com", "163.com", "minlength: 6; maxlength: 16;"),
        ("MAIL.163.com", "163.com", "minlength: 6; maxlength: 16;"), ("not163.com", "not163.com", nil),
        ("com", nil, nil), ("", nil, nil), ("163.com.example", "com.example", nil),
    ])
    func rulesAreThoseOfTheSite(host: String, site: String?, rules: String?) {
        #expect(quirks.passwordRules(of: host, in: site) == rules)
    }

    /// `myshopify.com` is in the lists, and whoever wants one has a name below it.
    @Test func whatIsAboveASiteIsNotAboutIt() throws {
        let folder = try TemporaryFolder()
        let suffix = "shops.example"
        try folder.write("password-rules.json", #"{"shops.example": {"password-rules": "minlength: 9"}}"#)
        try folder.write("shared-credentials.json", #"[{"shared": ["shops.example", "bank.example"]}]"#)
        try folder.write("change-password-URLs.json", #"{"shops.example": "https://bank.example/"}"#)
        try folder.write("websites-that-append-2fa-to-password.json", #"["shops.example"]"#)
        let quirks = SiteQuirks(folder: folder.path)
        for host in ["mallory.shops.example", "www.mallory.shops.example"] {
            let site = "mallory.shops.example"
            #expect(quirks.sitesSharing(with: host, in: site) == [])
            #expect(quirks.passwordRules(of: host, in: site) == nil)
            #expect(quirks.changePasswordPage(of: host, in: site) == nil)
            #expect(!quirks.appendsCode(host, in: site))
        }
        // The suffix itself, as a host, is what the list names.
        #expect(quirks.sitesSharing(with: suffix, in: nil) == ["bank.example"])
        #expect(quirks.appendsCode(suffix, in: nil))
    }

    @Test func aRuleForOneHostIsForNoOther() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "password-rules.json",
            #"{"a.example": {"password-rules": "minlength: 9", "exact-domain-match-only": true}}"#)
        let quirks = SiteQuirks(folder: folder.path)
        #expect(quirks.passwordRules(of: "a.example", in: "a.example") == "minlength: 9")
        #expect(quirks.passwordRules(of: "b.a.example", in: "a.example") == nil)
    }

    @Test func accountsAreSharedAsTheListSays() {
        let sites = quirks.sitesSharing(with: "www.airbnb.de", in: "airbnb.de")
        #expect(sites.contains("airbnb.com") && !sites.contains("airbnb.de"))
        // A site that has taken the place of another knows its accounts, and not the other way.
        #expect(quirks.sitesSharing(with: "hosting.com", in: "hosting.com") == ["a2hosting.com"])
        #expect(quirks.sitesSharing(with: "a2hosting.com", in: "a2hosting.com") == [])
        // What was so once says nothing of today.
        #expect(quirks.sitesSharing(with: "alltrails.com", in: "alltrails.com") == [])
        #expect(quirks.sitesSharing(with: "unknown.example", in: "unknown.example") == [])
    }

    @Test func knowsWherePasswordsAreChanged() {
        #expect(
            quirks.changePasswordPage(of: "247sports.com", in: "247sports.com")
                == "https://247sports.com/my/settings/password/")
        #expect(quirks.changePasswordPage(of: "unknown.example", in: "unknown.example") == nil)
    }

    @Test func knowsWhereACodeFollowsThePassword() {
        #expect(quirks.appendsCode("us.etrade.com", in: "etrade.com"))
        #expect(!quirks.appendsCode("example.com", in: "example.com"))
    }

    @Test(arguments: ["", "{", "[]", #"{"163.com": 5}"#])
    func knowsNothingFromADamagedFile(text: String) throws {
        let folder = try TemporaryFolder()
        for name in ["password-rules", "shared-credentials", "change-password-URLs"] {
            try folder.write("\(name).json", text)
        }
        let quirks = SiteQuirks(folder: folder.path)
        #expect(quirks.passwordRules(of: "163.com", in: "163.com") == nil)
        #expect(quirks.sitesSharing(with: "163.com", in: "163.com") == [])
        #expect(quirks.changePasswordPage(of: "163.com", in: "163.com") == nil)
        #expect(!SiteQuirks(folder: "/nonexistent").appendsCode("usaa.com", in: "usaa.com"))
    }
}
