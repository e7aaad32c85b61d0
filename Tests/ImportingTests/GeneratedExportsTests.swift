import Testing

@testable import Importing

/// What a format has no place for, with the section of the description of the formats that says so.
struct Lack: Sendable, CustomTestStringConvertible {
    let file: String
    let format: ImportFormat
    /// The section, and what it says.
    let section: String
    /// Takes away from a record what the format cannot hold.
    let remove: @Sendable (inout Record) -> Void
    /// The titles of records that the format leaves out altogether.
    var absent: Set<String> = []
    /// How many entries, also among those that stand beside the records, have a notice.
    var notices = 0
    /// The file's password, where it has one.
    var password: String?

    var testDescription: String { file }

    init(
        _ file: String, _ format: ImportFormat, _ section: String, absent: Set<String> = [], notices: Int = 0,
        password: String? = nil, _ remove: @escaping @Sendable (inout Record) -> Void
    ) {
        self.file = file
        self.format = format
        self.section = section
        self.absent = absent
        self.remove = remove
        self.notices = notices
        self.password = password
    }
}

extension Record {
    mutating func removePasskey() { passkey = nil }
    mutating func removeDates() { (created, modified) = (nil, nil) }
    mutating func removeFolder() { folder = [] }
    mutating func removeFurtherAddresses() { urls = Array(urls.prefix(1)) }
    /// A bare secret says neither whose it is, nor how its codes are made.
    mutating func removeAllOfCodeButSecret() { totp = totp.map { Code(secret: $0.secret) } }
}

@Suite("exports of known records")
struct GeneratedExportsTests {
    static let all: [Lack] = [
        Lack(
            "apple-passwords/generated_passwords.csv", .appleCSV,
            "4.0, Apple Passwords: no passkeys, one URL a row, no folders, no dates"
        ) {
            $0.removePasskey(); $0.removeDates(); $0.removeFolder(); $0.removeFurtherAddresses()
            $0.favorite = false; $0.custom = []
        },
        Lack(
            "bitwarden/generated_individual.csv", .bitwardenCSV,
            "4.0, Bitwarden CSV: no passkeys, no dates; 4.1: `name: value` lines say not what is hidden"
        ) {
            $0.removePasskey(); $0.removeDates()
            // What is hidden isn't noted, so that everything is.
            $0.custom = $0.custom.map { Record.Field($0.label, $0.value, true) }
        },
        Lack(
            "chrome/generated_chrome.csv", .chromeCSV,
            "4.5: name, url, username, password, note; no entry without an address", absent: ["Empty"]
        ) {
            $0.removePasskey(); $0.removeDates(); $0.removeFolder(); $0.removeFurtherAddresses()
            $0.favorite = false; $0.custom = []; $0.totp = nil
        },
        Lack(
            "firefox/generated_firefox.csv", .firefoxCSV,
            "4.5: url (the origin), username, password and times; no titles, no apps", absent: ["Empty", "Android app"]
        ) {
            $0.removePasskey(); $0.removeFolder(); $0.removeFurtherAddresses()
            $0.favorite = false; $0.custom = []; $0.totp = nil; $0.notes = ""
            $0.urls = $0.urls.map { "https://\($0.host)" }
            $0.title = $0.urls.first?.host ?? ""
        },
        Lack(
            "1password/generated_1password8.csv", .onePasswordCSV,
            "4.0, 1Password CSV: no passkeys, first URL, tags in place of folders, no dates"
        ) {
            $0.removePasskey(); $0.removeDates(); $0.removeFolder(); $0.removeFurtherAddresses(); $0.custom = []
        },
        Lack(
            "keepass/generated_keepassxc.csv", .keepassXCCSV,
            "4.4: Group, Title, Username, Password, URL, Notes, TOTP, Icon, Last Modified, Created"
        ) {
            $0.removePasskey(); $0.removeFurtherAddresses(); $0.favorite = false; $0.custom = []
        },
        Lack(
            "lastpass/generated_current.csv", .lastPassCSV,
            "4.3: url, username, password, totp (a base32 secret), extra, name, grouping, fav"
        ) {
            $0.removePasskey(); $0.removeDates(); $0.removeFurtherAddresses(); $0.removeAllOfCodeButSecret();
            $0.custom = []
        },
        Lack("lastpass/generated_html_escaped.csv", .lastPassCSV, "4.3, the same as a copied page has it") {
            $0.removePasskey(); $0.removeDates(); $0.removeFurtherAddresses(); $0.removeAllOfCodeButSecret();
            $0.custom = []
        },
        Lack("nordpass/generated_current.csv", .nordPassCSV, "4.0, NordPass: no passkeys, no one-time codes, no dates")
        {
            $0.removePasskey(); $0.removeDates(); $0.favorite = false; $0.totp = nil
        },
        Lack("proton-pass/generated_export.csv", .protonCSV, "4.7, CSV: no passkeys, no custom fields, no favourites") {
            $0.removePasskey(); $0.favorite = false; $0.custom = []
        },
        Lack(
            "proton-pass/generated_export.zip", .protonZip,
            "4.7: the file has no key of its passkey (`content`, their own binary coding, is empty)", notices: 2
        ) { $0.removePasskey() },
        Lack(
            "1password/generated.1pux", .onePasswordPUX,
            "4.0, 1PUX: no passkeys; tags in place of folders within a vault",
            notices: 2
        ) {
            $0.removePasskey()
            $0.removeFolder()
        },
        Lack(
            "dashlane/generated_dashlane.zip", .dashlaneZip,
            "4.6: username, title, password, note, url, category, otpSecret"
        ) {
            $0.removePasskey()
            $0.removeDates()
            $0.removeFurtherAddresses()
            $0.removeAllOfCodeButSecret()
            $0.favorite = false
            $0.custom = []
        },
        Lack(
            "apple-passwords/generated_browser_data.zip", .appleZip, "4.5: the CSV of Apple Passwords in an archive"
        ) {
            $0.removePasskey()
            $0.removeDates()
            $0.removeFolder()
            $0.removeFurtherAddresses()
            $0.favorite = false
            $0.custom = []
        },
        Lack(
            "keepass/generated_keepass2.xml", .keepassXML,
            "4.4: no favourites; KeeOtp's form of a code says not whose it is; passkeys have no display name"
        ) {
            $0.favorite = false
            // The file was made by a library that notes when it makes an entry.
            ($0.created, $0.modified) = (1_795_264_891, 1_795_264_891)
            $0.passkey?.userDisplayName = "ada"
            if $0.totp?.algorithm != nil {
                $0.totp?.issuer = ""
                $0.totp?.account = ""
            }
        },
        Lack(
            "keepass/generated_kdbx4.kdbx", .keepassDatabase, "4.4: likewise", password: "correct horse"
        ) {
            $0.favorite = false
            ($0.created, $0.modified) = (1_795_264_891, 1_795_264_891)
            $0.passkey?.userDisplayName = "ada"
            if $0.totp?.algorithm != nil {
                $0.totp?.issuer = ""
                $0.totp?.account = ""
            }
        },
        Lack(
            "bitwarden/generated_individual.json", .bitwardenJSON, "4.0, Bitwarden JSON: has everything",
            notices: 2
        ) { _ in },
        Lack(
            "proton-pass/generated_data.json", .protonJSON,
            "4.7: the file has no key of its passkey (`content`, their own binary coding, is empty)", notices: 2
        ) { $0.removePasskey() },
    ]

