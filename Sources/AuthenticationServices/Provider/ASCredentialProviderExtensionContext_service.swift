import AutoFillProtocol
import Foundation
import KeywaySystem

/// Ours: what Apple's systems solve with shared containers, a provider here may solve with a service of its own.
extension ASCredentialProviderExtensionContext {
    /// Connects to the service of the extension's own bundle (`KeywayService` in its Info.plist). The broker starts it
    /// where it does not run, and tells it that the extension is at the other end.
    ///
    /// - Throws: ``ASExtensionError`` with `failed` when the bundle has no service or it does not start.
    public func connectToService() async throws -> KeywayServiceConnection {
        do {
            let answer = try await broker.connection().call(ConnectService.self, .init(provider: nil))
            return KeywayServiceConnection(answer.connection.descriptor)
        } catch let error as ProtocolError {
            throw ASExtensionError(.failed, userInfo: [NSLocalizedDescriptionKey: error.message])
        }
    }
}
