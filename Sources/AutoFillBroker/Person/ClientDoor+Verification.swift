import KeywaySystem
import AutoFillWire
import AutoFillProtocol
import ProviderHosting

/// Who is at the keyboard when a client asks.
extension ClientDoor {
    /// The verification of one request of this client.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` for a terminal whose session is not known.
    func verification(
        _ presents: Bool, _ bundle: ProviderBundle, _ service: ServiceIdentifier?, account: String?,
        _ context: RequestContext
    ) throws(ProtocolError) -> RequestVerification {
        let verification = RequestVerification(
            desk: .init(verifier: broker.verifier, choices: broker.choices, grace: broker.grace),
            presenter: presenter(presents, context), caller: try graceCaller(context), provider: bundle.reference,
            service: service.map(name), account: account.map(DisplayText.line))
        remark(context) { $0.method = { verification.method } }
        return verification
    }

    /// Where the system's own questions are put for this client.
    func presenter(_ presents: Bool, _ context: RequestContext) -> any PersonPresenter {
        if presents, context.role == .terminal {
            return TerminalQuestions(connection: context.connection, hasTerminal: broker.hasTerminal)
        }
        if [.browser, .application].contains(context.role), let sheets = broker.sheets { return sheets.presenter }
        return NoPresenter()
    }

    private func graceCaller(_ context: RequestContext) throws(ProtocolError) -> VerificationGrace.Caller {
        if case .terminal(let session) = try caller(context) { return .terminal(session) }
        return .connection(ObjectIdentifier(context.connection))
    }
}

extension ProviderRequest {
    /// The account that it is about, where it names one.
    var account: String? {
        switch expectation {
        case .credential(let identity, _): identity.user
        case .registration(let passkey): passkey.userName
        default: nil
        }
    }
}
