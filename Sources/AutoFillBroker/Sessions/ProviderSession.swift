import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting

/// Runs one request to a provider, from the question to the answer. It lives in the task of the caller's request: if
/// that is cancelled or its connection ends, everything that it waits for ends too.
struct ProviderSession: Sendable {
    /// Why there is no answer.
    struct Failure: Error {
        /// What the caller is told.
        let error: ProtocolError
        /// Whether the provider did not deliver: a missing record, a failure, a missed deadline; not a cancel.
        let isFault: Bool
    }

    /// How one entry ended, as far as it is no failure.
    private enum Outcome: Sendable {
        case answer(PerformRequest.Result)
        case needsPerson
    }

    let bundle: ProviderBundle
    var request: ProviderRequest
    /// Who asks, as far as the provider's processes are kept apart by it.
    let caller: BundleProcesses.Caller
    let processes: BundleProcesses
    /// Where an interface is shown; nil when the caller shows none.
    let relay: InterfaceRelay?
    /// What the caller is told to type in a terminal.
    let command: String
    /// Tells the caller that the request waits for the person.
    let notify: @Sendable (_ command: String) -> Void
    /// Whether and how the person is verified in it; nil where nothing is given to anybody.
    var verification: RequestVerification?
    /// Why nobody can be asked, where that is so: the caller is in the background of its terminal.
    var absence: ProtocolError?

    private var provider: ProviderReference { bundle.reference }

    /// Gets the answer, which ``AnswerJudge`` has looked at.
    ///
    /// - Throws: ``Failure``, with an error that names the provider: `notFound`, `exists`, `cancelled`, `timedOut`,
    ///   `locked`, `interactionRequired`, `providerFailed`.
    func run() async throws(Failure) -> PerformRequest.Result {
        var told = self
        try await precede()
        told.request = request.telling(isPersonVerified: verification?.method != nil)
        let result = try await told.answer()
        try await follow(result)
        return result
    }

    private func answer() async throws(Failure) -> PerformRequest.Result {
        while true {
            let readyCount = processes.states.readyCount(provider.identifier)
            if let quiet = request.quiet, !mustShowInterface, case .answer(let result) = try await self.quiet(quiet) {
                return result
            }
            guard let interactive = request.interactive else {
                throw fault("needs to ask you something, which this request doesn't allow")
            }
            if let relay, await relay.isAvailable() { return try await self.interactive(interactive, relay) }
            try await waitForPerson(beyond: readyCount)
        }
    }

    /// Whether only the provider's own interface can verify the person, as the relying party requires it.
    private var mustShowInterface: Bool {
        guard let verification, request.verificationPreference == .required else { return false }
        return verification.method == nil
    }

    // MARK: - Entries

    /// Asks without an interface, against the clock.
    private func quiet(_ entry: PerformRequest.Request) async throws(Failure) -> Outcome {
        let use: BundleProcesses.Use = if case .reported = request.expectation { .background } else { .quiet }
        do throws(ProtocolError) {
            return try await processes.withExtension(of: bundle, for: caller, use) { process throws(ProtocolError) in
                try await waitUntilStarted(process)
                do throws(ProtocolError) {
                    let result = try await processes.limited(request.limit, provider.identifier, for: caller) {
                        try await process.perform(entry, nil, verification)
                    }
                    return try outcome(of: result)
                } catch {
                    switch error.code {
                    // The vault was locked while the extension looked: the person is needed after all.
                    case .locked: return .needsPerson
                    case .timedOut: throw expired(process, "did not answer within \(request.limit) and was ended")
                    default: throw error
                    }
                }
            }
        } catch {
            throw Failure(error: error, isFault: [.notFound, .providerFailed, .timedOut].contains(error.code))
        }
    }

    /// Waits for the greeting; how else it may end is found by whoever asks it something.
    private func waitUntilStarted(_ process: BundleProcess) async throws(ProtocolError) {
        guard process.connection.role == nil else { return }
        do throws(ProtocolError) {
            try await processes.limited(ProviderRequest.startLimit, provider.identifier, for: caller) {
                try await process.connection.waitForGreeting()
            }
        } catch  where error.code == .timedOut {
            throw expired(process, "did not start within \(ProviderRequest.startLimit) and was ended")
        } catch {}
    }

    /// Asks with an interface, which the person may look at for a while.
    private func interactive(
        _ entry: PerformRequest.Request, _ relay: InterfaceRelay
    ) async throws(Failure) -> PerformRequest.Result {
        do throws(ProtocolError) {
            return try await processes.withExtension(of: bundle, for: caller, .interactive) {
                process throws(ProtocolError) in
                let result: PerformRequest.Result
                do throws(ProtocolError) {
                    result = try await processes.limited(ProviderRequest.personLimit, provider.identifier, for: caller)
                    {
                        try await process.perform(entry, relay, verification)
                    }
                } catch  where error.code == .timedOut {
                    throw expired(process, "waited \(ProviderRequest.personLimit) for your answer and was ended")
                }
                guard case .answer(let answer) = try outcome(of: result) else {
                    throw failed("asked for an interface that it has already")
                }
                return answer
            }
        } catch {
            // That the person did not come is nobody's fault.
            throw Failure(error: error, isFault: [.notFound, .providerFailed].contains(error.code))
        }
    }

