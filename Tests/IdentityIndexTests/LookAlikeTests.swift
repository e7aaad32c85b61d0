import AutoFillProtocol
import BrokerTestSupport
import FoundationEssentials
import ServiceMatching
import Testing

@testable import IdentityIndex

/// One line of `Tests/Vectors/look-alikes.tsv`.
struct LookAlike: Sendable, CustomTestStringConvertible {
    let line: Int
    let page: String
    /// Who is offered and how the account fits, such as `bank:origin`; nil for nobody.
    let expected: String?
    let reason: String

    var testDescription: String { "line \(line): \(page): \(reason)" }

    static let all: [LookAlike] = {
        let lines = (try? Vectors.lines("look-alikes.tsv")) ?? []
        return lines.enumerated().compactMap { number, line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard !line.hasPrefix("#"), fields.count == 3 else { return nil }
            return LookAlike(
                line: number + 1, page: fields[0], expected: fields[1] == "-" ? nil : fields[1], reason: fields[2])
        }
    }()

    /// The accounts that the head of the table names.
    static let accounts = [
        "bank": "https://bank.example", "uk": "https://bank.co.uk", "pages": "https://ada.github.io",
        "blog": "https://alice.blogspot.com", "books": "https://bücher.example", "four": "https://192.0.2.1",
        "six": "https://[2001:db8::1]", "router": "https://router.example:8443", "printer": "http://printer.example",
        "local": "http://localhost:3000", "shop": "https://login.shop.example",
    ]
}

/// Hosts that look like those of stored accounts, with all of the accounts in the store at once.
@Suite struct LookAlikeTests {
    private static let suffixes = PublicSuffixes()

    @Test func theTableIsWholeAndItsHeadNamesTheAccounts() throws {
        let lines = try Vectors.lines("look-alikes.tsv")
        #expect(LookAlike.all.count == lines.filter { !$0.hasPrefix("#") }.count)
        #expect(LookAlike.all.filter { $0.expected == nil }.count >= 200)
        let head = lines.prefix { $0.hasPrefix("#") }.joined(separator: " ")
        for (name, address) in LookAlike.accounts { #expect(head.contains("\(name) \(address)")) }
    }

    @Test func everyPageIsOfferedWhatTheTableSays() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/all.sqlite"
        let writer = try StoreFile(path: path).writer()
        let identities = LookAlike.accounts.map { name, address in
            CredentialIdentity(
                kind: .password, service: ServiceIdentifier(address, kind: .url), user: name, recordIdentifier: name)
        }
        _ = try await writer.write(
            .init(operation: .save, identities: identities), owner: ObjectIdentifier(folder), now: .init(nanoseconds: 0)
        )
        let reader = try StoreFile(path: path).reader()
        for row in LookAlike.all {
            let page = ServiceAddress(ServiceIdentifier(row.page, kind: .url), suffixes: Self.suffixes)
            let found = try await page.asyncMap { try await reader.matches($0, limit: 100).found } ?? []
            let offered = found.map { "\($0.identity.user):\($0.match.rawValue)" }
            #expect(offered == (row.expected.map { [$0] } ?? []), "\(row.testDescription)")
        }
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ body: (Wrapped) async throws -> Result) async rethrows -> Result? {
        if let self { try await body(self) } else { nil }
    }
}
