import AutoFillProtocol
import Foundation
import Synchronization
import Testing

@testable import AutoFillBroker

/// Testing has an `Attachment` of its own.
typealias SecretFile = AutoFillProtocol.Attachment

/// What the tests of the other kinds of credentials share.
enum Sample {
    static let hash = Data(repeating: 7, count: 32)
    static let handle = Data([9])
    static let credentialID = Data([1, 2, 3])

    /// An `Info.plist` that declares these capabilities and no others.
    static func declares(_ capabilities: String..., service: Bool = true) -> [String: Any] {
        let declared = Dictionary(uniqueKeysWithValues: capabilities.map { ($0, true) })
        var list: [String: Any] = [
            "NSExtension": [
                "NSExtensionPointIdentifier": InfoPropertyList.extensionPoint,
                "NSExtensionAttributes": ["ASCredentialProviderExtensionCapabilities": declared],
            ] as [String: Any]
        ]
        if service { list["KeywayService"] = "service" }
        return list
    }

    static func passkey(
        _ party: String = "a.example", _ user: String = "ada", id: Data = credentialID
    ) -> CredentialIdentity {
        CredentialIdentity(
            kind: .passkey, service: ServiceIdentifier(party, kind: .domain), user: user,
            recordIdentifier: "p\(id.count)",
            passkey: PasskeyReference(credentialID: id, userHandle: handle))
    }

    static func code(_ label: String = "ada", at service: String = "https://a.example") -> CredentialIdentity {
        CredentialIdentity(
            kind: .oneTimeCode, service: ServiceIdentifier(service, kind: .url), user: label, recordIdentifier: "c1")
    }

    static func asked(
        _ party: String = "a.example", allowed: [Data] = [], hash: Data = hash
    ) -> PasskeyRequestParameters {
        PasskeyRequestParameters(
            relyingParty: party,
            assertion: PasskeyAssertion(
                clientDataHash: hash, userVerification: .preferred, allowedCredentials: allowed))
    }

    static func signature(
        _ party: String = "a.example", hash: Data = hash, id: Data = credentialID, data: Int = 37, signature: Int = 70,
        handle: Data = handle, blob: SecretFile? = nil
    ) -> PerformRequest.Result {
        .passkeyAssertion(
            PasskeyAssertionCredential(
                userHandle: handle, relyingParty: party, signature: Data(count: signature), clientDataHash: hash,
                authenticatorData: Data(count: data), credentialID: id,
                extensions: blob.map { .init(largeBlob: .read($0), prf: nil) }))
    }

    static func registration(
        _ party: String = "a.example", excluded: [Data] = [], hash: Data = hash
    ) -> PasskeyRegistration {
        PasskeyRegistration(
            relyingParty: party, userName: "ada", userHandle: handle, clientDataHash: hash,
            userVerification: .preferred, algorithms: [-7], excludedCredentials: excluded)
    }

    static func made(
        _ party: String = "a.example", hash: Data = hash, id: Data = credentialID, object: Int = 100
    ) -> PerformRequest.Result {
        .passkeyRegistration(
            PasskeyRegistrationCredential(
                relyingParty: party, clientDataHash: hash, credentialID: id, attestationObject: Data(count: object),
                extensions: nil))
    }

    static func sealed(_ text: String = "s3cret") throws -> SecretFile {
        SecretFile(try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) })
    }

    /// A file that its sender could still change.
    static func unsealed() throws -> SecretFile {
        let descriptor = open("/dev/null", O_RDONLY)
        return SecretFile(OwnedDescriptor(descriptor))
    }
}

