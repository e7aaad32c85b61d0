import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywaySystem
import ServiceMatching
import Synchronization
import Testing

@testable import AutoFillBroker

/// Which other sites a relying party lets use its passkeys.
@Suite(.timeLimit(.minutes(5))) struct RelatedOriginTests {
    /// What sites say of themselves, and how often they were asked.
    private final class Documents: RelatedOriginSource {
        let asked = Mutex<[String]>([])
        let origins: Mutex<[String: [String]]>

        init(_ origins: [String: [String]]) {
            self.origins = Mutex(origins)
        }

        func origins(of identifier: String) async throws(ProtocolError) -> [String] {
            asked.withLock { $0.append(identifier) }
            guard let origins = origins.withLock({ $0[identifier] }) else { throw ProtocolError(.notFound, "none") }
            return origins
        }
    }

    private let suffixes = PublicSuffixes()

    private func page(_ url: String) throws -> ServiceAddress {
        try #require(ServiceAddress(ServiceIdentifier(url, kind: .url), suffixes: suffixes))
    }

    private func names(_ url: String, _ origins: [String]) throws -> Bool {
        RelatedOrigins.names(try page(url), origins, suffixes)
    }

    @Test(arguments: [
        ("https://example.co.uk/x", ["https://example.co.uk"], true),
        ("https://example.co.uk/", ["https://example.de", "https://example.co.uk"], true),
        ("https://example.co.uk/", ["https://www.example.co.uk"], false),
        ("https://www.example.co.uk/", ["https://example.co.uk"], false),
        ("https://example.co.uk/", ["http://example.co.uk"], false),
        ("https://example.co.uk/", ["https://example.co.uk:8443"], false),
        ("https://example.co.uk:8443/", ["https://example.co.uk:8443"], true),
        ("https://example.co.uk/", ["example.co.uk", "", "nonsense", "data:x"], false),
        ("https://example.co.uk/", [], false),
    ])
    func anOriginIsNamedExactly(url: String, origins: [String], isNamed: Bool) throws {
        #expect(try names(url, origins) == isNamed)
    }

    /// WebAuthn Level 3, section 5.11.1: however many countries, but five names at most.
    @Test func onlyTheFirstFiveNamesCount() throws {
        let five = ["a", "b", "c", "d", "e"].map { "https://\($0).example" }
        let many = five + ["https://e.test", "https://f.example", "https://a.test"]
        #expect(try names("https://e.test/", many))
        #expect(try names("https://a.test/", many))
        #expect(try !names("https://f.example/", many))
        #expect(try names("https://f.example/", ["https://f.example"] + five))
    }

    @Test func aSiteIsAskedOnceInAWhile() async throws {
        let clock = ManualClock()
        let origins = RelatedOrigins(clock: clock, suffixes: suffixes)
        let documents = Documents(["a.example": ["https://b.example"]])
        origins.use(documents)
        let party = try #require(RelyingParty("a.example", suffixes: suffixes))
        for _ in 0..<3 {
            #expect(await origins.cover(try page("https://b.example/"), party))
            #expect(await !origins.cover(try page("https://c.example/"), party))
        }
        #expect(documents.asked.withLock { $0 } == ["a.example"])
        documents.origins.withLock { $0 = [:] }
        clock.advance(by: SiteDocuments.lifetime)
        #expect(await !origins.cover(try page("https://b.example/"), party))
        #expect(await !origins.cover(try page("https://b.example/"), party))
        #expect(documents.asked.withLock { $0.count } == 2)
        clock.advance(by: SiteDocuments.failureLifetime)
        #expect(await !origins.cover(try page("https://b.example/"), party))
        #expect(documents.asked.withLock { $0.count } == 3)
    }

    /// A page that names one site after the other does not fill the memory.
    @Test func fewAnswersAreRemembered() async throws {
        let origins = RelatedOrigins(clock: ManualClock(), suffixes: suffixes)
        let documents = Documents([:])
        origins.use(documents)
        let page = try page("https://page.example/")
        for number in [0, 0] + Array(1...SiteDocuments.remembered) + [0] {
            _ = await origins.cover(page, try #require(RelyingParty("a\(number).example", suffixes: suffixes)))
        }
        #expect(documents.asked.withLock { $0.filter { $0 == "a0.example" }.count } == 2)
        #expect(documents.asked.withLock { $0.count } == SiteDocuments.remembered + 2)
    }

    @Test(arguments: ["http://b.example/", "http://localhost/", "https://192.0.2.1/", "https://b.example./"])
    func aPageThatOthersReadAlongWithIsNotLookedUp(url: String) async throws {
        let origins = RelatedOrigins(clock: ManualClock(), suffixes: suffixes)
        let documents = Documents(["a.example": [url, "http://localhost", "https://b.example"]])
        origins.use(documents)
        let party = try #require(RelyingParty("a.example", suffixes: suffixes))
        #expect(await !origins.cover(try page(url), party))
        #expect(documents.asked.withLock { $0 } == [])
    }

    /// Documents that come when the test says so.
    private final class SlowDocuments: RelatedOriginSource {
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

        var count: Int { waiting.withLock { $0.count } }

        func origins(of identifier: String) async throws(ProtocolError) -> [String] {
            await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
            return ["https://page.example"]
        }

        func deliver() {
            for continuation in waiting.withLock({ waiting in
                defer { waiting = [] }
                return waiting
            }) {
                continuation.resume()
            }
        }
    }

    /// A page that names one site after the other keeps few programs busy.
    @Test func fewDocumentsAreFetchedAtATime() async throws {
        let origins = RelatedOrigins(clock: ManualClock(), suffixes: suffixes)
        let documents = SlowDocuments()
        origins.use(documents)
        let page = try page("https://page.example/")
        let parties = try (0...SiteDocuments.fetches).map {
            try #require(RelyingParty("a\($0).example", suffixes: suffixes))
        }
        await withTaskGroup { group in
            for party in parties.dropLast() { group.addTask { await origins.cover(page, party) } }
            while documents.count < SiteDocuments.fetches { await Task.yield() }
            let answer = Mutex<Bool?>(nil)
            group.addTask {
                let isRelated = await origins.cover(page, parties[SiteDocuments.fetches])
                answer.withLock { $0 = isRelated }
                return !isRelated
            }
            // Nobody fetches for this one, so it does not wait.
            while answer.withLock({ $0 == nil }), documents.count == SiteDocuments.fetches { await Task.yield() }
            let isLeftAlone = answer.withLock { $0 } == false
            documents.deliver()
            for await isRelated in group { #expect(isRelated) }
            #expect(isLeftAlone)
            guard isLeftAlone else { return }
            // It is not remembered as one that names nobody.
            group.addTask { await origins.cover(page, parties[SiteDocuments.fetches]) }
            while documents.count < 1 { await Task.yield() }
            documents.deliver()
            #expect(await group.next() == true)
        }
    }

    @Test func withoutASourceNobodyIsRelated() async throws {
        let origins = RelatedOrigins(clock: ManualClock(), suffixes: suffixes)
        let party = try #require(RelyingParty("a.example", suffixes: suffixes))
        #expect(await !origins.cover(try page("https://b.example/"), party))
    }

    /// A browser in front of a provider with one passkey, of `a.example`, which names `b.test`; so does `c.example`.
    private func browser() async throws -> (
        fixture: BrokerFixture, client: Connection, documents: Documents, sheets: FakeSheets
    ) {
        let sheets = FakeSheets(answer: .chosen(0))
        let fixture = try BrokerFixture(
            FakeBundles { _, _ in Sample.signature() },
            information: Sample.declares("ProvidesPasskeys", "SupportsCredentialUpdate"), sheets: sheets)
        let documents = Documents(["a.example": ["https://b.test"], "c.example": ["https://b.test"]])
        fixture.broker.relatedOrigins.use(documents)
        try await fixture.provide([Sample.passkey()])
        return (fixture, try await fixture.client(.browser), documents, sheets)
    }

    /// What a page of `b.test` may try with the passkeys of `party`.
    private static func tries(_ party: String, isPrivate: Bool, _ client: Connection) -> [() async throws -> Void] {
        let services = [ServiceIdentifier("https://b.test/", kind: .url)]
        let report = CredentialReport.passkeyUnknown(relyingParty: party, credentialID: Data([1]))
        return [
            {
                _ = try await client.call(
                    Fill.self,
                    .init(
                        target: .passkey, services: services, presents: false, isPrivate: isPrivate,
                        passkey: Sample.asked(party)))
            },
            {
                _ = try await client.call(
                    Suggest.self,
                    .init(services: services, isPrivate: isPrivate, passkeys: PasskeyFilter(relyingParty: party)))
            },
            {
                _ = try await client.call(
                    ReportCredential.self, .init(report: report, services: services, isPrivate: isPrivate))
            },
        ]
    }

    /// A site that is asked for its list sees this machine, past what the browser has for its own connections.
    @Test(arguments: [("c.example", false), ("c.example", true), ("a.example", true)])
    func noSiteSeesThisMachineWithoutAPasskeyAndForAPrivateWindow(party: String, isPrivate: Bool) async throws {
        let stage = try await browser()
        let (client, documents, sheets) = (stage.client, stage.documents, stage.sheets)
        for attempt in Self.tries(party, isPrivate: isPrivate, client) {
            #expect(await failure { try await attempt() }?.code == .refused)
        }
        let creation = RegisterPasskey.Parameters(
            registration: Sample.registration(party), provider: nil, isConditional: false, presents: false,
            isPrivate: true, services: [ServiceIdentifier("https://b.test/", kind: .url)])
        #expect(await failure { _ = try await client.call(RegisterPasskey.self, creation) }?.code == .refused)
        #expect(documents.asked.withLock { $0 } == [])
        #expect(sheets.questions.isEmpty)
    }

    @Test func aSiteWithAPasskeyIsAskedForItsList() async throws {
        let stage = try await browser()
        for attempt in Self.tries("a.example", isPrivate: false, stage.client) { try await attempt() }
        #expect(stage.documents.asked.withLock { $0 } == ["a.example"])
    }

    @Test func aRelatedPageIsGivenThePasskeyAndThePersonIsToldWhoseItIs() async throws {
        let stage = try await browser()
        let (client, sheets) = (stage.client, stage.sheets)
        func get(_ url: String) async throws -> Fill.Result {
            try await client.call(
                Fill.self,
                .init(
                    target: .passkey, services: [ServiceIdentifier(url, kind: .url)], presents: false,
                    passkey: Sample.asked()))
        }
        _ = try await get("https://b.test/")
        guard case .passkey(let question) = sheets.questions.first else {
            Issue.record("no question")
            return
        }
        #expect(question.service == "b.test")
        #expect(question.relyingParty == "a.example")
        #expect(await failure { _ = try await get("https://c.test/") }?.code == .refused)
        #expect(sheets.questions.count == 1)
    }
}
