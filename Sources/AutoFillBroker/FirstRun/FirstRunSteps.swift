import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ProviderHosting

/// The first run, step by step. Until there is a master password, what was changed is taken back when the person or the
/// browser goes away; a mark in a file makes it go on where even that was cut off.
struct FirstRunSteps: Sendable {
    /// The provider that is turned on.
    let bundle: ProviderBundle
    let choices: FirstRunChoices
    let installed: InstalledProviders
    let sheets: any PersonPresenter
    let person: PersonMethods
    /// What the browser calls itself that asks.
    let browser: String?
    /// Whether the provider is on only because of a first run, and goes off again where that is not ended.
    let takesBack: Bool

    /// Leads the person through it.
    ///
    /// - Throws: ``ProtocolError``: `cancelled` where they closed a window or the browser went away, `interactionRequired`,
    ///   and what turning on the provider throws.
    func run() async throws(ProtocolError) -> SetUp.Outcome {
        switch try await wish() {
        case .allowed: break
        case .never:
            try choices.change { $0.isUnwanted = true }
            return .never
        default:
            choices.postpone()
            return .notNow
        }
        let isTyped: Bool
        do throws(ProtocolError) {
            try choices.change { $0.isUnfinished = true }
            try await turnOn()
            isTyped = try await chooseMasterPassword()
            try choices.change { $0.isUnfinished = false }
        } catch {
            await takeBack()
            throw error
        }
        await sumUp(hasPIN: await offerPIN(isTyped))
        return .done
    }

    // MARK: - Steps

    /// Whether they want it; a window that is closed is as good as *Not Now*.
    private func wish() async throws(ProtocolError) -> AskPerson.Answer {
        let isUnconfined =
            await installed.processes.confinement().map { !$0.strength.suffices(for: bundle) } ?? false
        let question = AskPerson.SettingUp(
            provider: AskPerson.Enabling(
                provider: bundle.reference, path: bundle.path, reaches: bundle.sandbox?.reaches ?? [],
                isUnconfined: isUnconfined, isReadable: !bundle.isKeeper))
        do throws(ProtocolError) {
            return try await sheets.ask(.settingUp(question))
        } catch {
            // Taken back by who asked is not closed by the person.
            guard error.code == .cancelled, !Task.isCancelled else { throw error }
            return .refused
        }
    }

    private func turnOn() async throws(ProtocolError) {
        do {
            _ = try await installed.setProvider(bundle.reference.identifier, isEnabled: true)
        } catch {
            throw error as? ProtocolError ?? ProtocolError(.internalError, "\(error)")
        }
    }

    /// Has the provider make what the master password protects. What is wrong with that, such as a full disk, is said where
    /// the next one is asked for.
    ///
    /// - Returns: whether the person has typed the one that counts; false where there was one before.
    private func chooseMasterPassword() async throws(ProtocolError) -> Bool {
        guard let check = person.verifier.check(MasterPasswordCheck.self) else {
            throw ProtocolError(.internalError, "Keyway can't reach the provider's master password.")
        }
        // One that was there before stays, with its own.
        if try await check.isChosen(bundle, within: MasterPasswordCheck.patience) { return false }
        var reason: String?
        while true {
            let question = AskPerson.NewMasterPassword(provider: bundle.reference, error: reason)
            guard case .secret(let secret) = try await sheets.ask(.newMasterPassword(question)) else {
                throw ProtocolError(.cancelled, "You chose no master password.")
            }
            do throws(ProtocolError) {
                try await check.create(bundle, Attachment(secret.sealedMemory))
                await check.adoptNewVault(of: bundle)
                return true
            } catch {
                guard error.code != .cancelled else { throw error }
                reason = error.message
                guard error.code == .exists else { continue }
            }
            // Somebody else was quicker, or it was made although no answer came: its password is the one that counts.
            if try await check.isRight(bundle, Attachment(secret.sealedMemory)) { return true }
            reason =
                "\(bundle.reference.name) has a vault already, with another master password. Enter that one, or cancel."
        }
    }

    /// The provider is off again, as it was. Also when whoever asked has gone, which cancels this task.
    private func takeBack() async {
        guard takesBack else { return }
        let (installed, choices, identifier) = (installed, choices, bundle.reference.identifier)
        await Task {
            do {
                _ = try await installed.setProvider(identifier, isEnabled: false)
                try choices.change { $0.isUnfinished = false }
            } catch {
                installed.log("the first run could not be taken back: \(error)")
            }
        }.value
    }

    // MARK: - What is nice to have

    /// Lets the person set a PIN, where this computer can check one, and where they have typed the master password a moment
    /// ago, which is not asked for again. Who found a vault there and typed nothing is nobody that is known.
    ///
    /// - Returns: whether there is one.
    private func offerPIN(_ isTyped: Bool) async -> Bool {
        guard let check = person.verifier.check(PINCheck.self) else { return false }
        let state = await check.state()
        guard isTyped, state.obstacle == .notSetUp else { return state.isAvailable }
        var reason: String?
        while !Task.isCancelled {
            guard case .secret(let pin)? = try? await sheets.ask(.newPIN(AskPerson.NewPIN(error: reason))) else {
                return false
            }
            do throws(ProtocolError) {
                try await person.setFirstPIN(Attachment(pin.sealedMemory))
                return true
            } catch {
                reason = error.message
            }
        }
        return false
    }

    private func sumUp(hasPIN: Bool) async {
        guard !Task.isCancelled else { return }
        let methods = await person.verifier.methods()
        let hasFingerprint = methods.contains { $0.method == .fingerprint && $0.isAvailable }
        _ = try? await sheets.ask(
            .isSetUp(
                AskPerson.SetUpSummary(
                    provider: bundle.reference, hasPIN: hasPIN, hasFingerprint: hasFingerprint, browser: browser)))
    }
}
