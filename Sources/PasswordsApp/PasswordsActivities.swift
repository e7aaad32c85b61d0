import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol

/// The app of Passwords: takes over what another manager hands to the vault, and hands over what is in it.
///
/// Passwords, passkeys and codes go between the broker and the vault's service in sealed memory files; they are gone through
/// here only for the titles of items, in guarded memory. The master password that a person types is passed on unread.
final class PasswordsActivities: KeywayActivityController {
    private var conversation: Conversation?

    override func application(continue userActivity: NSUserActivity) async throws -> KeywayExchangeReport {
        let person = Conversation { [weak self] in self?.interface = $0 }
        conversation = person
        defer { conversation = nil }
        let line = VaultLine(try await connectToService().descriptor)
        let exchange = VaultExchange(vault: line, system: BrokerExchange(), person: person)
        do {
            switch userActivity.activityType {
            case ASCredentialExchangeActivity:
                guard let token = userActivity.userInfo?[ASCredentialImportToken] as? UUID else {
                    throw ProtocolError(.invalidParameters, "The activity brings nothing to import.")
                }
                return try await exchange.take(token)
            case KeywayCredentialExportActivity: return try await exchange.handOver()
            default: throw ProtocolError(.unknownMethod, "Passwords can't continue this activity.")
            }
        } catch let error as ProtocolError {
            throw error.code == .cancelled ? CancellationError() : AppError(error.message)
        }
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        conversation?.receive(event)
    }
}

/// Why an activity failed, for the person.
struct AppError: LocalizedError {
    let errorDescription: String?

    /// An error that says `text`, which holds nothing secret.
    init(_ text: String) { errorDescription = text }
}
