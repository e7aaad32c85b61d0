import FoundationEssentials
import ProtocolSamples
import Testing

import KeywaySystem
@testable import AutoFillProtocol
@testable import AutoFillWire

@Suite struct MessageCatalogueTests {
    @Test func namesEveryMessageOnce() {
        let names = MessageCatalogue.entries.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func everyExampleIsWrittenAndReadBackAlike() async throws {
        func roundTrip<M: DocumentedMethod>(_ method: M.Type) async throws {
            let sample = try M.sample
            var methods = MethodTable()
            methods.on(method) { parameters, _ throws in
                let (received, sent) = (try ExampleJSON.text(parameters), try ExampleJSON.text(sample.parameters))
                #expect(received == sent)
                return sample.result
            }
            let role = try #require(M.callers.sorted { $0.rawValue < $1.rawValue }.first)
            let (one, other) = try LocalSocket.pair()
            let client = Connection(descriptor: one, peer: .known(.broker))
            let server = Connection(descriptor: other, peer: .known(role), methods: methods)
            client.start()
            server.start()
            let result = try await client.call(method, sample.parameters)
            #expect(try ExampleJSON.text(result) == ExampleJSON.text(sample.result))
            server.close()
        }
        try await roundTrip(Hello.self)
        try await roundTrip(BrokerStatus.self)
        try await roundTrip(Suggest.self)
        try await roundTrip(Fill.self)
        try await roundTrip(ListProviders.self)
        try await roundTrip(SetProviderEnabled.self)
        try await roundTrip(ConnectService.self)
        try await roundTrip(PerformRequest.self)
        try await roundTrip(IdentityStoreState.self)
        try await roundTrip(WriteIdentities.self)
        try await roundTrip(ReadIdentities.self)
        try await roundTrip(AttachClient.self)
    }

    @Test func theDocumentationSaysWhatTheCodeSays() throws {
        try ProtocolDocument(path: "Docs/protocol.md").check(MessageCatalogue.entries, errors: true)
    }
}
