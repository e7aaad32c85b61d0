import AutoFillProtocol
import KeywayCrypto
import TerminalInterface

/// Asks the person: on the terminal, or, for secrets, on standard input where that is not a terminal.
struct Questions {
    /// How often somebody may mistype before the command gives up.
    static let attempts = 3

    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    /// Whether secrets are typed by a person, who may be asked again.
    var areTyped: Bool { surroundings.secretLines == nil }

    /// Asks for a secret.
    ///
    /// - Throws: ``CommandError``: `cancelled`, or `needsPerson` when there is neither a terminal nor a line.
    func secret(_ question: String) throws(CommandError) -> SecretBytes {
        guard let lines = surroundings.secretLines else {
            return try onTerminal { (device) throws(TerminalError) in
                try SecretPrompt(device: device).ask(question + ": ")
            }
        }
        guard let line = lines.next() else {
            throw CommandError(.needsPerson, Strings.inputEnded(question), hint: Strings.secretsFromInput)
        }
        return line
    }

    /// Shows a secret on the terminal, and nowhere else, below a line that says what it is.
    ///
    /// - Throws: ``CommandError``: `needsPerson` where there is no terminal.
    func show(_ secret: SecretBytes, under heading: String) throws(CommandError) {
        try onTerminal { (device) throws(TerminalError) in
            device.write(heading + "\r\n\r\n    ", cleanup: "")
            device.write(secret)
            device.write("\r\n\r\n", cleanup: "")
        }
    }

    /// Asks for a secret that is to be remembered, twice: a slip would lock its owner out. What comes from standard
    /// input is asked for twice only if `confirmsInput`.
    ///
    /// - Throws: ``CommandError``: as ``secret(_:)``, or `failure` when the two differ.
    func newSecret(_ question: String, confirmsInput: Bool) throws(CommandError) -> SecretBytes {
        guard areTyped || confirmsInput else { return try secret(question) }
        for attempt in 1... {
            let first = try secret(question)
            if first.isEmpty && areTyped && !confirmsInput { return first }
            if try first == secret(Strings.again(question)) { return first }
            guard areTyped && attempt < Self.attempts else { break }
            try surroundings.messages.write(Strings.line(Strings.secretsDiffer))
        }
        throw CommandError(.failure, Strings.secretsDiffer)
    }

    /// Asks what only yes allows.
    ///
    /// - Throws: ``CommandError``: `cancelled`, or `needsPerson` where there is no terminal.
    func confirm(_ question: String, elseHint hint: String) throws(CommandError) -> Bool {
        do {
            return try ConfirmationPrompt(device: try surroundings.openTerminal()).ask(question)
        } catch {
            guard error.code == .noTerminal else { throw CommandError(error) }
            throw CommandError(.needsPerson, error.detail, hint: hint)
        }
    }

    /// Shows an interface of our own and returns what the person did with it.
    ///
    /// - Throws: ``CommandError``: `cancelled`, or `needsPerson` where there is no terminal.
    func answer(to interface: ProviderInterface, service: String?) async throws -> InterfaceEvent {
        let device = try surroundings.openTerminal()
        let (outcomes, sink) = AsyncStream.makeStream(of: PresenterOutcome.self)
        let presenter = TerminalPresenter(device: device, appearance: surroundings.appearance) { sink.yield($0) }
        presenter.show(try Presentation(header: PresentationHeader(service: service), interface: interface))
        var outcome: PresenterOutcome?
        for await next in outcomes {
            if case .event(.searched) = next { continue }
            outcome = next
            break
        }
        await presenter.close()
        switch outcome {
        case .event(.cancelled), .abandoned, nil: throw CommandError(.cancelled, Strings.cancelled)
        case .failed(let error): throw error
        case .event(let event): return event
        }
    }

    private func onTerminal<Result>(
        _ body: (any TerminalDevice) throws(TerminalError) -> Result
    ) throws(CommandError) -> Result {
        do {
            return try body(try surroundings.openTerminal())
        } catch {
            throw CommandError(error)
        }
    }
}
