import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// What a try at the PIN goes through before it is looked at.
@Suite(.timeLimit(.minutes(2))) struct PINTryTests {
    private let fixture: BrokerFixture
    private let secrets = FakeSecrets()
    private let check: PINCheck

    init() async throws {
        fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        check = PINCheck(choices: fixture.broker.person.choices, secrets: secrets)
        _ = try await check.replace(with: try Sample.sealed("314159"))
    }

    private func verify(_ pin: String) async -> ProtocolError? {
        await failure { try await check.verify(VerificationSubject(), through: FakePresenter { _ in typed(pin) }) }
    }

    @Test func aTryIsNotedBeforeItIsLookedAt() async throws {
        #expect(await verify("314159") == nil)
        let (counted, looked, with) = secrets.state.withLock { ($0.counted, $0.looked, $0.lookedWith) }
        #expect((counted, looked) == (1, 1))
        // The record that was there before the try counts for no look any more.
        #expect(with == 2)
        #expect(try await fixture.broker.person.choices.document().pinChanges == 3)
    }

    @Test func aTryThatCannotBeNotedIsNotLookedAt() async throws {
        let path = fixture.folder.path + "/.local/state/keyway/verification.json.new"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(await verify("314159")?.message.contains("can't be noted") == true)
        #expect(secrets.state.withLock { $0.looked } == 0)
        try FileManager.default.removeItem(atPath: path)
        #expect(await verify("314159") == nil)
    }

    @Test func oneTryIsLookedAtAfterAnother() async throws {
        let now = Mutex(0)
        let most = Mutex(0)
        secrets.meanwhile.withLock {
            $0 = {
                let count = now.withLock { now in
                    now += 1
                    return now
                }
                most.withLock { $0 = max($0, count) }
                for _ in 0..<100 { await Task.yield() }
                now.withLock { $0 -= 1 }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = await verify("314159") } }
        }
        #expect(most.withLock { $0 } == 1)
        #expect(secrets.state.withLock { $0.looked } == 8)
    }
}
