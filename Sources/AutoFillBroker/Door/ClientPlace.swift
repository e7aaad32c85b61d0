import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting
import ServiceMatching
import Synchronization

/// As whom a client asks, and where the person sees its requests.
final class ClientPlace: Sendable {
    /// Where the terminal draws the interfaces of its open requests.
    private let relays = Mutex<[Int: InterfaceRelay]>([:])
    private let notes: RequestNotes
    private let person: PersonMethods
    private let hasTerminal: @Sendable (TerminalSession) -> Bool
    private let isInBackground: @Sendable (Connection) -> Bool
    let suffixes: PublicSuffixes
    private let sheets: SheetWindows?

    init(
        notes: RequestNotes, person: PersonMethods, hasTerminal: @escaping @Sendable (TerminalSession) -> Bool,
        isInBackground: @escaping @Sendable (Connection) -> Bool, suffixes: PublicSuffixes, sheets: SheetWindows?
    ) {
        self.notes = notes
        self.person = person
        self.hasTerminal = hasTerminal
        self.isInBackground = isInBackground
        self.suffixes = suffixes
        self.sheets = sheets
    }

    /// Who asks, from the kernel.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` for a terminal whose session is not known.
    func caller(_ context: RequestContext) throws(ProtocolError) -> BundleProcesses.Caller {
        guard context.role == .terminal else { return .browser }
        guard let session = context.connection.peerSession else {
            throw ProtocolError(.refused, "Keyway can't find out which terminal session this is.")
        }
        return .terminal(isInBackground(context.connection) ? session.inBackground : session)
    }

    /// Runs `body` with the place where interfaces are shown for a request; nil when its caller shows none.
    func presenting<Result>(
        _ presents: Bool, _ bundle: ProviderBundle, _ service: ServiceIdentifier?, _ context: RequestContext,
        purpose: PresentationShow.Purpose? = nil,
        _ body: (InterfaceRelay?) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        guard presents else {
            guard context.role != .terminal || purpose == .configuration, let sheets else {
                return try await body(nil)
            }
            // A browser shows nothing of this in the page, an app nothing in its window: the system does, in a window of its
            // own. So it does when a provider is set up by a program that has no terminal.
            let relay = sheets.relay(provider: bundle.reference, service: service.map(name), purpose: purpose)
            defer { sheets.end(relay) }
            return try await body(relay)
        }
        // Whoever is in the background draws nothing on the terminal, and is shown nothing.
        if absence(context) != nil { return try await body(nil) }
        guard let request = context.requestID, context.role == .terminal else {
            throw ProtocolError(.notAllowed, "A \(context.role.rawValue) shows no interface.")
        }
        let relay = InterfaceRelay(
            client: context.connection, request: request, provider: bundle.reference, service: service.map(name),
            purpose: purpose)
        // One that waits for this one shows its own again afterwards.
        let before = relays.withLock { $0.updateValue(relay, forKey: request) }
        defer { relays.withLock { $0[request] = before } }
        return try await body(relay)
    }

    /// Runs `body` with a window of the system's, whoever asks: what is shown there no program draws or answers. Nil where
    /// there is no desktop.
    func inWindow<Result>(
        _ bundle: ProviderBundle, _ body: (InterfaceRelay?) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        guard let sheets else { return try await body(nil) }
        let relay = sheets.relay(provider: bundle.reference, service: nil, purpose: nil)
        defer { sheets.end(relay) }
        return try await body(relay)
    }

    /// Takes away what stands in a window for a request that goes on elsewhere.
    func withdraw(_ relay: InterfaceRelay) { sheets?.withdraw(relay) }

    /// How people call a service.
    func name(_ service: ServiceIdentifier) -> String { suffixes.name(service) }

    /// What the person did with an interface that was shown for an open request.
    func receive(_ parameters: PresentationEvent.Parameters) {
        relays.withLock { $0[parameters.request] }?.receive(parameters.event)
    }

    /// A browser asks for pages: a domain alone would pass an insecure page off as a secure one.
    func checkPages(_ services: [ServiceIdentifier]) throws(ProtocolError) {
        for service in services {
            guard service.kind == .url, ServiceAddress(service, suffixes: suffixes) != nil else {
                throw ProtocolError(.invalidParameters, "A browser must name pages by http or https URLs.")
            }
        }
    }

    /// Why nobody can be asked for this client, where it runs in the background of its terminal; nil for any other. What was
    /// unlocked or verified in the terminal counts for the foreground alone.
    func absence(_ context: RequestContext) -> ProtocolError? {
        guard context.role == .terminal, isInBackground(context.connection) else { return nil }
        return ProtocolError(
            .interactionRequired,
            "The program runs in the background of its terminal, where your unlocked vault stays locked and Keyway can't "
                + "ask you. Bring it to the foreground (fg), or run it again there.")
    }

    // MARK: - Who is at the keyboard

    /// The verification of one request of this client.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` for a terminal whose session is not known.
    func verification(
        _ presents: Bool, _ bundle: ProviderBundle, _ service: ServiceIdentifier?, account: String?,
        _ context: RequestContext
    ) throws(ProtocolError) -> RequestVerification {
        let verification = RequestVerification(
            desk: .init(verifier: person.verifier, choices: person.choices, grace: person.grace),
            presenter: presenter(presents, context), caller: try graceCaller(context), provider: bundle.reference,
            service: service.map(name), account: account.map(DisplayText.line))
        notes.remark(context) { $0.method = { verification.method } }
        return verification
    }

    /// The same for a request that is answered on the desktop alone, whoever made it.
    func verificationInWindow(
        _ bundle: ProviderBundle, account: String?, _ context: RequestContext
    ) -> RequestVerification {
        let verification = RequestVerification(
            desk: .init(verifier: person.verifier, choices: person.choices, grace: person.grace),
            presenter: windowPresenter, caller: .connection(ObjectIdentifier(context.connection)),
            provider: bundle.reference, service: nil, account: account.map(DisplayText.line))
        notes.remark(context) { $0.method = { verification.method } }
        return verification
    }

    /// Where the system's own questions are put for this client.
    func presenter(_ presents: Bool, _ context: RequestContext) -> any PersonPresenter {
        if presents, context.role == .terminal {
            return TerminalQuestions(connection: context.connection, hasTerminal: hasTerminal)
        }
        if [.browser, .application].contains(context.role), let sheets { return sheets.presenter }
        return NoPresenter()
    }

    /// Where the system's own questions are put in a window, whoever asks.
    var windowPresenter: any PersonPresenter { sheets?.presenter ?? NoPresenter() }

    private func graceCaller(_ context: RequestContext) throws(ProtocolError) -> VerificationGrace.Caller {
        if case .terminal(let session) = try caller(context) { return .terminal(session) }
        return .connection(ObjectIdentifier(context.connection))
    }
}
