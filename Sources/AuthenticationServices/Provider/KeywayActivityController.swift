import AutoFillProtocol
import Foundation
import KeywaySystem

/// Ours: the application of a provider, as the system starts it to continue an activity, such as
/// ``ASCredentialExchangeActivity``.
///
/// On Apple's systems an application gets its activities from UIKit or SwiftUI. Here the program that the bundle names as
/// `KeywayActivityProgram` is started in the bundle's sandbox, in a process that ends with the activity:
///
/// ```swift
/// @main
/// final class Exchange: KeywayActivityController {
///     override func application(continue userActivity: NSUserActivity) async throws -> KeywayExchangeReport {
///         guard let token = userActivity.userInfo?[ASCredentialImportToken] as? UUID else { return .init() }
///         let data = try await ASCredentialImportManager().importCredentials(token: token)
///         …
///     }
/// }
/// ```
///
/// What the person is to see goes into ``UIViewController/interface``, and the system draws it where they look.
@preconcurrency
@MainActor
open class KeywayActivityController: UIViewController {
    var broker = BrokerLink.process

    /// Whether the system started this process for an activity. A program that people start too asks this first.
    public nonisolated static var isWanted: Bool { InheritedChannel.isFromBroker(InheritedChannel.descriptorNumber) }

    /// Continues `userActivity`. The person who backs out of what is shown ends it: then the task is cancelled. This
    /// implementation fails.
    ///
    /// - Returns: what is said of it to whoever asked for it in a terminal.
    /// - Throws: an error whose description is shown to the person, and names no item; ``ASExtensionError/userCanceled``
    ///   and ``ASAuthorizationError/canceled`` where they backed out.
    open func application(continue userActivity: NSUserActivity) async throws -> KeywayExchangeReport {
        throw ASExtensionError(
            .failed, userInfo: [NSLocalizedDescriptionKey: "The app continues no such activity."])
    }

    /// Connects to the service of the application's own bundle (`KeywayService` in its Info.plist), as its extension does.
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

    /// The whole program: write `@main` in front of the subclass, whose `init?(coder:)` makes the controller.
    public class func main() {
        runKeywayActivityController {
            guard let made = self.init(coder: CoderOfNothing()) else {
                Log.line("\(self).init(coder:) returned nil; make the controller by a closure instead.")
                exit(EXIT_FAILURE)
            }
            return made
        }
    }
}
