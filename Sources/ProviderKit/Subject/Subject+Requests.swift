import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem

/// Requests that many rules make.
extension Subject {
    /// A service that nobody has an account for.
    static let unknownService = ServiceIdentifier("https://nobody-has-an-account.example/login", kind: .url)

    /// Brings the provider to tell which accounts it has: starts its service, shows its configuration, or its list.
    func prepare() async {
        try? await service?.start()
        guard options.record == nil, !capabilities.isReportsOnly else { return }
        let settled: @Sendable () -> Bool = { [store] in store.isWritten }
        if service != nil, await Waiting.until(.milliseconds(700), settled) { return }
        _ = try? await withExtension { (started) throws(Objection) in
            if capabilities.showsConfigurationUI {
                _ = await started.perform(.configuration, person(), within: Self.patientLimit)
                if await Waiting.until(.milliseconds(500), settled) { return }
            }
            if let list = capabilities.listRequest([]) {
                _ = await started.perform(list, person(), within: Self.patientLimit)
            }
            _ = await Waiting.until(.milliseconds(1500), settled)
        }
    }

    /// An identity of `kind` that the provider has.
    ///
    /// - Throws: ``Objection/unchecked(_:)`` when it told of none.
    func identity(_ kind: CredentialKind) throws(Objection) -> CredentialIdentity {
        let told = store.identities.first { $0.kind == kind }
        // What the options name comes before what the provider tells, as far as passwords are concerned.
        if let named = options.account(kind), kind == .password || told == nil { return named }
        guard let told else {
            throw .unchecked(
                "it told the system of no identity of the kind \(kind.rawValue): give --record, --user and --service, "
                    + "or --home with an account in it")
        }
        return told
    }

    /// Asks for the credential of `identity`, without an interface first and, where that is wanted, with one.
    func credential(
        of identity: CredentialIdentity, assertion: PasskeyAssertion? = nil, from started: StartedExtension
    ) async -> Answer {
        let request = PerformRequest.CredentialRequest(identity: identity, assertion: assertion)
        let quiet = await started.perform(.provideWithoutInteraction(request), within: Self.quietLimit)
        guard quiet.extensionCode == ExtensionCode.userInteractionRequired else { return quiet }
        return await started.perform(.provideWithInteraction(request), person(), within: Self.patientLimit)
    }

    /// The password in `answer`, which the kit remembers.
    ///
    /// - Throws: ``Objection/broken(_:)`` when there is none.
    @discardableResult
    func password(in answer: Answer) throws(Objection) -> (user: String, password: SecretBytes) {
        guard case .password(let user, let attachment) = answer.result else {
            throw objection("a password", answer)
        }
        return (user, try secret(attachment, "password"))
    }

    /// The secret behind an attachment, which the kit remembers.
    ///
    /// - Throws: ``Objection/broken(_:)`` when it is not sealed.
    @discardableResult
    func secret(_ attachment: Attachment, _ what: String) throws(Objection) -> SecretBytes {
        do throws(ProtocolError) {
            return try secrets.add(attachment)
        } catch {
            throw .broken("the \(what) is in no sealed memory file (\(error.message))")
        }
    }

    /// What it means that `answer` is not what was wanted: where the person could not go on, nobody can say.
    func objection(_ wanted: String, _ answer: Answer) -> Objection {
        let asked = answer.interfaces.contains { interface in
            guard case .form(let form) = interface else { return false }
            return form.fields.contains { $0.kind == .secure }
        }
        if answer.wasGivenUp && asked && secret == nil {
            return .unchecked("it asks for a secret: give --type-from")
        }
        return .broken("instead of \(wanted): \(answer.description)")
    }

    /// Makes every request that leads to a secret, once in a run, so that there is something to look for.
    ///
    /// - Throws: ``Objection/unchecked(_:)`` when no secret came.
    func exercise() async throws(Objection) {
        try await exerciseOnce { () throws(Objection) in
            try await withExtension { (started) throws(Objection) in
                for kind in [CredentialKind.password, .oneTimeCode] {
                    guard let identity = try? identity(kind) else { continue }
                    remember(await credential(of: identity, from: started))
                }
                var requests = [capabilities.listRequest([])].compactMap { $0 }
                if capabilities.providesOneTimeCodes { requests.append(.oneTimeCodeList([])) }
                if capabilities.providesTextToInsert { requests.append(.textToInsert) }
                for request in requests {
                    remember(await started.perform(request, person(), within: Self.patientLimit))
                }
                if capabilities.supportsGeneratePasswordCredentials {
                    remember(
                        await started.perform(
                            .generatePasswordsWithoutInteraction(.ofKit), within: Self.quietLimit))
                }
            }
        }
        if secrets.isEmpty { throw .unchecked("it delivered no secret of four bytes or more") }
    }

    private func remember(_ answer: Answer) {
        switch answer.result {
        case .password(_, let secret), .oneTimeCode(let secret, _), .text(let secret): _ = try? secrets.add(secret)
        case .generated(let passwords): for password in passwords { _ = try? secrets.add(password.value) }
        default: break
        }
    }
}

extension ProviderCapabilities {
    /// The request for its list, with a passkey request where it has passkeys; nil where it has no list.
    func listRequest(_ services: [ServiceIdentifier]) -> PerformRequest.Request? {
        guard providesPasswords || providesPasskeys else { return nil }
        return .list(services, passkeys: providesPasswords ? nil : PasskeyTrial.parameters())
    }

    /// Whether there is nothing that could tell of accounts.
    var isReportsOnly: Bool {
        !providesPasswords && !providesPasskeys && !providesOneTimeCodes && !showsConfigurationUI
    }
}

extension PasswordsToGenerate {
    /// What the kit asks for.
    static let ofKit = PasswordsToGenerate(
        service: ServiceIdentifier("https://kit.example/join", kind: .url),
        passwordRules: "minlength: 12; maxlength: 40; required: lower; required: digit;")
}
