import AutoFillProtocol
import AutoFillWire
import BrokerBase
import Glibc
import KeywaySystem
import ProviderHosting

/// The master password of a provider that has one, typed where the question is presented and looked at by its service.
struct MasterPasswordCheck: VerificationCheck {
    /// How long a service may take: it slows guesses down.
    static let patience = Duration.seconds(90)
    /// How long it may take to say whether there is a master password.
    static let statePatience = Duration.seconds(10)

    let processes: BundleProcesses
    /// The providers that are on.
    let providers: @Sendable () async throws(ProtocolError) -> [ProviderBundle]
    /// The vaults that count for more than their own accounts.
    let vaults: VouchingVaults
    /// Whether the master password of a provider is all that verifies the person for Keyway.
    let isAlone: @Sendable (ProviderBundle) async -> Bool
    /// Whether a provider may say for another one, or for Keyway itself, that the person is there: whoever makes a
    /// bundle could have it say so of anybody.
    var vouches: @Sendable (ProviderBundle) -> Bool = Self.isInTheBox

    /// Whether a bundle belongs to the system, or was installed with this broker.
    static func isInTheBox(_ bundle: ProviderBundle) -> Bool {
        guard bundle.scope != .system else { return true }
        guard let prefix = KeywayPaths.installedPrefix, let path = realpath(bundle.path, nil) else { return false }
        defer { free(path) }
        return String(cString: path).hasPrefix("\(prefix)/share/keyway/providers/")
    }

    var method: VerificationMethod { .masterPassword }

    func state() async -> VerificationMethodState {
        do throws(ProtocolError) {
            let able = try await able()
            guard let bundle = able.first(where: vouches) ?? able.first else {
                return unavailable("No provider that is turned on has a master password.", .notSetUp)
            }
            // Nothing typed is no try: it only asks whether there is something to compare with.
            let vault = try await ask(bundle, try Self.nothing(), Self.statePatience).vault
            var isForAll = vouches(bundle)
            if isForAll, let vault, await !vaults.holds(vault, of: bundle.reference.identifier) {
                isForAll = await isAlone(bundle)
            }
            return VerificationMethodState(
                method: method, isAvailable: true,
                detail: "of \(bundle.reference.name)" + (isForAll ? "" : ", only for its own accounts"))
        } catch {
            // Without a vault there is no master password. A service that does not answer may well have one.
            return unavailable(error.message, error.code == .notFound ? .notSetUp : nil)
        }
    }

    /// Where nobody knows which providers are on, one of them may.
    var countsForKeyway: Bool {
        get async {
            do throws(ProtocolError) { return try await bundle(for: nil) != nil } catch { return true }
        }
    }

    /// Whether the master password of `bundle` counts for Keyway, and that of no other provider does.
    func isAll(by bundle: ProviderBundle) async -> Bool {
        guard let able = try? await able().filter(vouches), able.contains(bundle) else { return false }
        guard await has(bundle) else { return false }
        for other in able where other != bundle { if await has(other) { return false } }
        return true
    }

    /// Whether a provider has a master password: one that does not answer may well have.
    private func has(_ bundle: ProviderBundle) async -> Bool {
        do throws(ProtocolError) { return try await isChosen(bundle) } catch { return true }
    }

    func verify(_ subject: VerificationSubject, through presenter: any PersonPresenter) async throws(ProtocolError) {
        guard let bundle = try await bundle(for: subject.provider?.identifier) else {
            throw ProtocolError(.notVerified, "no provider that is turned on has a master password")
        }
        var subject = subject
        if subject.provider?.identifier != bundle.reference.identifier {
            // Never typed without a word about whose it is.
            subject.reason = [subject.reason, "Enter the master password of \(bundle.reference.name)."]
                .compactMap { $0 }.joined(separator: ". ")
        }
        try await TypedQuestion.ask(method, subject, through: presenter) { typed throws(ProtocolError) in
            do throws(ProtocolError) {
                let answer = try await ask(bundle, Attachment(typed.sealedMemory), Self.patience)
                guard answer.isRight else {
                    return .wrong("Wrong master password for \(bundle.reference.name). Try again.")
                }
                if subject.provider?.identifier == bundle.reference.identifier { return .right }
                return await counts(answer.vault, of: bundle)
                    ? .right : .unavailable(Self.onlyItsOwn(bundle.reference))
            } catch {
                if error.code == .cancelled { throw error }
                return .unavailable(error.message)
            }
        }
    }

