import CodeLinks
import PassEntries
import SecretDocuments
import Testing

@testable import Importing

@Suite("entries of pass") struct PassImportTests {
    private func bundle(_ parts: [(EntryBundle.Kind, String, [UInt8])]) -> [UInt8] {
        parts.reduce(EntryBundle.signature) { bytes, part in
            bytes + EntryBundle.header(part.0, name: part.1.utf8.count, bytes: part.2.count) + Array(part.1.utf8)
                + part.2
        }
    }

    private func read(_ bytes: [UInt8]) throws -> (records: [ImportedRecord], skipped: [SkippedEntry]) {
        var (records, skipped) = ([ImportedRecord](), [SkippedEntry]())
        try bytes.withUnsafeBytes { bytes in
            let source = ImportSource(bytes, now: 1_790_000_000)
            try Importer.read(source, as: try ImportFormat.recognize(bytes)) { (event) throws(ImportError) in
                switch event {
                case .record(let record): records.append(record)
                case .item: Issue.record("an entry of pass is no item of CXF")
                case .skipped(let entry): skipped.append(entry)
                }
            }
        }
        return (records, skipped)
    }

    private func record(_ name: String, _ text: String) throws -> ImportedRecord {
        try #require(try read(bundle([(.contents, name, Array(text.utf8))])).records.first)
    }

    @Test func theFirstLineIsThePasswordAndTheRestWhatItSays() throws {
        let record = try record(
            "Web/example.com/grace",
            "first\nlogin: ada\nurl: https://a.example/x\nPIN: 1\n\nnote: with a key\nhttps://no.key/\n\nlast\n\n")
        #expect(record.title == "example.com" && record.userName == "ada" && record.folder == ["Web"])
        #expect(record.password == SecretText(copyingUTF8Of: "first"))
        #expect(record.urls == ["example.com", "https://a.example/x"])
        #expect(record.fields.map(\.label) == ["PIN", "note"] && record.fields.allSatisfy(\.isHidden))
        #expect(record.notes == SecretText(copyingUTF8Of: "https://no.key/\n\nlast"))
    }

    @Test func everyLinkIsACodeAndAnEntryOfCodesHasNoPassword() throws {
        let link = "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ"
        let record = try record("otp/example.com/ada", "\(link)\n\(link)X\n")
        #expect(record.password == nil && record.codes.count + record.fields.count == 2 && record.userName == "ada")
    }

    @Test func reasonsAndFormerFormatsAreLeftOut() throws {
        let found = try read(
            bundle([
                (.reason, "a", Array("The key is locked.".utf8)),
                (.contents, "b", Array("GOPASS-SECRET-1.0\nPassword: x\n".utf8)),
                (.contents, "c", [0xFF, 0xFE]), (.contents, "d", Array("a\0b".utf8)),
            ]))
        #expect(found.records.isEmpty && found.skipped.map(\.place) == ["a", "b", "c", "d"])
        #expect(found.skipped.map { $0.reason.split(separator: " ").count > 2 } == [true, true, true, true])
    }

    @Test(arguments: ["", "../a", "a//b", "/a", "a/..", "."]) func aNameThatLeadsElsewhereIsDamage(name: String) {
        #expect(throws: ImportError(.damaged, "")) { try read(bundle([(.contents, name, [1])])) }
    }

    @Test func everyTruncationIsAnErrorOrEndsBetweenEntries() throws {
        let one = (EntryBundle.Kind.contents, "example.com/ada", Array("secret\nuser: x\n".utf8))
        let whole = bundle([one, one])
        let between = [EntryBundle.signature.count, bundle([one]).count, whole.count]
        for count in EntryBundle.signature.count...whole.count {
            let found = try? read(Array(whole.prefix(count)))
            #expect((found != nil) == between.contains(count))
        }
    }

    @Test func aFlippedBitIsAnErrorOrAnotherEntry() {
        let whole = bundle([(.contents, "example.com/ada", Array("secret\nuser: x\n".utf8))])
        var outcomes = 0
        for index in EntryBundle.signature.count..<whole.count {
            for bit in 0..<8 {
                var changed = whole
                changed[index] ^= 1 << bit
                outcomes += (try? read(changed)).map { $0.records.count + $0.skipped.count } ?? 1
            }
        }
        #expect(outcomes == (whole.count - EntryBundle.signature.count) * 8)
    }
}