@Suite(.timeLimit(.minutes(1))) struct KindSuggestionTests {
    private static let all = ["ProvidesPasswords", "ProvidesPasskeys", "ProvidesOneTimeCodes"]

    private func fixture(_ capabilities: [String] = all) async throws -> BrokerFixture {
        let declared = Dictionary(uniqueKeysWithValues: capabilities.map { ($0, true) })
        var information = Sample.declares()
        information["NSExtension"] = [
            "NSExtensionPointIdentifier": InfoPropertyList.extensionPoint,
            "NSExtensionAttributes": ["ASCredentialProviderExtensionCapabilities": declared],
        ]
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) }, information: information)
        try await fixture.provide([BrokerFixture.identity(), Sample.passkey(), Sample.code()])
        return fixture
    }

    private func suggest(
        _ fixture: BrokerFixture, _ kinds: [CredentialKind]?, _ page: String = "https://a.example/login"
    ) async throws -> [Suggestion] {
        try await fixture.client().call(
            Suggest.self, .init(services: [ServiceIdentifier(page, kind: .url)], kinds: kinds)
        ).suggestions
    }

    @Test(
        arguments: [
            (nil, [.password]), ([.passkey], [.passkey]), ([.oneTimeCode], [.oneTimeCode]), ([], []),
            ([.passkey, .oneTimeCode, .password], [.oneTimeCode, .password, .passkey]),
        ] as [([CredentialKind]?, Set<CredentialKind>)])
    func onlyTheKindsThatAreWantedAreSuggested(kinds: [CredentialKind]?, expected: Set<CredentialKind>) async throws {
        let kept = try await fixture()
        #expect(Set(try await suggest(kept, kinds).map(\.kind)) == expected)
    }

    @Test(
        arguments: [
            (["ProvidesPasswords"], [.password]), (["ProvidesPasskeys"], [.passkey]),
            (["ProvidesOneTimeCodes"], [.oneTimeCode]), ([], []),
        ] as [([String], Set<CredentialKind>)])
    func kindsThatAProviderDoesNotDeclareAreNeverSuggested(
        declared: [String], expected: Set<CredentialKind>
    ) async throws {
        let kept = try await fixture(declared)
        let suggestions = try await suggest(kept, CredentialKind.allCases)
        #expect(Set(suggestions.map(\.kind)) == expected)
    }

    /// WebAuthn Level 3, section 5.1.2: the page's host, or a registrable suffix of it.
    @Test(arguments: [
        ("example.co.uk", "https://example.co.uk", true), ("example.co.uk", "https://m.example.co.uk/x", true),
        ("m.example.co.uk", "https://m.example.co.uk", true), ("m.example.co.uk", "https://a.m.example.co.uk", true),
        ("m.example.co.uk", "https://example.co.uk", false), ("n.example.co.uk", "https://m.example.co.uk", false),
        ("co.uk", "https://example.co.uk", false), ("example.co.uk", "https://badexample.co.uk", false),
        ("example.co.uk", "http://example.co.uk", false), ("example.co.uk", "https://example.co.uk.", false),
        ("example.co.uk", "https://example.co.uk:8443", true), ("localhost", "http://localhost:8080", true),
        ("127.0.0.1", "https://127.0.0.1", false), ("github.io", "https://ada.github.io", false),
    ])
    func passkeyIsSuggestedWhereItsRelyingPartyIs(party: String, page: String, expected: Bool) async throws {
        let fixture = try await fixture()
        try await fixture.write(.save, [Sample.passkey(party, "eve", id: Data([5]))])
        #expect(try await suggest(fixture, [.passkey], page).contains { $0.user == "eve" } == expected)
    }

    @Test func passkeyOfTheHostComesBeforeThatOfItsSite() async throws {
        let fixture = try await fixture()
        try await fixture.write(
            .replace,
            [
                Sample.passkey("example.com", "site", id: Data([1])),
                Sample.passkey("m.example.com", "host", id: Data([2])),
            ])
        let suggestions = try await suggest(fixture, [.passkey], "https://m.example.com")
        #expect(suggestions.map(\.user) == ["host", "site"])
        #expect(suggestions.map(\.match) == [.host, .site])
    }

    @Test func severalPasskeysOfOneAccountAreAllSuggestedOnce() async throws {
        let fixture = try await fixture()
        try await fixture.write(.replace, [Sample.passkey(id: Data([1])), Sample.passkey(id: Data([1, 2]))])
        #expect(try await suggest(fixture, [.passkey]).count == 2)
    }

    @Test func codeOfTheHostComesBeforeThatOfTheSite() async throws {
        let fixture = try await fixture()
        try await fixture.write(
            .replace, [Sample.code("site", at: "https://b.a.example"), Sample.code("host", at: "https://a.example")])
        let suggestions = try await suggest(fixture, [.oneTimeCode])
        #expect(suggestions.map(\.user) == ["host", "site"])
    }
}

