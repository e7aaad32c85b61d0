import AutoFillProtocol

/// One `fill` from the question to its answer. It lives in the task of its request: when the request is cancelled, or
/// the connection that made it ends, so does everything that it waits for.
struct FillSession: Sendable {
    /// How long an extension may take when nobody is asked.
    static let quietLimit = Duration.seconds(3)
    /// How long the person may take.
    static let personLimit = Duration.seconds(600)

    /// What is asked of the provider.
    enum Target: Sendable {
        case identity(CredentialIdentity)
        case list
    }

    /// How one request to the extension ended, as far as it is no failure.
    private enum Outcome: Sendable {
        case credential(Fill.Result)
        case needsPerson
    }

    let bundle: ProviderBundle
    let target: Target
    let services: [ServiceIdentifier]
    let processes: BundleProcesses
    let suffixes: PublicSuffixes
    /// Where an interface is shown; nil when the caller shows none.
    let relay: InterfaceRelay?
    /// Tells the caller what to type.
    let notify: @Sendable (_ command: String) -> Void

    private var provider: ProviderReference { bundle.reference }

    /// Gets the credential.
    ///
    /// - Throws: ``ProtocolError`` with the provider's name in it: `notFound`, `cancelled`, `timedOut`, `locked`,
    ///   `interactionRequired`, `providerFailed`.
    func run() async throws(ProtocolError) -> Fill.Result {
        switch target {
        case .list:
            guard let relay else {
                throw needsInterface("shows its list in a terminal")
            }
            let expanded = services.flatMap { ServiceAddress.expanded($0, suffixes: suffixes) }
            return try await interactive(.list(expanded, passkeys: nil), relay)
        case .identity(let identity):
            while true {
                let readyCount = processes.states.readyCount(provider.identifier)
                if case .credential(let result) = try await quiet(identity) { return result }
                if let relay { return try await interactive(.provideWithInteraction(.init(identity: identity)), relay) }
                try await waitForPerson(beyond: readyCount)
            }
        }
    }

    // MARK: - Requests

    /// Asks without an interface, against the clock.
    private func quiet(_ identity: CredentialIdentity) async throws(ProtocolError) -> Outcome {
        try await processes.withExtension(of: bundle, .quiet) { process async throws(ProtocolError) in
            do throws(ProtocolError) {
                let result = try await Deadline.run(Self.quietLimit, processes.clock, "") {
                    try await process.perform(.provideWithoutInteraction(.init(identity: identity)), nil)
                }
                return try outcome(of: result)
            } catch {
                switch error.code {
                // The vault was locked while the extension looked: the person is needed after all.
                case .locked: return .needsPerson
                case .timedOut: throw expired(process, "did not answer within \(Self.quietLimit) and was ended")
                default: throw error
                }
            }
        }
    }

    /// Asks with an interface, which the person may look at for a while.
    private func interactive(
        _ request: PerformRequest.Request, _ relay: InterfaceRelay
    ) async throws(ProtocolError) -> Fill.Result {
        try await processes.withExtension(of: bundle, .interactive) { process async throws(ProtocolError) in
            let result: PerformRequest.Result
            do throws(ProtocolError) {
                result = try await Deadline.run(Self.personLimit, processes.clock, "") {
                    try await process.perform(request, relay)
                }
            } catch  where error.code == .timedOut {
                throw expired(process, "waited for you for \(Self.personLimit) and was ended")
            }
            guard case .credential(let credential) = try outcome(of: result) else {
                throw process.fail("asked for an interface that it has already")
            }
            return credential
        }
    }

    private func expired(_ process: BundleProcess, _ what: String) -> ProtocolError {
        let error = process.fail(what, .timedOut)
        processes.log("\(process.label) \(what)")
        process.stop(because: error)
        return error
    }

    /// What the extension's answer means (`ASExtensionErrorDomain`).
    private func outcome(of result: PerformRequest.Result) throws(ProtocolError) -> Outcome {
        switch result {
        case .password(let user, let password):
            // Looked at from outside: a memory file that could still change is no answer. Its bytes are not read.
            guard (try? password.sealedMemory()) != nil else { throw failed("answered with no sealed memory file") }
            return .credential(Fill.Result(user: user, password: password, provider: provider))
        case .cancelled(let domain, let code, let reason):
            switch (domain, code) {
            case (Self.errorDomain, 1): throw failed("was cancelled", .cancelled)
            case (Self.errorDomain, 100): return .needsPerson
            case (Self.errorDomain, 101): throw failed("no longer has this account", .notFound)
            default:
                let why = reason.map { ": \(DisplayText.line($0))" } ?? ""
                throw failed("could not answer\(why)")
            }
        default: throw failed("answered a request that was not made")
        }
    }

    private static let errorDomain = "ASExtensionErrorDomain"

    // MARK: - Waiting for the person

    /// Tells the caller what to type and waits until the provider's service can answer without the person.
    private func waitForPerson(beyond readyCount: Int) async throws(ProtocolError) {
        guard bundle.servicePath != nil else { throw needsInterface("needs you") }
        notify(command)
        // Started, so that it can say how it is.
        try await processes.service(of: bundle)
        let states = processes.states
        let identifier = provider.identifier
        do {
            try await Deadline.run(Self.personLimit, processes.clock, "") {
                await states.waitUntilReady(identifier, beyond: readyCount)
                try Task.checkCancellation()
            }
        } catch  where error.code == .timedOut {
            throw failed("waited for you for \(Self.personLimit)", .timedOut)
        }
    }

    private func needsInterface(_ why: String) -> ProtocolError {
        failed("\(why): run `\(command)`", .interactionRequired)
    }

    /// What to type in a terminal.
    private var command: String {
        if let command = bundle.interactionCommand { return command }
        let place = services.first.map { service in
            ServiceAddress(service, suffixes: suffixes)?.host.text ?? service.identifier
        }
        return (["keyway", "fill"] + [place].compactMap { $0 }).joined(separator: " ")
    }

    private func failed(_ what: String, _ code: ProtocolError.Code = .providerFailed) -> ProtocolError {
        ProtocolError(code, "\(provider.name) \(what).", provider: provider.identifier)
    }
}
