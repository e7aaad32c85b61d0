import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// Whose master password verifies the person for more than the accounts in its vault.
@Suite(.timeLimit(.minutes(2))) struct VouchingVaultTests {
    private let fixture: BrokerFixture
    private let vaults: VouchingVaults
    private let check: MasterPasswordCheck
    /// Whether nothing else verifies the person.
    private let isAlone: Flag

    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    init() async throws {
        let bundles = FakeBundles { _, _ in try password() }
        bundles.masterPassword.withLock { $0 = { $0 == "s3cret" } }
        bundles.vault.withLock { $0 = "theirs" }
        let fixture = try BrokerFixture(
            bundles, information: ["KeywayService": "service", "KeywayChecksMasterPassword": true])
        try await fixture.provide([BrokerFixture.identity()])
        let isAlone = Flag()
        let vaults = VouchingVaults(folder: fixture.folder.path, seal: fixture.broker.stores.settings) {}
        check = MasterPasswordCheck(
            processes: fixture.broker.processes,
            providers: { () async throws(ProtocolError) in try await fixture.broker.directory.enabled() },
            vaults: vaults, isAlone: { _ in isAlone.value.withLock { $0 } }, vouches: { _ in true })
        (self.fixture, self.isAlone, self.vaults) = (fixture, isAlone, vaults)
    }

    /// Why the right master password verifies nobody for `provider`; nil where it does.
    private func refusal(for provider: String? = nil) async -> String? {
        let presenter = FakePresenter { _ in typed("s3cret") }
        let subject = VerificationSubject(provider: provider.map { ProviderReference(identifier: $0, name: "one") })
        return await failure { try await check.verify(subject, through: presenter) }?.message
    }

    private func opens(_ vault: String?) { fixture.bundles.vault.withLock { $0 = vault } }

    @Test(arguments: [nil, "org.other"])
    func oneThatCameAfterOtherWaysCountsForItsOwnAccountsOnly(provider: String?) async throws {
        #expect(await refusal(for: provider)?.contains("only for its own accounts") == true)
        #expect(await refusal(for: BrokerFixture.provider) == nil)
        #expect(await check.state().detail?.hasSuffix("only for its own accounts") == true)
        #expect(await check.state().isAvailable)
    }

    @Test func theOneThatWasAllThatThereWasGoesOnCountingAndNoOther() async throws {
        isAlone.value.withLock { $0 = true }
        #expect(await refusal() == nil)
        isAlone.value.withLock { $0 = false }
        #expect(await refusal() == nil)
        #expect(await check.state().detail?.contains("only for") == false)
        opens("somebody else's")
        #expect(await refusal() != nil)
        // It was not made known by being tried.
        #expect(await refusal() != nil)
        opens("theirs")
        #expect(await refusal() == nil)
    }

    @Test func aRenewedOneGoesOnCounting() async throws {
        try await vaults.adopt("theirs", of: BrokerFixture.provider)
        await vaults.renew("theirs", "renewed", of: BrokerFixture.provider)
        opens("renewed")
        #expect(await refusal() == nil)
        // A vault that does not count makes none count by its renewal, and no other provider's does.
        await vaults.renew("stranger", "stranger's", of: BrokerFixture.provider)
        opens("stranger's")
        #expect(await refusal() != nil)
        await vaults.renew("renewed", "again", of: "org.other")
        opens("again")
        #expect(await refusal() != nil)
    }

    @Test func onceVerifiedOtherwiseTheOpenOneCounts() async throws {
        opens(nil)
        await check.adoptOpenVaults()
        opens("theirs")
        #expect(await refusal() != nil)
        await check.adoptOpenVaults()
        #expect(await refusal() == nil)
    }

    @Test func aFileThatIsNotBelievedNamesNone() async throws {
        try await vaults.adopt("theirs", of: BrokerFixture.provider)
        let file = URL(filePath: fixture.folder.path + "/vaults.json")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 4] ^= 1
        try bytes.write(to: file)
        #expect(await refusal() != nil)
    }
}
