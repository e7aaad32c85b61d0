import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ProviderHosting

/// Who is at the keyboard: how the person is verified, for how long that counts, and what they set about it.
final class PersonMethods: Sendable {
    let verifier: SystemVerifier
    let choices: VerificationChoices
    let grace: VerificationGrace
    let prospect: VerificationProspect
    let notices: NoticeBoard
    let clock: any TimeSource
    let log: EventLog
    /// What helps where settings are not believed, after the end of a sentence.
    let remedy: @Sendable () -> String

    init(
        verifier: SystemVerifier, choices: VerificationChoices, grace: VerificationGrace,
        prospect: VerificationProspect, notices: NoticeBoard, clock: any TimeSource, log: EventLog,
        remedy: @escaping @Sendable () -> String
    ) {
        self.verifier = verifier
        self.choices = choices
        self.grace = grace
        self.prospect = prospect
        self.notices = notices
        self.clock = clock
        self.log = log
        self.remedy = remedy
    }

    /// From now on the person can be verified by what this machine has.
    func useSystemVerification(_ secrets: any TypedSecrets) {
        verifier.add(
            FingerprintCheck(), PINCheck(choices: choices, secrets: secrets), PolkitCheck(clock: clock),
            LoginPasswordCheck(secrets: secrets))
    }

    // MARK: - What the person sets

    /// The methods as they are, and the settings.
    func verificationState() async -> VerificationState.Result {
        VerificationState.Result(
            methods: await verifier.methods(), settings: await choices.settings(), limits: choices.limits)
    }

    /// Changes the settings, after a verification where there is a method.
    ///
    /// - Returns: how the person was verified.
    /// - Throws: ``ProtocolError``: `invalidParameters`, `forbidden`, `notVerified`, `cancelled`, `locked`, `system`.
    func changeVerification(
        _ settings: VerificationSettings, through presenter: any PersonPresenter
    ) async throws(ProtocolError) -> VerificationMethod? {
        guard (0...3600).contains(settings.grace) else {
            throw ProtocolError(.invalidParameters, "A verification can last 0 to 3600 seconds.")
        }
        guard settings.providers.count <= 256, settings.providers.keys.allSatisfy(BundleJudge.isIdentifier) else {
            throw ProtocolError(.invalidParameters, "The settings name a provider that doesn't exist.")
        }
        try choices.checkAllowed(settings)
        let method = try await verifyPerson("to change when Keyway verifies you", through: presenter)
        defer { prospect.forget() }
        let beganAnew = try await choices.change(beginsAnew: true) { $0.settings = settings }
        await adoptVaults(after: method)
        if beganAnew { notices.post(nil, Self.pinIsGone) }
        grace.forgetAll()
        log("when the person is verified has changed")
        return method
    }

    /// Sets or removes the PIN, after a verification: by the old one, or in another way.
    ///
    /// - Returns: how the person was verified.
    /// - Throws: ``ProtocolError``: `invalidParameters`, `notVerified`, `cancelled`, `locked`, `system`.
    func changePIN(
        _ pin: Attachment?, through presenter: any PersonPresenter
    ) async throws(ProtocolError) -> VerificationMethod? {
        guard let check = verifier.check(PINCheck.self) else {
            throw ProtocolError(.notFound, "This installation doesn't support a PIN.")
        }
        let method = try await verifyPerson(
            pin == nil ? "to remove the Keyway PIN" : "to set the Keyway PIN", through: presenter)
        defer { prospect.forget() }
        let beganAnew = try await check.replace(with: pin)
        await adoptVaults(after: method)
        if beganAnew { notices.post(nil, pin == nil ? Self.pinIsGone : Self.rulesAreGone) }
        grace.forgetAll()
        log(pin == nil ? "the PIN was removed" : "the PIN was set")
        return method
    }

    /// Whoever was verified otherwise, and set how they are verified, has their open vault count as well.
    private func adoptVaults(after method: VerificationMethod?) async {
        guard let method, method != .masterPassword else { return }
        await verifier.check(MasterPasswordCheck.self)?.adoptOpenVaults()
    }

    /// Sets a PIN where there is none, for whoever has just chosen a master password; nobody is verified.
    ///
    /// - Throws: ``ProtocolError``: `exists`, `invalidParameters`, `locked`, `system`.
    func setFirstPIN(_ pin: Attachment) async throws(ProtocolError) {
        guard let check = verifier.check(PINCheck.self) else {
            throw ProtocolError(.notFound, "This installation doesn't support a PIN.")
        }
        guard await check.state().obstacle == .notSetUp else {
            throw ProtocolError(.exists, "There is a PIN already.")
        }
        defer { prospect.forget() }
        _ = try await check.replace(with: pin)
        grace.forgetAll()
        log("the PIN was set")
    }

    private static let pinIsGone =
        "Keyway reset the verification settings because it couldn't trust them. There is no PIN now. To set one: "
        + "keyway verification pin set"
    private static let rulesAreGone =
        "Keyway reset the verification settings because it couldn't trust them. To see them: keyway verification"

    /// Verifies the person before what any program could ask for in their name, where there is a method.
    ///
    /// - Returns: how; nil where nothing is set up.
    /// - Throws: ``ProtocolError``: `notVerified`, `cancelled`, `locked`.
    func verifyPerson(
        _ reason: String, through presenter: any PersonPresenter
    ) async throws(ProtocolError) -> VerificationMethod? {
        switch await verifier.outlookForKeyway() {
        case .ready: return try await verifier.verify(VerificationSubject(reason: reason), through: presenter)
        case .notSetUp: return nil
        case .notNow(let reasons):
            throw ProtocolError(
                .notVerified,
                "Keyway can't verify you now (\(reasons)). "
                    + "Run: keyway doctor" + remedy())
        }
    }
}
