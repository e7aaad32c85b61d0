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
            desk: .init(verifier: broker.person.verifier, choices: broker.person.choices, grace: broker.person.grace),
            presenter: presenter(presents, context), caller: try graceCaller(context), provider: bundle.reference,
            service: service.map(name), account: account.map(DisplayText.line))
        remark(context) { $0.method = { verification.method } }
        return verification
    }

    /// Answers how the person is verified, and what they set about it.
    func addVerification(to table: inout MethodTable) {
        table.on(VerificationState.self) { _, _ in await self.broker.person.verificationState() }
        table.on(ChangeVerification.self) { parameters, context in
            let method = try await self.broker.person.changeVerification(
                parameters.settings, through: self.presenter(true, context))
            self.remark(change: "when you are verified", by: method, context)
            return Nothing()
        }
        table.on(ChangePIN.self) { parameters, context in
            let method = try await self.broker.person.changePIN(parameters.pin, through: self.presenter(true, context))
            self.remark(change: parameters.pin == nil ? "PIN removed" : "PIN set", by: method, context)
            return Nothing()
        }
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
