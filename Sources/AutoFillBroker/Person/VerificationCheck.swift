import AutoFillProtocol
import KeywaySystem

/// One method that verifies the person. A seam: tests have their own.
protocol VerificationCheck: Sendable {
    /// Which way.
    var method: VerificationMethod { get }

    /// How it is now. It must not keep anybody waiting for long: it asks no person.
    func state() async -> VerificationMethodState

    /// Whether it verifies the person for Keyway itself, too, and not only for one provider's accounts.
    var countsForKeyway: Bool { get async }

    /// Verifies the person; ends when the task is cancelled.
    ///
    /// - Parameters:
    ///   - subject: what for.
    ///   - presenter: where it is said what for, and where is typed what is to be typed.
    /// - Throws: ``ProtocolError``: `notVerified` with the reason when that failed, so that another way may be tried;
    ///   `cancelled` when the person backed out.
    func verify(_ subject: VerificationSubject, through presenter: any PersonPresenter) async throws(ProtocolError)
}

extension VerificationCheck {
    var countsForKeyway: Bool { true }
}

extension VerificationMethod {
    /// How the person calls it.
    var words: String {
        switch self {
        case .fingerprint: "fingerprint"
        case .pin: "Keyway PIN"
        case .system: "system prompt (polkit)"
        case .loginPassword: "login password"
        case .masterPassword: "master password"
        case .providerInterface: "provider's own screen"
        }
    }

    /// Whether a sensor looks at the person.
    var isBiometric: Bool { self == .fingerprint }
}

extension VerificationSubject {
    /// The question that is put for `method`.
    func question(_ method: VerificationMethod, error: String? = nil) -> AskPerson.Question {
        .verification(
            AskPerson.Verification(
                provider: provider, service: service, account: account, reason: reason, method: method, error: error))
    }
}
