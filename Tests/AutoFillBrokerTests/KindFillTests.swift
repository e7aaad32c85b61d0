import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

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
        Sample.signature(signedFor: "b.example"), Sample.signature(signedFor: "A.example"),
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

    @Test(arguments: [
        Sample.signature(id: Data([8])), Sample.signature("b.example"), Sample.signature(signedFor: "b.example"),
    ])
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
        guard case .oneTimeCode(let code, _) = try await Self.fill(stage.client, .suggestion(handle: handle)) else {
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
        try TestBundle.install(in: fixture.folder, Sample.declares("ProvidesPasswords"))
        try await fixture.provide([])
        #expect(await failure { _ = try await Self.fill(client, .suggestion(handle: handle)) }?.code == .noProvider)
    }

    @Test(arguments: [
        (Fill.Target.list(provider: nil), "keyway fill a.example"),
        (.oneTimeCodes(provider: nil), "keyway fill --code a.example"), (.text(provider: nil), "keyway insert"),
    ])
    func whereNobodySeesAListTheCommandThatShowsItIsNamed(target: Fill.Target, command: String) async throws {
        var information = Sample.declares("ProvidesPasswords", "ProvidesOneTimeCodes", "ProvidesTextToInsert")
        information["KeywayInteractionCommand"] = "keyway vault unlock"
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() }, information: information)
        try await fixture.provide([])
        let client = try await fixture.client()
        let error = await failure {
            _ = try await client.call(
                Fill.self, .init(target: target, services: [BrokerFixture.page], presents: false))
        }
        #expect(error?.code == .interactionRequired)
        #expect(error?.message.contains("`\(command)`") == true)
    }
}