    @Test(arguments: all)
    func everythingThatTheFormatHoldsArrives(lack: Lack) throws {
        let found = try Import(own: lack.file, password: lack.password)
        #expect(found.format == lack.format)
        var expected = try Fixtures.records().filter { !lack.absent.contains($0.title) }
        for index in expected.indices { lack.remove(&expected[index]) }
        for expected in expected {
            let record = try #require(
                found.records.map(Record.init).first { $0.title == expected.title }, "\(expected)")
            #expect(record == expected, "\(lack.section)")
        }
        #expect(found.records.filter { !$0.notices.isEmpty }.count == lack.notices)
        #expect(found.skipped.allSatisfy { $0.reason.contains("trash") })
    }

    @Test(arguments: all.map(\.file))
    func noFlippedBitCrashes(file: String) throws {
        var bytes = try Fixtures.bytes(file)
        for index in stride(from: 0, to: bytes.count, by: 1 + bytes.count / 120) {
            let bit = UInt8(1) << UInt8(index % 8)
            bytes[index] ^= bit
            _ = try? Import(bytes)
            bytes[index] ^= bit
        }
    }

    @Test(arguments: all.map(\.file))
    func noTruncatedFileCrashesOrTellsOfItsSecrets(file: String) throws {
        let bytes = try Fixtures.bytes(file)
        let secrets = try Fixtures.records().map(\.password).filter { $0.count > 4 }
        for percent in 0..<100 {
            do {
                let found = try Import(Array(bytes[..<(bytes.count * percent / 100)]))
                let words = found.skipped.map { $0.place + $0.reason } + found.records.flatMap(\.notices)
                for text in words { #expect(!secrets.contains { text.contains($0) }) }
            } catch let error as ImportError {
                let text = "\(error) \(error.advice)"
                #expect(!secrets.contains { text.contains($0) })
            }
        }
    }
}
