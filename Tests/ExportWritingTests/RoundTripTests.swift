import CredentialExchange
import SecretDocuments
import Testing

@testable import ExportWriting
@testable import Importing

/// Ours, another format, ours: what `Docs/exchange.md` names as lost is lost, and nothing else.
@Suite("exports that are read again")
struct RoundTripTests {
    /// What each format keeps of a record; nil where it has no place for it at all.
    private static func kept(_ record: Seen, _ format: ExportFormat) -> [Seen] {
        var kept = record
        guard format != .keepassDatabase else {
            (kept.isFavorite, kept.isForHTTP) = (false, false)
            kept.fields.sort { $0.lexicographicallyPrecedes($1) }
            // Every entry of KeePass has times.
            (kept.created, kept.modified) = (record.created ?? 1_790_000_000, record.modified ?? 1_790_000_000)
            return [kept]
        }
        (kept.passkeys, kept.created, kept.modified) = ([], nil, nil)
        let sites = record.urls.filter { !$0.hasPrefix("androidapp://") }
        switch format {
        case .bitwardenCSV:
            kept.fields = kept.fields.filter { !$0[1].contains("\n") }.map { [$0[0], $0[1], "hidden"] }
            kept.isForHTTP = false
            return [kept]
        case .firefoxCSV:
            (kept.notes, kept.codes, kept.tags, kept.folder, kept.fields, kept.isFavorite) = ("", [], [], [], [], false)
            (kept.created, kept.modified) = (record.created, record.modified)
            var origins: [String] = []
            for site in sites {
                let origin = site.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)[0..<3]
                    .joined(separator: "/")
                if !origins.contains(origin) { origins.append(origin) }
            }
            guard !record.password.isEmpty else { return [] }
            return origins.map { origin in
                var row = kept
                let host = origin.split(separator: "/").last.map(String.init) ?? ""
                (row.urls, row.title) = ([origin], host.hasPrefix("www.") ? String(host.dropFirst(4)) : host)
                return row
            }
        default:
            (kept.tags, kept.folder, kept.fields, kept.isFavorite, kept.isForHTTP) = ([], [], [], false, false)
            if format == .chromeCSV { kept.codes = [] }
            guard !record.password.isEmpty || format == .appleCSV && !kept.codes.isEmpty else { return [] }
            return (sites.isEmpty ? [""] : sites).map { site in
                var row = kept
                row.urls = site.isEmpty ? [] : [site]
                return row
            }
        }
    }

    @Test(arguments: ExportFormat.allCases.filter { $0 != .exchangePackage })
    func theGeneratedRecordsAreTheSameAfterwards(format: ExportFormat) throws {
        // What isn't a login has tests of its own.
        let records = try Written.generated().filter { $0.credentials.isEmpty }
        #expect(records.count > 5)
        let written = try Written(records, as: format)
        let found = try written.read()
        #expect(found.format.rawValue == format.rawValue)
        let expected = records.flatMap { Self.kept(Seen($0), format) }
        var seen = found.records.map(Seen.init)
        if format == .keepassDatabase {
            for index in seen.indices { seen[index].fields.sort { $0.lexicographicallyPrecedes($1) } }
            #expect(seen.sorted { $0.title < $1.title } == expected.sorted { $0.title < $1.title })
        } else {
            #expect(seen == expected)
        }
        #expect(written.report.entries == expected.count)
        // Whatever was left out is told, by its item.
        let told = Set(written.report.losses.map(\.title))
        for record in records where Self.kept(Seen(record), format) != [Seen(record)] && record.hasMoreThanTimes(format)
        {
            #expect(told.contains(record.title), "\(record.title)")
        }
    }

    /// KeePass has a place for everything, if only as a field.
    @Test func whatIsNoLoginIsFieldsOfKeePass() throws {
        let records = [
            record("Card") {
                $0.add(.creditCard, [("number", "4111".field(.concealed)), ("fullName", "Ada".field())])
            },
            record("Section") { record in
                let fields = [ExchangeField(.concealed, SecretText(copyingUTF8Of: "1234"), label: "Door")]
                record.add(
                    .customFields,
                    [("label", .text("Home")), ("fields", .array(fields.map { .object($0.object) }))])
            },
            record("Unknown") { record in
                record.add(
                    ExchangeCredentialType(rawValue: "telepathy"),
                    [("range", .number("7")), ("parts", .array([.text("a"), .boolean(true)]))])
            },
        ]
        let written = try Written(records, as: .keepassDatabase)
        let found = try written.read().records.map(Seen.init).sorted { $0.title < $1.title }
        #expect(
            found.map { Set($0.fields) } == [
                [["credit-card: number", "4111", "hidden"], ["credit-card: fullName", "Ada", ""]],
                [["Home: Door", "1234", "hidden"]],
                [["telepathy: range", "7", "hidden"], ["telepathy: parts", "[\"a\",true]", "hidden"]],
            ])
        #expect(written.report.losses.map(\.title) == ["Card", "Section", "Unknown"])
    }

    /// Passwords that a reader could change: quotation marks, line ends, blanks, separators, signs of every script.
    @Test(arguments: ExportFormat.allCases.filter { $0 != .exchangePackage })
    func noPasswordIsChanged(format: ExportFormat) throws {
        let passwords = [
            "\"", "\"\"", "a\"b", ",", ";", "\t", " a ", "a\nb", "a\r\nb", "a\rb", "\\", "\\\"", "'", "é🔑", "=1+1", "+",
            "-",
            "@SUM(A1)", "\tx", "\rx", "%0A", "&amp;", "\u{FEFF}x",
        ]
        let records = passwords.enumerated().map { number, password in
            record("Title \(number)", password) { $0.urls = ["https://a\(number).example"] }
        }
        let found = try Written(records, as: format).read().records
        let byAddress = Dictionary(found.map { ($0.urls.first ?? "", $0.password?.publicText) }) { first, _ in first }
        for (number, password) in passwords.enumerated() {
            #expect(byAddress["https://a\(number).example"] == password)
        }
    }
}

extension ImportedRecord {
    /// Whether the format leaves out more of it than when it was made, which is told of the whole file.
    fileprivate func hasMoreThanTimes(_ format: ExportFormat) -> Bool {
        switch format {
        case .bitwardenCSV: !passkeys.isEmpty || isForHTTP
        case .keepassDatabase: isFavorite || isForHTTP
        default: !passkeys.isEmpty || isFavorite || !fields.isEmpty || !folder.isEmpty
        }
    }
}
