import AuthenticationServices
import KeywaySystem
import Testing

@MainActor
@Suite("The connection to the provider's own service")
struct ServiceConnectionTests {
    @Test func handsOverASocket() async throws {
        let (extensionEnd, serviceEnd) = try LocalSocket.pair()
        let broker = try await FakeBroker(service: .success(extensionEnd))
        let context = ASCredentialProviderExtensionContext(answer: RequestAnswer(), broker: broker.link)
        let connection = try await context.connectToService()
        #expect(write(connection.fileDescriptor, "hello", 5) == 5)
        var buffer = [UInt8](repeating: 0, count: 5)
        #expect(read(serviceEnd.rawValue, &buffer, 5) == 5)
        #expect(String(decoding: buffer, as: UTF8.self) == "hello")
    }

    @Test func failsWhereThereIsNone() async throws {
        let broker = try await FakeBroker(service: .failure(ProtocolError(.notFound, "The bundle has no service.")))
        let context = ASCredentialProviderExtensionContext(answer: RequestAnswer(), broker: broker.link)
        await #expect {
            try await context.connectToService()
        } throws: { error in
            (error as? ASExtensionError)?.code == .failed
                && error.localizedDescription == "The bundle has no service."
        }
    }
}
