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
    /// Whether the person could be asked at another time: there is a desktop whose windows cannot be opened now, or a PIN
    /// that cannot be used now. Then that nobody can be asked is no yes.
    var couldAskLater: @Sendable () async -> Bool = { false }

    /// Puts `question`, or checks who is there instead.
    ///
    /// - Parameters:
    ///   - reason: what is decided, in a sentence, for a check.
    ///   - terminal: where is typed what a check wants; nil for a program that has no terminal.
    /// - Returns: nil where there is no way at all to ask.
    /// - Throws: ``ProtocolError``: `cancelled` when nobody decided, `notVerified` when the person could not be verified,
    ///   `interactionRequired` when they could be asked, but not now.
    func ask(
        _ question: AskPerson.Question, reason: String, terminal: (any PersonPresenter)?
    ) async throws(ProtocolError) -> Answer? {
        if let sheets, await sheets.canAsk() {
            do throws(ProtocolError) {
                switch try await sheets.ask(question) {
                case .allowed: return Answer(isAllowed: true, method: nil)
                case .refused: return Answer(isAllowed: false, method: nil)
                case .cancelled, .secret, .chosen, .elsewhere, .named: throw ProtocolError(.cancelled, "Nobody decided.")
                }
            } catch {
                guard error.code == .interactionRequired else { throw error }
            }
        }
        guard let verifier, let terminal, await terminal.canAsk(), await canCheck() else { return try await nobody() }
        let method = try await verifier.verify(VerificationSubject(reason: reason), through: terminal)
        return Answer(isAllowed: true, method: method)
    }

    /// Whether somebody in a terminal could be checked.
    func canCheck() async -> Bool { await verifier?.canVerifyForKeyway() ?? false }

    private func nobody() async throws(ProtocolError) -> Answer? {
        guard await !couldAskLater() else {
            throw ProtocolError(
                .interactionRequired,
                "You cannot be asked now: no window of Keyway's can be opened on your desktop, or the PIN cannot be used. "
                    + "Try again there, or see: keyway doctor")
        }
        return nil
    }
}
