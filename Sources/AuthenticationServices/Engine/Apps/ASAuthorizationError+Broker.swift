import Foundation
import KeywaySystem

extension ASAuthorizationError {
    /// What an application learns of an error of the broker; `isUpgrade` for a request that nobody is asked about: of
    /// that it never learns why, since the reason would say which accounts there are.
    init(_ error: any Error, isUpgrade: Bool = false) {
        if let error = error as? ASAuthorizationError {
            self = error
            return
        }
        guard let error = error as? ProtocolError else {
            self = .ended(error is CancellationError ? .canceled : .unknown, "The request was not answered.")
            return
        }
        let code: Code =
            switch error.code {
            // That there is no credential looks as if the person had backed out.
            case .cancelled, .elsewhere: .canceled
            case .exists: .matchedExcludedCredential
            case .noProvider: .deviceNotConfiguredForPasskeyCreation
            case .interactionRequired, .timedOut: .notInteractive
            case .brokerNotRunning, .connectionClosed, .versionMismatch, .unknownMethod: .notHandled
            case .internalError, .malformed, .system: .unknown
            default: .failed
            }
        self =
            isUpgrade && code != .notHandled
            ? .ended(.failed, "No passkey was made.") : .ended(code, error.message)
    }
}
