import AutoFillProtocol
import AutoFillWire
import KeywaySystem

extension BrokerLink {
    /// Asks the broker to have the provider turned on whose app this process is.
    ///
    /// - Returns: whether it is on; false also for a program that is nobody's app, or that asks too often.
    package func requestToTurnOn() async -> Bool {
        do {
            return try await connection().call(RequestEnabling.self, Nothing()).isEnabled
        } catch let error as ProtocolError where [.notAllowed, .unknownMethod].contains(error.code) {
            // An extension or a service: it would not run if its provider were off.
            return await ASCredentialIdentityStore(broker: self).state().isEnabled
        } catch {
            return false
        }
    }
}
