import AutoFillProtocol
import KeywaySystem

/// A question whose answer is typed: put again while the answer is wrong, a few times.
enum TypedQuestion {
    /// How often the person may type.
    static let tries = 3

    /// Asks until `check` finds what was typed right.
    ///
    /// - Throws: ``ProtocolError``: `cancelled` when the person backed out, `notVerified` with the reason otherwise.
    static func ask(
        _ method: VerificationMethod, _ subject: VerificationSubject, through presenter: any PersonPresenter,
        check: (InterfaceSecret) async throws(ProtocolError) -> CheckTypedSecret.Outcome
    ) async throws(ProtocolError) {
        var error: String?
        for _ in 0..<tries {
            guard case .secret(let typed) = try await presenter.ask(subject.question(method, error: error)) else {
                throw ProtocolError(.cancelled, "You didn't enter the \(method.words).")
            }
            switch try await check(typed) {
            case .right: return
            case .wrong(let sentence): error = sentence
            case .unavailable(let reason): throw ProtocolError(.notVerified, reason)
            }
        }
        throw ProtocolError(.notVerified, "it was wrong \(tries) times")
    }
}