    // MARK: - Which vault it is

    /// Whether who opens that vault is the person, for other accounts than the vault's own.
    private func counts(_ vault: String?, of bundle: ProviderBundle) async -> Bool {
        guard let vault else { return true }
        let provider = bundle.reference.identifier
        if await vaults.holds(vault, of: provider) { return true }
        guard await isAlone(bundle) else { return false }
        // Where it can't be written, it is looked at again the next time.
        try? await vaults.adopt(vault, of: provider)
        return true
    }

    /// The person was verified in another way: the vaults that are open now count from here on.
    func adoptOpenVaults() async {
        guard let able = try? await able().filter(vouches) else { return }
        for bundle in able {
            guard let vault = await openVault(of: bundle) else { continue }
            try? await vaults.adopt(vault, of: bundle.reference.identifier)
        }
    }

    /// The person has just chosen the master password of a vault, which is open: it counts, where nothing else verifies them.
    func adoptNewVault(of bundle: ProviderBundle) async {
        guard vouches(bundle), let vault = await openVault(of: bundle) else { return }
        _ = await counts(vault, of: bundle)
    }

    /// The name of the vault that is open there; nil where none is, or its service does not say.
    private func openVault(of bundle: ProviderBundle) async -> String? {
        guard let nothing = try? Self.nothing() else { return nil }
        return try? await ask(bundle, nothing, Self.statePatience).vault
    }

    private static func onlyItsOwn(_ provider: ProviderReference) -> String {
        let name = DisplayText.line(provider.name)
        return "it counts only for its own accounts, because the vault of \(name) came after the other ways to verify "
            + "you; to change that, unlock it and set the PIN or the rules again"
    }

    /// The provider whose credential is wanted, if it checks one; else the first that does and vouches for others.
    private func bundle(for provider: String?) async throws(ProtocolError) -> ProviderBundle? {
        let able = try await able()
        return able.first { $0.reference.identifier == provider } ?? able.first(where: vouches)
    }

    private func able() async throws(ProtocolError) -> [ProviderBundle] {
        try await providers().filter(\.checksMasterPassword)
    }

    /// Whether a provider has a master password.
    ///
    /// - Throws: ``ProtocolError`` where its service does not say so in time.
    func isChosen(
        _ bundle: ProviderBundle, within patience: Duration = Self.statePatience
    ) async throws(ProtocolError) -> Bool {
        do throws(ProtocolError) {
            _ = try await ask(bundle, try Self.nothing(), patience)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// Has a provider make what `password` protects from now on.
    ///
    /// - Throws: ``ProtocolError``: `exists` where there is one, `system` where nothing can be written.
    func create(_ bundle: ProviderBundle, _ password: Attachment) async throws(ProtocolError) {
        _ = try await call(CreateMasterPassword.self, .init(password: password), bundle, Self.patience)
    }

    /// Whether this is the master password of a provider.
    ///
    /// - Throws: ``ProtocolError`` where its service does not say so in time.
    func isRight(_ bundle: ProviderBundle, _ password: Attachment) async throws(ProtocolError) -> Bool {
        try await ask(bundle, password, Self.patience).isRight
    }

    private func ask(
        _ bundle: ProviderBundle, _ password: Attachment, _ patience: Duration
    ) async throws(ProtocolError) -> CheckMasterPassword.Result {
        try await call(CheckMasterPassword.self, .init(password: password), bundle, patience)
    }

    private func call<Method: RemoteMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ bundle: ProviderBundle, _ patience: Duration
    ) async throws(ProtocolError) -> Method.Result {
        let service = try await processes.service(of: bundle)
        return try await Deadline.run(patience, processes.clock, "\(bundle.reference.name) did not answer in time.") {
            try await service.connection.waitForGreeting()
            return try await service.connection.call(method, parameters)
        }
    }

    private static func nothing() throws(ProtocolError) -> Attachment {
        Attachment(try SealedMemory(copying: UnsafeRawBufferPointer(start: nil, count: 0)))
    }

    private func unavailable(
        _ detail: String, _ obstacle: VerificationMethodState.Obstacle? = nil
    ) -> VerificationMethodState {
        VerificationMethodState(method: method, isAvailable: false, detail: detail, obstacle: obstacle)
    }
}
