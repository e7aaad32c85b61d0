import AutoFillWire
import KeywaySystem

/// `keyway doctor`.
struct DoctorCommand {
    let context: CommandContext

    func run() async throws -> ExitCode {
        let checks = try await self.checks()
        try context.print(.object([("checks", .array(checks.map(\.json)))]), text: text(checks))
        let hasFailed = checks.contains { $0.status == .failed }
        if hasFailed && !context.invocation.has("--fix") { try context.say(Strings.doctorCanFix) }
        return hasFailed ? .failure : .success
    }

    private func checks() async throws -> [Check] {
        let machine = context.surroundings.machine
        let fixes = context.invocation.has("--fix")
        let paths = try KeywayPaths(environment: context.surroundings.environment)
        let installation = InstalledFiles(program: machine.program ?? "/usr/bin/keyway")
        // The folders come first: the broker makes them when it starts, and refuses those that are open.
        var checks = FolderChecks(machine: machine, paths: paths, fixes: fixes).run()
        checks += installation.checks(on: machine)
        checks += WallChecks(machine: machine, installation: installation).run()
        checks += await BrokerChecks(context: context).run()
        checks += BrowserChecks(machine: machine, installation: installation, fixes: fixes).run()
        checks += SystemChecks(machine: machine).run()
        return checks
    }

    private func text(_ checks: [Check]) -> String {
        checks.map { check in
            let line = "\(Strings.mark(check.status))  \(check.name): \(DisplayText.line(check.detail))\n"
            return line + (check.remedy.map { "\(Strings.remedyStart)\(DisplayText.line($0))\n" } ?? "")
        }.joined()
    }
}
