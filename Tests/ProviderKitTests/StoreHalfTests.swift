import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Testing

@testable import ProviderKit

struct StoreHalfTests {
    private func identity(_ record: String) -> CredentialIdentity {
        CredentialIdentity(
            kind: .password, service: ServiceIdentifier("example.com", kind: .domain), user: "ada",
            recordIdentifier: record)
    }

    /// A store behind a connection, as an extension reaches it.
    private func connected(_ store: StoreHalf) throws -> (extension: Connection, kit: Connection) {
        var methods = MethodTable()
        store.add(to: &methods)
        let (ours, theirs) = try LocalSocket.pair()
        let kit = Connection(descriptor: ours, peer: .known(.providerExtension), methods: methods)
        let provider = Connection(descriptor: theirs, peer: .known(.broker))
        kit.start()
        provider.start()
        return (provider, kit)
    }

    @Test func keepsWhatIsWrittenInPartsWhenTheLastCame() async throws {
        let store = StoreHalf()
        let (provider, _) = try connected(store)
        let first = WriteIdentities.Parameters(operation: .replace, identities: [identity("1")], isLast: false)
        let number = try await provider.call(WriteIdentities.self, first).write
        #expect(store.identities.isEmpty && !store.isWritten)
        let last = WriteIdentities.Parameters(
            operation: .replace, identities: [identity("2")], write: number, isLast: true)
        #expect(try await provider.call(WriteIdentities.self, last).write == nil)
        #expect(store.identities == [identity("1"), identity("2")])
        #expect(store.isWritten)
    }

    @Test func savesAndRemoves() async throws {
        let store = StoreHalf()
        let (provider, _) = try connected(store)
        for (operation, record) in [(WriteIdentities.Operation.save, "1"), (.save, "2"), (.save, "1"), (.remove, "2")] {
            _ = try await provider.call(
                WriteIdentities.self, .init(operation: operation, identities: [identity(record)]))
        }
        #expect(store.identities == [identity("1")])
        #expect(store.everWritten == [identity("1"), identity("2")])
    }

    @Test func saysWhetherChangesAreEnough() async throws {
        let store = StoreHalf()
        let (provider, _) = try connected(store)
        #expect(
            try await provider.call(IdentityStoreState.self, Nothing())
                == .init(isEnabled: true, supportsIncrementalUpdates: false))
        _ = try await provider.call(WriteIdentities.self, .init(operation: .save, identities: [identity("1")]))
        #expect(try await provider.call(IdentityStoreState.self, Nothing()).supportsIncrementalUpdates)
        #expect(
            store.calls == [
                .state, .write(.save, count: 1, isFirstPart: true, wasEmpty: true), .state,
            ])
    }

    @Test(arguments: [(StoreHalf.Mood.disabled, ProtocolError.Code.disabled), (.busy, .busy)])
    func refusesInItsMood(mood: StoreHalf.Mood, code: ProtocolError.Code) async throws {
        let store = StoreHalf(mood)
        let (provider, _) = try connected(store)
        await #expect(throws: ProtocolError(code, "")) {
            _ = try await provider.call(WriteIdentities.self, .init(operation: .save, identities: [identity("1")]))
        }
        #expect(store.identities.isEmpty && store.everWritten.count == 1)
    }
}
