import Importing
import KeywayCrypto
import SecretDocuments
import Testing

@testable import BrowserPasswords

@Suite("logins of Firefox") struct FirefoxLoginsTests {
    private func text(_ text: String) -> SecretText { SecretText(copyingUTF8Of: text) }

    /// Reads the text of a file in which nothing is encrypted.
    private func read(_ json: String) throws -> (records: [ImportedRecord], skipped: [SkippedEntry]) {
        var (records, skipped, leftOut) = ([ImportedRecord](), [SkippedEntry](), LeftOut())
        let take = { (event: ImportEvent) throws(ImportError) in
            switch event {
            case .record(let record): records.append(record)
            case .item: Issue.record("a stored password is no item of CXF")
            case .skipped(let entry): skipped.append(entry)
            }
        }
        try Array(json.utf8).withUnsafeBytes { bytes in
            try FirefoxLogins.read(bytes, &leftOut, take) { text in
                text == self.text("?") ? nil : text.withUnsafeBytes { SecretBytes(copying: $0) }
            }
        }
        try leftOut.tell(take)
        return (records, skipped)
    }

    @Test func aLoginIsARecordWithItsTimesInSeconds() throws {
        let found = try read(
            """
            {"nextId":2,"logins":[{"hostname":"https://www.a.example","httpRealm":"x","encType":1,
            "encryptedUsername":"ada","encryptedPassword":"one","timeCreated":1795693254556}],"version":3}
            """)
        let record = try #require(found.records.first)
        #expect(record.title == "a.example" && record.userName == "ada" && record.password == text("one"))
        #expect(record.isForHTTP && record.created == 1_795_693_254 && record.modified == nil)
    }

    @Test(arguments: [
        (#"{"hostname":"https://a","encryptedUsername":"ada","encryptedPassword":"?"}"#, "keys of this profile"),
        (#"{"hostname":"https://a","encryptedUsername":"ada","encryptedPassword":""}"#, "No password"),
        (#"{"hostname":"https://a","encryptedUsername":"ada","encryptedPassword":"a\u0000b"}"#, "no text"),
        (#"{"hostname":"https://a","encType":2,"encryptedUsername":"ada","encryptedPassword":"a"}"#, "doesn't know"),
        (#"{"hostname":"chrome://FirefoxAccounts","encryptedUsername":"a","encryptedPassword":"b"}"#, "itself"),
        (#"{"hostname":"https://a","encryptedUsername":7}"#, "keys of this profile"), ("7", "no login"),
    ])
    func whatIsNoPasswordIsCounted(login: String, reason: String) throws {
        let found = try read(#"{"logins":[\#(login),\#(login)]}"#)
        #expect(found.records.isEmpty && found.skipped.count == 1)
        #expect(found.skipped.first?.place.hasPrefix("2 ") == true)
        #expect(found.skipped.first?.reason.contains(reason) == true)
    }

    @Test(arguments: ["", "{", #"{"logins":[{]}"#, #"{"logins":[],"logins":[]}"#, "\u{0}"])
    func damageIsAnError(json: String) {
        #expect(throws: ImportError.self) { try read(json) }
    }

    // MARK: - What is encrypted

    /// AES with 256 bits, as Firefox 153 wrote it.
    private let sample =
        "MEMEEPgAAAAAAAAAAAAAAAAAAAEwHQYJYIZIAWUDBAEqBBDJv5ht+yppEJmaCvLDHLC7BBBjlVcqd8HKWPNlT+5VL2Oz"

    @Test func anEncryptedTextHasACipherAVectorAndBlocks() throws {
        let login = try #require(EncryptedLogin(base64: text(sample)))
        #expect(login.cipher == .aes256 && login.vector.count == 16 && login.message.count == 16)
        #expect(login.vector.first == 0xC9 && login.message.last == 0xB3)
    }

    @Test func everyTruncationAndEveryByteTooManyIsNone() throws {
        let whole = try #require(SecretBytes(base64: SecretBytes(copying: Array(sample.utf8)))).withUnsafeBytes {
            Array($0)
        }
        #expect(EncryptedLogin(whole) != nil)
        for count in 0..<whole.count { #expect(EncryptedLogin(Array(whole.prefix(count))) == nil) }
        #expect(EncryptedLogin(whole + [0]) == nil)
    }

    @Test func aFlippedBitIsNeverMoreThanAnotherText() throws {
        let whole = try #require(SecretBytes(base64: SecretBytes(copying: Array(sample.utf8)))).withUnsafeBytes {
            Array($0)
        }
        for index in whole.indices {
            for bit in 0..<8 {
                var changed = whole
                changed[index] ^= 1 << bit
                if let login = EncryptedLogin(changed) { #expect(login.message.count % login.cipher.blockCount == 0) }
            }
        }
    }

    @Test(
        arguments: [
            ([1, 2, 3, 5, 5, 5, 5, 5], [1, 2, 3]), ([8, 8, 8, 8, 8, 8, 8, 8], []), ([1, 2, 3, 4, 5, 6, 7, 0], nil),
            ([1, 2, 3, 4, 5, 6, 7, 9], nil), ([1, 2, 3, 4, 5, 3, 2, 3], nil), ([], nil),
        ] as [([UInt8], [UInt8]?)])
    func paddingIsRemovedWhereItIsRight(blocks: [UInt8], content: [UInt8]?) {
        let found = blocks.withUnsafeBytes { FirefoxKeys.unpadded($0, 8) }
        #expect(found.map { $0.withUnsafeBytes { Array($0) } } == content)
    }
}
