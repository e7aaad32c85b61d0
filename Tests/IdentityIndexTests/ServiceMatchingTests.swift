import AutoFillProtocol
import BrokerTestSupport
import ServiceMatching
import Testing

@testable import IdentityIndex

/// One line of `Tests/Vectors/service-matching.tsv`.
struct MatchingCase: Sendable, CustomTestStringConvertible {
    let line: Int
    let identity: ServiceIdentifier
    let page: ServiceIdentifier
    let expected: ServiceMatch?
    let reason: String

    var testDescription: String { "line \(line): \(identity.identifier) on \(page.identifier): \(reason)" }

    static let all: [MatchingCase] = {
        let lines = (try? Vectors.lines("service-matching.tsv")) ?? []
        return lines.enumerated().compactMap { number, line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard !line.hasPrefix("#"), fields.count == 5, let kind = ServiceIdentifier.Kind(rawValue: fields[0])
            else { return nil }
            return MatchingCase(
                line: number + 1, identity: ServiceIdentifier(fields[1], kind: kind),
                page: ServiceIdentifier(fields[2], kind: .url), expected: ServiceMatch(rawValue: fields[3]),
                reason: fields[4])
        }
    }()
}

@Suite struct ServiceMatchingTests {
    static let suffixes = PublicSuffixes()

    @Test func tableIsRead() throws {
        let lines = try Vectors.lines("service-matching.tsv").filter { !$0.hasPrefix("#") }
        #expect(MatchingCase.all.count == lines.count)
        #expect(MatchingCase.all.count >= 200)
    }

    @Test(arguments: MatchingCase.all)
    func matchesAsTheTableSays(_ row: MatchingCase) {
        let identity = ServiceAddress(row.identity, suffixes: Self.suffixes)
        let page = ServiceAddress(row.page, suffixes: Self.suffixes)
        let match = identity.flatMap { identity in
            page.flatMap { ServiceMatcher.match(identity: identity, page: $0) }
        }
        #expect(match == row.expected)
    }

    /// What the store's queries offer on a page is what the rule says of every identity, for all of them at once.
    @Test func storeOffersWhatTheRuleSays() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/all.sqlite"
        let writer = try StoreFile(path: path).writer()
        let identities = Set(MatchingCase.all.map(\.identity)).map {
            CredentialIdentity(kind: .password, service: $0, user: "ada", recordIdentifier: nil)
        }
        _ = try await writer.write(
            .init(operation: .save, identities: identities), owner: ObjectIdentifier(folder), now: .init(nanoseconds: 0)
        )
        let reader = try StoreFile(path: path).reader()
        for page in Set(MatchingCase.all.map(\.page)) {
            guard let page = ServiceAddress(page, suffixes: Self.suffixes) else { continue }
            let expected = identities.compactMap { identity in
                ServiceAddress(identity.service, suffixes: Self.suffixes)
                    .flatMap { ServiceMatcher.match(identity: $0, page: page) }
                    .map { IdentityMatch(identity: identity, match: $0, used: 0) }
            }
            let (found, total) = try await reader.matches(page, limit: 1000)
            #expect(Set(found) == Set(expected), "\(page)")
            #expect(total == expected.count)
        }
    }

    @Test(arguments: [
        ("https://m.example.com:8443/login", ["https://m.example.com:8443/login", "m.example.com", "example.com"]),
        ("https://example.com/", ["https://example.com/", "example.com"]),
        ("https://localhost:8080/", ["https://localhost:8080/", "localhost"]),
        ("https://[2001:DB8::1]/", ["https://[2001:DB8::1]/", "[2001:db8::1]"]),
        ("https://github.io/", ["https://github.io/", "github.io"]),
        ("no page", ["no page"]),
    ])
    func expandsMostSpecificFirst(page: String, expected: [String]) {
        let services = ServiceAddress.expanded(ServiceIdentifier(page, kind: .url), suffixes: Self.suffixes)
        #expect(services.map(\.identifier) == expected)
    }
}
