import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// `keyway setup`: all that is there after the packages, up to the first password that is filled. Each step looks first
/// whether there is anything left to do, so that it can be run again at any time.
struct SetupCommand {
    /// What is set up, in order.
    private enum Step: String {
        case passwords, vault, pin, browsers
    }

    /// What came of it.
    private enum Outcome: String {
        /// It was done just now.
        case done
        /// It was there.
        case already
        /// The person did not want it, or could not be asked.
        case skipped
        /// This computer has no such thing.
        case unavailable
    }

    let context: CommandContext

    /// Runs all steps and tells what works.
    ///
    /// - Throws: ``CommandError``, with what to do to go on.
    func run() async throws -> ExitCode {
        do {
            try checkFolders()
            let steps = [
                (Step.passwords, try await turnOn()), (.vault, try await makeVault()), (.pin, try await offerPIN()),
                (.browsers, try connectBrowsers()),
            ]
            try await tellBroker()
            return try await report(steps)
        } catch {
            let error = CommandError(any: error)
            throw CommandError(
                error.code, error.message,
                hint: [error.hint, Strings.setupGoesOn].compactMap { $0 }.joined(separator: " "))
        }
    }

    /// The broker cannot start where it may not write, and could only hang up.
    private func checkFolders() throws {
        let paths = try KeywayPaths(environment: context.surroundings.environment)
        let checks = FolderChecks(machine: context.surroundings.machine, paths: paths, fixes: false).run()
        guard let fault = checks.first(where: { $0.name.hasPrefix("folder:") && $0.status == .failed }) else { return }
        throw CommandError(.failure, fault.detail + ".", hint: Strings.doctorSaysHow)
    }

    // MARK: Steps

    private func turnOn() async throws -> Outcome {
        let connection = try await context.connect()
        defer { connection.close() }
        let all = try await connection.call(ListProviders.self, Nothing()).providers
        guard let passwords = all.first(where: { $0.reference.identifier == PasswordsProvider.identifier }) else {
            throw CommandError(.notFound, Strings.passwordsMissing, hint: Strings.reinstall + ".")
        }
        let others = all.filter { $0.isEnabled && $0.reference != passwords.reference }.map(\.reference.name)
        if !others.isEmpty { try say(Strings.otherProvidersAreOn(others)) }
        guard !passwords.isEnabled else {
            try say(Strings.passwordsWasOn)
            return .already
        }
        try await EnableCommand(context: context).turnOn(passwords, connection)
        try say(Strings.passwordsIsOn)
        return .done
    }

    private func makeVault() async throws -> Outcome {
        try await VaultDoor(context: context).open { service in
            let before = try await service.call(VaultStatus.self, Nothing())
            guard before.access == .missing else {
                try say(Strings.vaultWasThere(before.path))
                return .already
            }
            let password = try NewMasterPassword(context: context).choose()
            let made = try await service.call(CreateVault.self, .init(masterPassword: try password.attached()))
            try say(Strings.vaultMade(made.path))
            return .done
        }
    }

    private func offerPIN() async throws -> Outcome {
        let connection = try await context.connect()
        defer { connection.close() }
        let methods = try await connection.call(VerificationState.self, Nothing()).methods
        if methods.contains(where: { $0.method == .fingerprint && $0.isAvailable }) {
            try say(Strings.fingerprintIsReady)
        }
        guard let pin = methods.first(where: { $0.method == .pin }) else { return .unavailable }
        if pin.isAvailable {
            try say(Strings.pinWasSet)
            return .already
        }
        guard pin.obstacle == .notSetUp else { return .unavailable }
        guard context.questions.areTyped, !context.wantsJSON,
            try context.questions.confirm(Strings.wantsPIN, elseHint: Strings.pinLater)
        else {
            try say(Strings.pinLater)
            return .skipped
        }
        try await VerificationCommand(context: context).setPIN(over: connection)
        return .done
    }

    /// As `doctor --fix` does: a manifest in the person's own folder, for browsers that they have.
    private func connectBrowsers() throws -> Outcome {
        let machine = context.surroundings.machine
        let installation = InstalledFiles(program: machine.program ?? "/usr/bin/keyway")
        let checks = BrowserChecks(machine: machine, installation: installation, fixes: true).run()
        for check in checks where check.status == .fixed { try say(check.detail + ".") }
        if checks.contains(where: { $0.status == .fixed }) { return .done }
        return checks.contains { $0.name.hasPrefix("host:") && $0.status == .ok } ? .already : .unavailable
    }

    /// Browsers may offer to set Keyway up again, where the person once said never, and have nothing to finish.
    private func tellBroker() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        do {
            _ = try await connection.call(FinishSetUp.self, Nothing())
        } catch {
            // A broker of another release may know nothing of it.
            guard error.code == .unknownMethod else { throw error }
        }
    }

    // MARK: What came of it

    private func report(_ steps: [(Step, Outcome)]) async throws -> ExitCode {
        let checks = try await DoctorCommand(context: context).checks(fixes: false)
        let told = checks.filter { check in
            check.status != .ok || ["providers", "vault", "host:", "extension:"].contains { check.name.hasPrefix($0) }
        }
        if !context.wantsJSON {
            try sayOwnSaving()
            try say(Strings.setupResult)
        }
        try context.print(
            .object([
                ("steps", .object(steps.map { ($0.0.rawValue, .string($0.1.rawValue)) })),
                ("checks", .array(checks.map(\.json))),
            ]),
            text: DoctorCommand.text(told))
        if told.count < checks.count { try say(Strings.otherChecks(checks.count - told.count)) }
        return checks.contains { $0.status == .failed } ? .failure : .success
    }

    private func sayOwnSaving() throws(CommandError) {
        let machine = context.surroundings.machine
        for browser in Browser.all where browser.isPresent(on: machine) {
            try say(Strings.ownSaving(browser.name, isFirefox: browser.family == .firefox))
        }
    }

    /// Says how far it is; whoever reads JSON finds that there.
    private func say(_ message: String) throws(CommandError) {
        if !context.wantsJSON { try context.say(message) }
    }
}