@Suite(.timeLimit(.minutes(1))) struct KindFillTests {
    /// A provider of everything that answers each request with `answer`, its identities, and a terminal.
    private static func terminal(
        _ identities: [CredentialIdentity], declares: [String: Any],
        _ answer: @escaping FakeBundles.Answer
    ) async throws -> (fixture: BrokerFixture, client: Connection) {
        let fixture = try BrokerFixture(FakeBundles(answer), information: declares)
        try await fixture.provide(identities)
        return (fixture, try await fixture.client(.terminal))
    }

    private static func handle(_ client: Connection, _ kind: CredentialKind) async throws -> String {
        let result = try await client.call(Suggest.self, .init(services: [BrokerFixture.page], kinds: [kind]))
        return try #require(result.suggestions.first).handle
    }

    private static func fill(
        _ client: Connection, _ target: Fill.Target, _ passkey: PasskeyRequestParameters? = nil, presents: Bool = true
    ) async throws -> Fill.Credential {
        try await client.call(
            Fill.self,
            .init(target: target, services: [BrokerFixture.page], presents: presents, passkey: passkey)
        ).credential
    }

    // MARK: - Passkeys

    @Test func passkeySignsWhatWasAsked() async throws {
        let asked = Mutex<[PerformRequest.Request]>([])
        let stage = try await Self.terminal([Sample.passkey()], declares: Sample.declares("ProvidesPasskeys")) {
            request, _ in
            asked.withLock { $0.append(request) }
            return Sample.signature()
        }
        let parameters = Sample.asked(allowed: [Data([4]), Sample.credentialID])
        let handle = try await Self.handle(stage.client, .passkey)
        guard case .passkey(let credential) = try await Self.fill(stage.client, .suggestion(handle: handle), parameters)
        else {
            Issue.record("no passkey")
            return
        }
        #expect(credential.credentialID == Sample.credentialID)
        let expected = PerformRequest.CredentialRequest(identity: Sample.passkey(), assertion: parameters.assertion)
        #expect(asked.withLock { $0 } == [.provideWithoutInteraction(expected)])
    }

    @Test(arguments: [
        (nil, ProtocolError.Code.invalidParameters), (Sample.asked("b.example"), .refused),
        (Sample.asked(allowed: [Data([4])]), .refused), (Sample.asked(hash: Data([1])), .invalidParameters),
        (Sample.asked("example"), .invalidParameters), (Sample.asked("A.example"), .invalidParameters),
    ])
    func passkeyIsForTheRightRelyingPartyOnly(
        parameters: PasskeyRequestParameters?, expected: ProtocolError.Code
    ) async throws {
        let (fixture, client) = try await Self.terminal(
            [Sample.passkey()], declares: Sample.declares("ProvidesPasskeys")
        ) { _, _ in Sample.signature() }
        let handle = try await Self.handle(client, .passkey)
        let error = await failure { _ = try await Self.fill(client, .suggestion(handle: handle), parameters) }
        #expect(error?.code == expected)
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test(arguments: [
        Sample.signature("b.example"), Sample.signature(hash: Data(count: 32)), Sample.signature(id: Data([8])),
        Sample.signature(data: 36), Sample.signature(data: 70_000), Sample.signature(signature: 0),
        Sample.signature(signature: 20_000), Sample.signature(handle: Data(count: 65)), Sample.made(), .saved,
    ])
    func signatureOfSomethingElseIsTheProvidersFailure(answer: PerformRequest.Result) async throws {
        let stage = try await Self.terminal([Sample.passkey()], declares: Sample.declares("ProvidesPasskeys")) {
            _, _ in answer
        }
        let handle = try await Self.handle(stage.client, .passkey)
        let error = await failure { _ = try await Self.fill(stage.client, .suggestion(handle: handle), Sample.asked()) }
        #expect(error?.code == .providerFailed)
        #expect(error?.provider == BrokerFixture.provider)
    }

    @Test func secretOfAnExtensionMustBeSealed() async throws {
        let stage = try await Self.terminal([Sample.passkey()], declares: Sample.declares("ProvidesPasskeys")) {
            _, _ in Sample.signature(blob: try Sample.unsealed())
        }
        let handle = try await Self.handle(stage.client, .passkey)
        let error = await failure { _ = try await Self.fill(stage.client, .suggestion(handle: handle), Sample.asked()) }
        #expect(error?.code == .providerFailed)
    }

    // MARK: - Lists

    @Test(arguments: [
        (["ProvidesPasswords", "ProvidesPasskeys"], true), (["ProvidesPasskeys"], true), (["ProvidesPasswords"], false),
    ])
    func listTellsWhatIsToBeSignedToProvidersOfPasskeysOnly(declared: [String], isTold: Bool) async throws {
        let asked = Mutex<[PerformRequest.Request]>([])
        var information = Sample.declares()
        information["NSExtension"] = [
            "NSExtensionPointIdentifier": InfoPropertyList.extensionPoint,
            "NSExtensionAttributes": [
                "ASCredentialProviderExtensionCapabilities": Dictionary(
                    uniqueKeysWithValues: declared.map { ($0, true) })
            ],
        ]
        let stage = try await Self.terminal([], declares: information) { request, _ in
            asked.withLock { $0.append(request) }
            return isTold ? Sample.signature() : try password()
        }
        _ = try await Self.fill(stage.client, .list(provider: nil), Sample.asked())
        guard case .list(_, let passkeys) = asked.withLock({ $0 }).first else {
            Issue.record("no list")
            return
        }
        #expect(passkeys == (isTold ? Sample.asked() : nil))
    }

    @Test(arguments: [Sample.signature(id: Data([8])), Sample.signature("b.example")])
    func listMayOnlyGiveAPasskeyThatIsTaken(answer: PerformRequest.Result) async throws {
        let stage = try await Self.terminal([], declares: Sample.declares("ProvidesPasskeys")) { _, _ in answer }
        let asked = Sample.asked(allowed: [Sample.credentialID])
        #expect(
            await failure { _ = try await Self.fill(stage.client, .list(provider: nil), asked) }?.code
                == .providerFailed)
    }

    @Test func passkeyWithoutAnythingToSignIsNoAnswerToAList() async throws {
        let declared = Sample.declares("ProvidesPasskeys", "ProvidesPasswords")
        let stage = try await Self.terminal([], declares: declared) { _, _ in Sample.signature() }
        #expect(await failure { _ = try await Self.fill(stage.client, .list(provider: nil)) }?.code == .providerFailed)
    }

    // MARK: - Codes and text

    @Test func codeIsGivenWithoutAnInterface() async throws {
        let stage = try await Self.terminal([Sample.code()], declares: Sample.declares("ProvidesOneTimeCodes")) {
            _, _ in .oneTimeCode(try Sample.sealed("492039"))
        }
        let handle = try await Self.handle(stage.client, .oneTimeCode)
        guard case .oneTimeCode(let code) = try await Self.fill(stage.client, .suggestion(handle: handle)) else {
            Issue.record("no code")
            return
        }
        #expect(try code.text == "492039")
    }

    @Test func listsOfCodesAndTextAreAsked() async throws {
        let asked = Mutex<[PerformRequest.Request]>([])
        let declared = Sample.declares("ProvidesOneTimeCodes", "ProvidesTextToInsert")
        let stage = try await Self.terminal([], declares: declared) { request, _ in
            asked.withLock { $0.append(request) }
            return request == .textToInsert ? .text(try Sample.sealed("x")) : .oneTimeCode(try Sample.sealed("1"))
        }
        guard case .oneTimeCode = try await Self.fill(stage.client, .oneTimeCodes(provider: nil)),
            case .text = try await Self.fill(stage.client, .text(provider: nil))
        else {
            Issue.record("another kind")
            return
        }
        #expect(
            asked.withLock { $0 } == [
                .oneTimeCodeList([BrokerFixture.page, ServiceIdentifier("a.example", kind: .domain)]), .textToInsert,
            ])
    }

    @Test(arguments: [Fill.Target.oneTimeCodes(provider: nil), .text(provider: BrokerFixture.provider)])
    func whatIsNotDeclaredIsNeverAsked(target: Fill.Target) async throws {
        let (fixture, client) = try await Self.terminal([], declares: Sample.declares("ProvidesPasswords")) { _, _ in
            try password()
        }
        #expect(await failure { _ = try await Self.fill(client, target) }?.code == .noProvider)
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test(arguments: [1 << 20, 64 << 10, (64 << 10) + 1])
    func passwordHasBounds(size: Int) async throws {
        let stage = try await Self.terminal(
            [BrokerFixture.identity()], declares: Sample.declares("ProvidesPasswords")
        ) { _, _ in try password(String(repeating: "x", count: size)) }
        let handle = try await Self.handle(stage.client, .password)
        let error = await failure { _ = try await Self.fill(stage.client, .suggestion(handle: handle)) }
        #expect(error?.code == (size > 64 << 10 ? .providerFailed : nil))
    }

    @Test func suggestionOfAKindThatIsNoLongerDeclaredIsNotAsked() async throws {
        let declared = Sample.declares("ProvidesPasswords", "ProvidesOneTimeCodes")
        let (fixture, client) = try await Self.terminal([Sample.code()], declares: declared) { _, _ in
            .oneTimeCode(try Sample.sealed("1"))
        }
        let handle = try await Self.handle(client, .oneTimeCode)
        try BrokerFixture.install(in: fixture.folder, Sample.declares("ProvidesPasswords"))
        try await fixture.provide([])
        #expect(await failure { _ = try await Self.fill(client, .suggestion(handle: handle)) }?.code == .noProvider)
    }
}
