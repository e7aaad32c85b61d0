import AutoFillProtocol
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywaySystem
import ServiceMatching
import Testing

@testable import BrokerBase
@testable import IdentityIndex

/// The key of the stores: when it is asked for, and what happens without it.
@Suite(.timeLimit(.minutes(2))) struct StoreKeyTests {
    private let folder: TemporaryFolder
    private let key = ScriptedStoreKey()
    private let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func stores() async throws -> IdentityStores {
        let stores = try IdentityStores(
            folder: folder.path + "/identities", suffixes: PublicSuffixes(), key: key, clock: clock,
            log: EventLog { _ in })
        await stores.keepOnly(["a", "b"])
        return stores
    }

    private func save(
        _ stores: IdentityStores, _ provider: String = "a", _ identities: [CredentialIdentity]? = nil,
        write: Int? = nil, isLast: Bool = true
    ) async throws -> Int? {
        let now = MonotonicTime(nanoseconds: 1)
        return try await stores.use(provider) {
            try await $0.writer.write(
                .init(
                    operation: .save, identities: identities ?? [TestIdentity.password()], write: write,
                    isLast: isLast), owner: ObjectIdentifier(folder), now: now)
        }.write
    }

    private func count(_ stores: IdentityStores, _ provider: String = "a") async throws -> Int {
        try await stores.use(provider) { try await $0.reader.count() }
    }

    @Test func keyIsAskedForOnce() async throws {
        let stores = try await stores()
        _ = try await save(stores)
        _ = try await save(stores, "b")
        #expect(try await count(stores) == 1)
        #expect(key.count == 1)
        #expect(await stores.keyState() == .init(source: .file, isOpen: true, detail: nil))
    }

    @Test func withoutKeyNothingIsWipedAndItIsAskedAgain() async throws {
        let first = try await stores()
        _ = try await save(first)
        await first.close()
        key.set(nil)
        let stores = try await stores()
        #expect(await failure { _ = try await save(stores) }?.code == .locked)
        #expect(await failure { _ = try await count(stores) }?.code == .locked)
        #expect(key.count == 2)
        #expect(await stores.keyState() == .init(source: .file, isOpen: false, detail: "No key today."))
        key.set(1)
        clock.advance(by: IdentityStores.retryInterval)
        #expect(try await count(stores) == 1)
    }

    @Test func storeOfAnotherKeyIsEmptied() async throws {
        let first = try await stores()
        _ = try await save(first)
        await first.close()
        key.set(2)
        let stores = try await stores()
        #expect(try await count(stores) == 0)
        #expect(try await stores.use("a") { try await $0.reader.holdsAny() } == false)
    }

    @Test func whileLockedThereIsNoKeyAndNothingIsOpen() async throws {
        let stores = try await stores()
        _ = try await save(stores)
        let open = try await stores.store(of: "a")
        await stores.lock()
        #expect(await stores.key == nil)
        #expect(await stores.keyState().isOpen == false)
        #expect(await failure { _ = try await open.reader.count() }?.code == .locked)
        #expect(await failure { _ = try await save(stores) }?.code == .locked)
        #expect(await failure { _ = try await count(stores) }?.code == .locked)
        #expect(key.count == 1)
        await stores.unlock()
        #expect(try await count(stores) == 1)
        #expect(key.count == 2)
    }

    @Test func keyThatComesAfterTheLockIsNotKept() async throws {
        let stores = try await stores()
        await stores.prepareKey()
        await stores.lock()
        // Whatever was under way has ended when the next one is answered.
        #expect(await failure { _ = try await count(stores) }?.code == .locked)
        #expect(await stores.key == nil)
    }

    @Test func partsOfAWriteEndWithTheLock() async throws {
        let stores = try await stores()
        let number = try await save(stores, isLast: false)
        await stores.lock()
        await stores.unlock()
        #expect(await failure { _ = try await save(stores, write: number) }?.code == .notFound)
        #expect(try await count(stores) == 0)
    }

    @Test func lockEndsALargeWriteWholeOrNotAtAll() async throws {
        let stores = try await stores()
        var write: Int?
        for part in 0..<4 {
            let identities = (0..<500).map { TestIdentity.password("u\(part)-\($0)", record: "\($0)") }
            write = try await save(stores, "a", identities, write: write, isLast: false)
        }
        let number = write
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await failure { _ = try await save(stores, "a", [], write: number) } }
            group.addTask { await stores.lock() }
        }
        await stores.unlock()
        #expect([0, 2000].contains(try await count(stores)))
        _ = try await save(stores)
        #expect([1, 2001].contains(try await count(stores)))
    }

    @Test func lockForgetsWhatWasOffered() async throws {
        let stores = try await stores()
        let handles = SuggestionHandles()
        stores.opened.add(handles)
        let names = handles.add(
            [.init(provider: "a", identity: TestIdentity.password())], for: [TestIdentity.page],
            limits: .init(connections: 1))
        let name = try #require(names.first)
        #expect(handles.offer(name) != nil)
        await stores.lock()
        #expect(handles.offer(name) == nil)
    }

    @Test func providerMayBeTurnedOffWhileLocked() async throws {
        let stores = try await stores()
        _ = try await save(stores)
        await stores.lock()
        await stores.keepOnly(["b"])
        #expect(!folder.exists("identities/a.sqlite"))
        await stores.keepOnly(["a", "b"])
        await stores.unlock()
        #expect(try await count(stores) == 0)
    }

    @Test func foldersOfStoresSayThatTheyBelongIntoNoBackup() async throws {
        _ = try await stores()
        let tag = try String(contentsOfFile: folder.path + "/identities/CACHEDIR.TAG", encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    @Test func writersAtOnceTakeTurnsAndNothingIsHalf() async throws {
        let stores = try await stores()
        let sets = (0..<6).map { number in
            (0..<300).map { TestIdentity.password("w\(number)-\($0)", record: "\($0)") }
        }
        await withTaskGroup(of: Void.self) { group in
            for set in sets {
                group.addTask {
                    let now = MonotonicTime(nanoseconds: 1)
                    _ = await failure {
                        _ = try await stores.use("a") {
                            try await $0.writer.write(
                                .init(operation: .replace, identities: set), owner: ObjectIdentifier(folder), now: now)
                        }
                    }
                }
            }
        }
        let left = try await stores.use("a") { try await $0.reader.read(.init()) }.identities
        #expect(sets.contains { Set($0) == Set(left) })
    }
}