    private func expired(_ process: BundleProcess, _ what: String) -> ProtocolError {
        let error = failed(what, .timedOut)
        processes.log("\(process.label) \(what)")
        process.stop(because: error)
        return error
    }

    // MARK: - Answers

    /// What the extension's answer means (`ASExtensionErrorDomain`).
    private func outcome(of result: PerformRequest.Result) throws(ProtocolError) -> Outcome {
        guard case .cancelled(let domain, let code, let reason) = result else {
            let judge = AnswerJudge(expectation: request.expectation, isPersonVerified: verification?.method != nil)
            if let fault = judge.fault(of: result) { throw failed(fault) }
            return .answer(result)
        }
        switch (domain, code, request.expectation) {
        case (Self.errorDomain, 1, _): throw failed("was cancelled", .cancelled)
        case (Self.errorDomain, 100, _): return .needsPerson
        case (Self.errorDomain, 101, .credential): throw failed("no longer has this account", .notFound)
        case (Self.errorDomain, 102, .registration(let asked)) where !asked.excludedCredentials.isEmpty:
            throw failed("already has a passkey for this account", .exists)
        default:
            let why = reason.map { ": \(DisplayText.line($0))" } ?? ""
            throw failed("couldn't answer\(why)")
        }
    }

    private static let errorDomain = "ASExtensionErrorDomain"

    // MARK: - Who is there

    /// Verifies the person before a provider is asked for a passkey.
    private func precede() async throws(Failure) {
        guard let verification, let preference = request.verificationPreference else { return }
        do throws(ProtocolError) {
            try await verification.precede(preference) { await relay?.isAvailable() == true }
            // Of a passkey, the settings' own check comes first too: its answer may say that it happened.
            if case .credential = request.expectation { try await verification.guardCredential() }
        } catch {
            throw unverified(error)
        }
    }

    /// Verifies the person before a credential is handed on.
    private func follow(_ result: PerformRequest.Result) async throws(Failure) {
        guard let verification else { return }
        let isPasskey =
            switch result {
            case .passkeyAssertion, .passkeyRegistration: true
            default: false
            }
        if isPasskey, request.verificationPreference == .required, verification.method == nil {
            throw Failure(
                error: failed("must verify you, but neither it nor Keyway did", .notVerified), isFault: false)
        }
        guard request.handsOver else { return }
        do throws(ProtocolError) {
            try await verification.guardCredential(hadInterface: relay?.wasShown == true)
        } catch {
            throw unverified(error)
        }
    }

    /// That the person was not verified, with the reason where they could not even be asked.
    private func unverified(_ error: ProtocolError) -> Failure {
        Failure(error: error.code == .notVerified ? absence ?? error : error, isFault: false)
    }

    // MARK: - Waiting for the person

    /// Tells the caller what to type and waits until the provider's service can answer without the person.
    private func waitForPerson(beyond readyCount: Int) async throws(Failure) {
        if let absence { throw Failure(error: absence, isFault: false) }
        // Where nothing was tried without an interface, or the service is open already, waiting changes nothing.
        guard request.quiet != nil, bundle.servicePath != nil, canBecomeReady else {
            throw Failure(
                error: failed("needs to ask you something. Run `\(command)`", .interactionRequired), isFault: false)
        }
        notify(command)
        let states = processes.states
        let identifier = provider.identifier
        do throws(ProtocolError) {
            // Started, so that it can say how it is.
            try await processes.service(of: bundle)
            try await processes.limited(ProviderRequest.personLimit, identifier, for: caller) {
                await states.waitUntilReady(identifier, beyond: readyCount)
                try Task.checkCancellation()
            }
        } catch {
            throw Failure(
                error: error.code == .timedOut
                    ? failed("waited \(ProviderRequest.personLimit) for your answer", .timedOut) : error,
                isFault: error.code == .providerFailed)
        }
    }

    /// A credential is asked for again whenever the service becomes ready; anything else only if that may be why the
    /// person is needed.
    private var canBecomeReady: Bool {
        if case .credential = request.expectation { return true }
        return processes.states.current(provider.identifier) != .ready
    }

    private func failed(_ what: String, _ code: ProtocolError.Code = .providerFailed) -> ProtocolError {
        ProtocolError(code, "\(provider.name) \(what).", provider: provider.identifier)
    }

    private func fault(_ what: String) -> Failure {
        Failure(error: failed(what), isFault: true)
    }
}
