import AutoFillProtocol
import KeywaySystem

/// Asks the person for consent about programs and providers, where no program can answer for them.
///
/// With a display, it asks in a sheet. Without one, it verifies the person in the terminal that asked: a program can
/// drive a terminal, but it doesn't know a master password, a PIN or the login password.
struct ConsentQuestions: Sendable {
    /// What the person decided.
    struct Answer: Sendable {
        let isAllowed: Bool
        /// How they showed who decided; nil where a click was enough.
        let method: VerificationMethod?
    }

    /// The desktop's sheets; nil where nothing can be shown.
    let sheets: (any PersonPresenter)?
    /// Who checks the person; nil where nobody can.
    let verifier: (any PersonVerifier)?
    /// Whether the person has a desktop, also one whose windows cannot be opened now. Then that nobody can be asked is no
    /// yes.
    var hasDesktop: @Sendable () async -> Bool = { false }
    /// What helps where files that say how the person can be asked are not believed, after the end of a sentence; empty where
    /// all are.
    var remedy: @Sendable () -> String = { "" }

    /// Puts `question`, or checks who is there instead.
    ///
    /// - Parameters:
    ///   - reason: what is decided, in a sentence, for a check.
    ///   - terminal: where is typed what a check wants; nil for a program that can have none.
    /// - Returns: nil where there is no way at all to ask, and, of a program that can have no terminal, where there is no
    ///   desktop.
    /// - Throws: ``ProtocolError``: `cancelled` when nobody decided, `notVerified` when the person could not be verified,
    ///   `interactionRequired` when they could be asked, but not now or not here.
    func ask(
        _ question: AskPerson.Question, reason: String, terminal: (any PersonPresenter)?
    ) async throws(ProtocolError) -> Answer? {
        if let sheets, await sheets.canAsk() {
            do throws(ProtocolError) {
                switch try await sheets.ask(question) {
                case .allowed: return Answer(isAllowed: true, method: nil)
                case .refused: return Answer(isAllowed: false, method: nil)
                case .cancelled, .secret, .chosen, .elsewhere, .named, .never, .unchanged:
                    throw ProtocolError(.cancelled, "The question was not answered.")
                }
            } catch {
                guard error.code == .interactionRequired else { throw error }
            }
        }
        let outlook = await verifier?.outlookForKeyway() ?? .notSetUp
        if let verifier, let terminal, outlook == .ready, await terminal.canAsk() {
            let method = try await verifier.verify(VerificationSubject(reason: reason), through: terminal)
            return Answer(isAllowed: true, method: method)
        }
        guard await !hasDesktop() else {
            throw ProtocolError(
                .interactionRequired,
                "Keyway asks you on your desktop, but couldn't open a window there. Try again there, or run: keyway "
                    + "doctor" + remedy())
        }
        guard terminal != nil else { return nil }
        switch outlook {
        case .notSetUp: return nil
        // A program that gives itself no terminal gets around no check that way.
        case .ready:
            throw ProtocolError(
                .interactionRequired, "Keyway can't ask you here. Run the command in your own terminal.")
        case .notNow(let reasons):
            throw ProtocolError(
                .interactionRequired,
                "Keyway can't ask you now, because it can't verify you (\(reasons)). Run: keyway doctor" + remedy())
        }
    }
}
