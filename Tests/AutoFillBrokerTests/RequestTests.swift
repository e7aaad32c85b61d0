import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import Synchronization
import Testing

@testable import AutoFillBroker

@Suite(.timeLimit(.minutes(1))) struct RequestTests {
    private static func register(
        _ client: Connection, presents: Bool = true, excluded: [Data] = [], provider: String? = nil
    ) async throws -> RegisterPasskey.Result {
        try await client.call(
            RegisterPasskey.self,
            .init(
                registration: Sample.registration(excluded: excluded), provider: provider, isConditional: false,
                presents: presents, services: [BrokerFixture.page]))
    }

    private static func save(_ client: Connection, presents: Bool = true) async throws -> SavePassword.Result {
        let password = PasswordToSave(
            service: BrokerFixture.page, user: "ada", password: try Sample.sealed(), session: "1", event: .userInitiated
        )
        return try await client.call(
            SavePassword.self, .init(password: password, provider: nil, presents: presents))
    }

    private static func generate(_ client: Connection, presents: Bool) async throws -> GeneratePasswords.Result {
        try await client.call(
            GeneratePasswords.self,
            .init(request: PasswordsToGenerate(service: BrokerFixture.page), provider: nil, presents: presents))
    }

    // MARK: - Registration

    @Test func passkeyIsRegisteredWithTheInterface() async throws {
        let script = RequestScript(Sample.made())
        let fixture = try await script.broker()
        let client = try await fixture.client(.terminal)
        let result = try await Self.register(client)
        #expect(result.credential.credentialID == Sample.credentialID)
        #expect(script.asked.withLock { $0 } == [.registerPasskey(Sample.registration())])
    }

    @Test func registrationNeedsAPlaceToShowItsInterface() async throws {
        let script = RequestScript(Sample.made())
        let fixture = try await script.broker()
        let client = try await fixture.client()
        #expect(
            await failure { _ = try await Self.register(client, presents: false, provider: BrokerFixture.provider) }?
                .code == .interactionRequired)
        #expect(script.entries.isEmpty)
    }

    @Test func registrationNeedsItsCapability() async throws {
        let script = RequestScript(Sample.made())
        let fixture = try await script.broker(declares: Sample.declares("ProvidesPasswords"))
        let client = try await fixture.client(.terminal)
        for provider in [nil, BrokerFixture.provider] {
            let error = await failure { _ = try await Self.register(client, provider: provider) }
            #expect(error?.code == .noProvider)
        }
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test(arguments: [
        Sample.made("b.example"), Sample.made(hash: Data(count: 32)), Sample.made(id: Data()),
        Sample.made(id: Data(count: 1024)), Sample.made(object: Data()), Sample.made(object: Data(count: 70_000)),
        Sample.made(object: Sample.attestation("b.example")), Sample.made(object: Sample.attestation(id: Data([9]))),
        Sample.made(object: Sample.attestation(flags: 0x01)), Sample.signature(),
        .saved,
    ])
    func passkeyForSomethingElseIsTheProvidersFailure(answer: PerformRequest.Result) async throws {
        let fixture = try await RequestScript(answer).broker()
        let client = try await fixture.client(.terminal)
        #expect(await failure { _ = try await Self.register(client) }?.code == .providerFailed)
    }

    @Test func excludedPasskeyIsNotMadeAgain() async throws {
        let script = RequestScript(Sample.made(), cancelled(102), cancelled(102))
        let fixture = try await script.broker()
        let client = try await fixture.client(.terminal)
        let excluded = [Sample.credentialID]
        #expect(await failure { _ = try await Self.register(client, excluded: excluded) }?.code == .providerFailed)
        #expect(await failure { _ = try await Self.register(client, excluded: excluded) }?.code == .exists)
        // It cannot match what was not sent.
        #expect(await failure { _ = try await Self.register(client) }?.code == .providerFailed)
    }

    // MARK: - Saving

    @Test func passwordIsSavedWithoutAnInterfaceWherePossible() async throws {
        let script = RequestScript(.saved)
        let fixture = try await script.broker()
        #expect(try await Self.save(fixture.client(.terminal)).provider.identifier == BrokerFixture.provider)
        #expect(script.entries == ["savePasswordWithoutInteraction"])
    }

    @Test func interfaceFollowsWhereItIsAskedFor() async throws {
        let script = RequestScript(cancelled(100), .saved)
        let fixture = try await script.broker()
        _ = try await Self.save(fixture.client(.terminal))
        #expect(script.entries == ["savePasswordWithoutInteraction", "savePassword"])
    }

    @Test func interfaceIsAskedForOnce() async throws {
        let script = RequestScript(cancelled(100), cancelled(100), .saved)
        let fixture = try await script.broker()
        let client = try await fixture.client(.terminal)
        #expect(await failure { _ = try await Self.save(client) }?.code == .providerFailed)
        #expect(script.entries.count == 2)
    }

    @Test func savingFromAPageWaitsForALockedServiceOnly() async throws {
        let script = RequestScript(cancelled(100), .saved, cancelled(100))
        let fixture = try await script.broker()
        let client = try await fixture.client()
        let saving = Task { try await Self.save(client, presents: false) }
        try await eventually { fixture.bundles.started(.providerService).count == 1 }
        await fixture.bundles.started(.providerService).first?.say(.ready)
        #expect(try await saving.value.provider.identifier == BrokerFixture.provider)
        // It is open, and wants the person all the same: waiting would change nothing.
        #expect(await failure { _ = try await Self.save(client, presents: false) }?.code == .interactionRequired)
    }

    // MARK: - Generating

    @Test(
        arguments: [
            (true, nil, "generatePasswords"), (true, true, "generatePasswords"),
            (true, false, "generatePasswordsWithoutInteraction"), (false, nil, "generatePasswordsWithoutInteraction"),
        ] as [(Bool, Bool?, String)])
    func generatingHasAnInterfaceWhereItIsDeclaredAndShown(
        presents: Bool, declared: Bool?, expected: String
    ) async throws {
        let script = RequestScript(.generated([ProposedPassword(kind: "STRONG", value: try Sample.sealed())]))
        let more = declared.map { ["SupportsGeneratePasswordCredentialsWithUI": $0] } ?? [:]
        let fixture = try await script.broker(declares: Sample.declares(Sample.keeps, more))
        let result = try await Self.generate(fixture.client(.terminal), presents: presents)
        #expect(try result.passwords.map { try $0.value.text } == ["s3cret"])
        #expect(script.entries == [expected])
    }

    @Test func generatingNeverLeadsToAnInterface() async throws {
        let script = RequestScript(cancelled(100))
        let more = ["SupportsGeneratePasswordCredentialsWithUI": false]
        let fixture = try await script.broker(declares: Sample.declares(Sample.keeps, more))
        let client = try await fixture.client(.terminal)
        #expect(await failure { _ = try await Self.generate(client, presents: true) }?.code == .providerFailed)
        #expect(script.entries.count == 1)
    }

    @Test(arguments: [0, 65, 2])
    func proposalsHaveBoundsAndAreSealed(count: Int) async throws {
        let value = count == 2 ? try Sample.unsealed() : try Sample.sealed()
        let passwords = (0..<count).map { _ in ProposedPassword(kind: "STRONG", value: value) }
        let fixture = try await RequestScript(.generated(passwords)).broker()
        let client = try await fixture.client(.terminal)
        #expect(await failure { _ = try await Self.generate(client, presents: true) }?.code == .providerFailed)
    }

    @Test func savingAndGeneratingNeedTheirCapability() async throws {
        let declared = Sample.declares(["ProvidesPasswords", "SupportsGeneratePasswordCredentials"])
        let fixture = try await RequestScript(.saved).broker(declares: declared)
        let client = try await fixture.client(.terminal)
        #expect(await failure { _ = try await Self.save(client) }?.code == .noProvider)
        #expect(await failure { _ = try await Self.generate(client, presents: true) }?.code == .noProvider)
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test func nobodyIsSentToAProviderThatWouldNotHelp() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in .saved })
        let client = try await fixture.client(.terminal)
        let passwords = "keyway providers enable org.keyway.passwords"
        for ask in [{ _ = try await Self.save(client) }, { _ = try await Self.generate(client, presents: true) }] {
            let error = await failure(ask)
            #expect(error?.code == .noProvider)
            #expect(error?.message.contains(passwords) == false)
        }
        let list = Fill.Parameters(target: .list(provider: nil), services: [BrokerFixture.page], presents: true)
        #expect(await failure { _ = try await client.call(Fill.self, list) }?.message.contains(passwords) == true)
    }

    // MARK: - Callers

    @Test func browserShowsNoInterface() async throws {
        let fixture = try await RequestScript(Sample.made()).broker()
        let client = try await fixture.client()
        #expect(
            await failure { _ = try await Self.register(client, provider: BrokerFixture.provider) }?.code == .notAllowed
        )
    }

    @Test func passwordToSaveMustBeSealed() async throws {
        let fixture = try await RequestScript(.saved).broker()
        let client = try await fixture.client(.terminal)
        let password = PasswordToSave(
            service: BrokerFixture.page, user: "ada", password: try Sample.unsealed(), session: "1",
            event: .userInitiated)
        let error = await failure {
            _ = try await client.call(SavePassword.self, .init(password: password, provider: nil, presents: false))
        }
        #expect(error?.code == .invalidParameters)
    }

    @Test func browserSavesForPagesOnly() async throws {
        let fixture = try await RequestScript(.saved).broker()
        let client = try await fixture.client()
        let password = PasswordToSave(
            service: ServiceIdentifier("a.example", kind: .domain), user: "ada", password: try Sample.sealed(),
            session: "1", event: .userInitiated)
        let error = await failure {
            _ = try await client.call(SavePassword.self, .init(password: password, provider: nil, presents: false))
        }
        #expect(error?.code == .invalidParameters)
    }

    @Test func firstProviderInOrderWithTheCapabilityIsMeant() async throws {
        let script = RequestScript(.saved, .saved)
        let fixture = try await script.broker()
        try TestBundle.install(in: fixture.folder, Sample.declares(Sample.keeps), name: "other")
        try TestBundle.install(in: fixture.folder, Sample.declares(["ProvidesPasswords"]), name: "plain")
        let client = try await fixture.client(.terminal)
        for name in ["other", "plain"] {
            _ = try await client.call(SetProviderEnabled.self, .init(identifier: "test.\(name)", isEnabled: true))
        }
        #expect(try await Self.save(client).provider.identifier == "test.vault")
        let list = try await client.call(
            OrderProviders.self, .init(identifiers: ["test.plain", "test.other"])
        ).providers
        #expect(list.map(\.reference.identifier) == ["test.plain", "test.other", "test.vault"])
        #expect(try await Self.save(client).provider.identifier == "test.other")
    }
}
