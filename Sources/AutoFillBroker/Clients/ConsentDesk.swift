import AutoFillProtocol

/// Where the person decides about programs and providers: in a place where no program can answer for them.
///
/// That is a sheet on their desktop; else, on a machine without one, a check of who types in the asking terminal: a
/// program may drive a terminal, but it knows no master password, no PIN and no password of the login.
struct ConsentDesk: Sendable {
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

    /// Puts `question`, or checks who is there instead.
    ///
    /// - Parameters:
    ///   - reason: what is decided, in a sentence, for a check.
    ///   - terminal: where is typed what a check wants; nil for a program that has no terminal.
    /// - Returns: nil where there is no way at all to ask.
    /// - Throws: ``ProtocolError``: `cancelled` when nobody decided, `notVerified` when the person could not be verified.
    func ask(
        _ question: AskPerson.Question, reason: String, terminal: (any PersonPresenter)?
    ) async throws(ProtocolError) -> Answer? {
        if let sheets, await sheets.canAsk() {
            do throws(ProtocolError) {
                switch try await sheets.ask(question) {
                case .allowed: return Answer(isAllowed: true, method: nil)
                case .refused: return Answer(isAllowed: false, method: nil)
                case .cancelled, .secret: throw ProtocolError(.cancelled, "Nobody decided.")
                }
            } catch {
                guard error.code == .interactionRequired else { throw error }
            }
        }
        guard let verifier, let terminal, await terminal.canAsk() else { return nil }
        guard await verifier.methods().contains(where: \.isAvailable) else { return nil }
        let method = try await verifier.verify(VerificationSubject(reason: reason), through: terminal)
        return Answer(isAllowed: true, method: method)
    }
}
