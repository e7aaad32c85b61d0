import AutoFillProtocol
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// The master password, typed at the presenter and looked at by the service of the provider that has one.
@Suite(.timeLimit(.minutes(5))) struct MasterPasswordCheckTests {
    /// A broker whose provider's service takes `s3cret`, or has nothing to compare with.
    private static func fixture(declares: Bool = true, hasVault: Bool = true) async throws -> BrokerFixture {
        let bundles = FakeBundles { _, _ in try password() }
        bundles.masterPassword.withLock {
            $0 = { text in
                guard hasVault else { throw ProtocolError(.notFound, "There is no vault.") }
                return text == "s3cret"
            }
        }
        var information: [String: Any] = ["KeywayService": "service"]
        if declares { information["KeywayChecksMasterPassword"] = true }
        let fixture = try BrokerFixture(bundles, information: information)
        try await fixture.provide([BrokerFixture.identity()])
        return fixture
    }

    private static func verify(
        _ fixture: BrokerFixture, _ words: String...,
        for provider: ProviderReference? = ProviderReference(identifier: BrokerFixture.provider, name: "vault")
    ) async -> ProtocolError? {
        let words = Mutex(words)
        let presenter = FakePresenter { _ in words.withLock { $0.isEmpty ? .refused : typed($0.removeFirst()) } }
        return await failure {
            _ = try await fixture.broker.person.verifier.verify(
                VerificationSubject(provider: provider), through: presenter)
        }
    }

    @Test func theRightOneVerifies() async throws {
        let fixture = try await Self.fixture()
        #expect(await fixture.broker.person.verifier.methods(.masterPassword).first?.isAvailable == true)
        #expect(await Self.verify(fixture, "wrong", "s3cret") == nil)
    }

    @Test(arguments: [nil, ProviderReference(identifier: "org.other", name: "Other")])
    func aBundleOfThePersonVouchesForItselfAlone(provider: ProviderReference?) async throws {
        let fixture = try await Self.fixture()
        #expect(await Self.verify(fixture, "s3cret", for: provider)?.code == .notVerified)
    }

    /// A provider that checks for itself alone is no method without which Keyway's own settings cannot be changed.
    @Test func aBundleOfThePersonIsNotWaitedForByKeywayItself() async throws {
        let fixture = try await Self.fixture()
        #expect(await fixture.broker.person.verifier.outlookForKeyway() == .notSetUp)
        #expect(try await fixture.broker.person.changeVerification(.init(rule: .never), through: NoPresenter()) == nil)
        fixture.broker.person.verifier.add(FakeCheck(.loginPassword))
        #expect(await fixture.broker.person.verifier.outlookForKeyway() == .ready)
    }

    /// The check as it is of a bundle that belongs to the system.
    private static func check(_ fixture: BrokerFixture) -> MasterPasswordCheck {
        MasterPasswordCheck(
            processes: fixture.broker.processes,
            providers: { () async throws(ProtocolError) in try await fixture.broker.directory.enabled() },
            vaults: VouchingVaults(folder: fixture.folder.path, seal: fixture.broker.stores.settings) {},
            isAlone: { _ in true }, vouches: { _ in true })
    }

    @Test(arguments: [ProtocolError.Code.notFound, .timedOut, .connectionClosed, .damaged])
    func onlyWithoutAVaultThereIsNoMasterPassword(code: ProtocolError.Code) async throws {
        let fixture = try await Self.fixture()
        fixture.bundles.masterPassword.withLock { $0 = { _ in throw ProtocolError(code, "not now") } }
        let state = await Self.check(fixture).state()
        #expect(!state.isAvailable && (state.obstacle == .notSetUp) == (code == .notFound))
    }

    /// Whoever takes the list of providers away has not taken the master password away.
    @Test func whereNobodyKnowsWhatIsOnThereMayBeAMasterPassword() async throws {
        let fixture = try await Self.fixture()
        let file = fixture.folder.path + "/.local/state/keyway/providers.json"
        try FileManager.default.removeItem(atPath: file)
        let state = await Self.check(fixture).state()
        #expect(!state.isAvailable && state.obstacle == nil)
        #expect(await Self.check(fixture).countsForKeyway)
        let error = await failure {
            _ = try await fixture.broker.person.changeVerification(.init(rule: .never), through: NoPresenter())
        }
        #expect(error?.code == .notVerified && error?.message.contains(file) == true)
        #expect(await fixture.broker.person.choices.settings().rule == .whenSetUp)
    }

    @Test func whereNoProviderChecksOneNoneIsSetUp() async throws {
        let fixture = try await Self.fixture(declares: false)
        #expect(await Self.check(fixture).state().obstacle == .notSetUp)
    }

    @Test func wrongOnesDoNot() async throws {
        let fixture = try await Self.fixture()
        #expect(await Self.verify(fixture, "a", "b", "c", "s3cret")?.code == .notVerified)
    }

    @Test func backingOutEndsIt() async throws {
        #expect(await Self.verify(try await Self.fixture())?.code == .cancelled)
    }

    @Test(arguments: [(false, true), (true, false)])
    func isMissingWhereNobodyChecksOne(declares: Bool, hasVault: Bool) async throws {
        let fixture = try await Self.fixture(declares: declares, hasVault: hasVault)
        #expect(await fixture.broker.person.verifier.methods(.masterPassword).first?.isAvailable == false)
        #expect(await Self.verify(fixture, "s3cret")?.code == .notVerified)
    }
}
