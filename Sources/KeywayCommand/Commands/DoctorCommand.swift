import AutoFillWire
import KeywaySystem

/// `keyway doctor`.
struct DoctorCommand {
    let context: CommandContext

    func run() async throws -> ExitCode {
        let checks = try await checks(fixes: context.invocation.has("--fix"))
        try context.print(.object([("checks", .array(checks.map(\.json)))]), text: Self.text(checks))
        let hasFailed = checks.contains { $0.status == .failed }
        if hasFailed && !context.invocation.has("--fix") { try context.say(Strings.doctorCanFix) }
        return hasFailed ? .failure : .success
    }

    /// All checks, in order.
    ///
    /// - Parameter fixes: whether what can be fixed without asking is.
    func checks(fixes: Bool) async throws -> [Check] {
        let machine = context.surroundings.machine
        let paths = try KeywayPaths(environment: context.surroundings.environment)
        let installation = InstalledFiles(program: machine.program ?? "/usr/bin/keyway")
        // The folders come first: the broker makes them when it starts, and refuses those that are open.
        var checks = FolderChecks(machine: machine, paths: paths, fixes: fixes).run()
        checks += installation.checks(on: machine)
        checks += WallChecks(machine: machine, installation: installation).run()
        checks += await BrokerChecks(context: context).run()
        checks += BrowserChecks(machine: machine, installation: installation, fixes: fixes).run()
        checks += await StoredPasswordChecks(context: context).run()
        checks += SystemChecks(machine: machine).run()
        return checks
    }

    /// A line for each check, and one for what to do about it.
    static func text(_ checks: [Check]) -> String {
        checks.map { check in
            let line = "\(Strings.mark(check.status))  \(check.name): \(DisplayText.line(check.detail))\n"
            return line + (check.remedy.map { "\(Strings.remedyStart)\(DisplayText.line($0))\n" } ?? "")
        }.joined()
    }
}
