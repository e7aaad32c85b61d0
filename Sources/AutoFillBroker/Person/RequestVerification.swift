import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting
import Synchronization
import WebAuthnValues

/// Whether and how the person was verified in one request. A passkey may claim "user verified" only if this says so,
/// whatever was verified before.
final class RequestVerification: PersonVerification {
    /// What verifies, for every request alike.
    struct Desk: Sendable {
        let verifier: SystemVerifier
        let choices: VerificationChoices
        let grace: VerificationGrace
    }

    private let desk: Desk
    private let presenter: any PersonPresenter
    private let caller: VerificationGrace.Caller
    private let subject: VerificationSubject
    private let provider: String
    private let found = Mutex<VerificationMethod?>(nil)

    /// A request in which nobody was verified yet.
    ///
    /// - Parameters:
    ///   - presenter: where the person is asked.
    ///   - caller: whom a check counts for.
    ///   - subject: whose credential is wanted, and for what.
    init(
        desk: Desk, presenter: any PersonPresenter, caller: VerificationGrace.Caller, provider: ProviderReference,
        service: String?, account: String?
    ) {
        self.desk = desk
        self.presenter = presenter
        self.caller = caller
        self.provider = provider.identifier
        subject = VerificationSubject(provider: provider, service: service, account: account)
    }

    /// How the person was verified in this request; nil as long as they were not. For the history too.
    var method: VerificationMethod? { found.withLock { $0 } }

    /// The provider's own interface verified the person: it asked for a secret, and was given one.
    func noteProviderInterface() {
        found.withLock { $0 = $0 ?? .providerInterface }
    }

    // MARK: - Before and after the provider is asked

    /// Verifies the person before a passkey is used or made, as the relying party wants it.
    ///
    /// - Parameter mayShowInterface: whether the provider's own interface can be shown; asked only where it matters, since
    ///   a program is started for the answer.
    /// - Throws: ``ProtocolError``: `notVerified`, or `cancelled`.
    func precede(
        _ preference: UserVerificationPreference, mayShowInterface: () async -> Bool
    ) async throws(ProtocolError) {
        switch preference {
        case .discouraged: return
        case .required:
            if await isPossible() { return try await verify() }
            // The provider's own interface may do it, and is looked at when it answered.
            if await !mayShowInterface() { try await verify() }
        case .preferred:
            guard await isPossible() else { return }
            do throws(ProtocolError) {
                try await verify()
            } catch {
                // What turned out not to be there is no failure of the person's.
                guard error.code == .notVerified, await !isPossible() else { throw error }
            }
        }
    }

    /// Verifies the person before a credential is handed on, as the settings say; a check that was just made for the same
    /// caller and provider counts. Where an interface was shown, the person was asked something, and that is enough
    /// unless the check is always wanted.
    ///
    /// - Throws: ``ProtocolError``: `notVerified`, or `cancelled`.
    func guardCredential(hadInterface: Bool = false) async throws(ProtocolError) {
        if hadInterface, await rule() != .always { return }
        if await isWanted() { try await verify() }
    }

    private func rule() async -> VerificationSettings.Rule {
        let settings = await desk.choices.settings()
        return settings.providers[provider] ?? settings.rule
    }

    /// Whether the settings ask for a check in this request.
    private func isWanted() async -> Bool {
        guard method == nil else { return false }
        let settings = await desk.choices.settings()
        return await isWanted(settings) && !desk.grace.covers(caller, provider, seconds: settings.grace)
    }

    private func isWanted(_ settings: VerificationSettings) async -> Bool {
        switch settings.providers[provider] ?? settings.rule {
        case .always: return true
        case .never: return false
        case .whenSetUp:
            // Where that cannot be read, it may be set up.
            guard let document = try? await desk.choices.document() else { return true }
            if document.isPINSet { return true }
            return await desk.verifier.methods(.fingerprint).contains(where: \.isAvailable)
        }
    }

    private func isPossible() async -> Bool {
        guard await presenter.canAsk() else { return false }
        return await desk.verifier.methods().contains(where: \.isAvailable)
    }

    private func verify() async throws(ProtocolError) {
        try await verify(subject)
    }

    private func verify(_ subject: VerificationSubject) async throws(ProtocolError) {
        let method = try await desk.verifier.verify(subject, through: presenter)
        found.withLock { $0 = method }
        desk.grace.begin(caller, provider)
    }

    // MARK: - For the provider

    /// Answers `LAContext` of the provider whose extension works on the request.
    ///
    /// - Throws: ``ProtocolError``: `notVerified`, or `cancelled`.
    func answer(_ parameters: VerifyPerson.Parameters) async throws(ProtocolError) -> VerifyPerson.Result {
        let isBiometric = parameters.policy == .biometrics
        let states = await desk.verifier.methods().filter { !isBiometric || $0.method.isBiometric }
        guard let reason = parameters.reason else {
            return VerifyPerson.Result(methods: states, method: nil, isWanted: await isWanted())
        }
        var subject = subject
        subject.reason = DisplayText.line(String(reason.prefix(300)))
        subject.methods = isBiometric ? [.fingerprint] : nil
        try await verify(subject)
        return VerifyPerson.Result(methods: states, method: method)
    }
}
