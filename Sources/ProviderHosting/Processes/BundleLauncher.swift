package import AutoFillProtocol
package import AutoFillWire
package import BrokerBase
import Confinement
import Glibc
package import KeywaySystem
import Synchronization

/// One of a bundle's programs, as it is to be started.
package struct BundleProgram: Hashable, Sendable {
    /// Whether its author looks at it.
    package enum Debugging: Hashable, Sendable {
        case none
        /// A debugger may be attached to it at any time.
        case allowed
        /// The same, and it does nothing until a debugger is attached and lets it go on.
        case stopped
    }

    /// The program.
    package let path: String
    /// What it is: ``Role/providerExtension``, ``Role/providerService`` or ``Role/providerApplication``.
    package let role: Role
    /// Whether its author looks at it.
    package var debugging = Debugging.none
    /// The bundle that it belongs to, whose declaration says what it reaches.
    package let bundle: ProviderBundle
    /// The folder that the bundle's processes share, where it has one.
    package var group: String?
}

/// A started program: what the broker needs of a process.
package protocol LaunchedProcess: Sendable {
    /// The process, as the kernel numbers it.
    var processIdentifier: Int32 { get }
    /// The same, when it is certain.
    func identified() async -> Int32
    /// What it and all that it started took too much of, in a clause that follows its name; nil when it was nothing.
    var excess: String? { get }
    /// Calls `body` once with the status of waitpid(2) when it ends, or at once when it has.
    func onExit(_ body: @escaping @Sendable (CInt) -> Void)
    /// Sends a signal.
    func send(signal: CInt)
}

extension LaunchedProcess {
    package func identified() async -> Int32 { processIdentifier }
    package var excess: String? { nil }
}

extension ChildProcess: LaunchedProcess {}

/// Starts the programs of bundles. A seam: tests run extensions in their own process.
package protocol BundleLauncher: Sendable {
    /// How far what it starts is confined; nil where nothing is to be said. To be awaited before a start.
    func confinement() async -> BrokerStatus.ConfinementState?

    /// Whether limits hold for all processes of a bundle together; nil where nothing is to be said.
    var sharedLimits: BrokerStatus.SharedLimitsState? { get }

    /// Why the bundle is not to be started, as ``confinement()`` was last; nil when it is.
    func refusal(of bundle: ProviderBundle) -> ProtocolError?

    /// Starts `program`, with the other end of the returned socket as its descriptor 3.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`, or `refused` when a path leads to what no bundle may have.
    func launch(_ program: BundleProgram) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor)

    /// Commits changes to a repository whose work tree the bundle may change.
    ///
    /// - Throws: ``ProtocolError``: `invalidParameters`, `refused` for another repository, `notFound` where there is none
    ///   or no git, `providerFailed` where git refuses, `system`.
    func commit(_ changes: CommitChanges.Parameters, of bundle: ProviderBundle) async throws(ProtocolError)
}

extension BundleLauncher {
    package func confinement() async -> BrokerStatus.ConfinementState? { nil }

    package var sharedLimits: BrokerStatus.SharedLimitsState? { nil }

    package func refusal(of bundle: ProviderBundle) -> ProtocolError? { nil }

    package func commit(_ changes: CommitChanges.Parameters, of bundle: ProviderBundle) async throws(ProtocolError) {
        throw ProtocolError(.notFound, "git is not installed.")
    }
}

/// Starts programs as processes with a clean environment, in a session of their own, confined to what their bundle
/// declares (``Enclosure``). Whatever such a program leaves running ends with it.
package final class ProcessLauncher: BundleLauncher {
    let environment: [String: String]
    let folders: SandboxFolders
    let tools: ConfinementTools
    private let probe: ConfinementProbe
    let log: EventLog
    private let groups: Result<ControlGroups, ProtocolError>
    let committing = Turn()
    let known = Mutex<BrokerStatus.ConfinementState?>(nil)

    /// A launcher that passes on where the person's files lie and which language they read, and nothing else.
    ///
    /// - Parameter groups: where it puts what it starts, or why it cannot.
    package init(
        environment: [String: String], paths: KeywayPaths, log: EventLog, groups: Result<ControlGroups, ProtocolError>
    ) {
        self.environment = environment
        self.log = log
        self.groups = groups
        folders = SandboxFolders(environment: environment, paths: paths)
        tools = ConfinementTools(folder: paths.runtime + "/confinement")
        probe = ConfinementProbe(tools: tools)
    }

    package func confinement() async -> BrokerStatus.ConfinementState? {
        let state = await probe.state()
        known.withLock { $0 = state }
        return state
    }

    package var sharedLimits: BrokerStatus.SharedLimitsState? {
        switch groups {
        case .success: .init(hold: true, detail: nil)
        case .failure(let error): .init(hold: false, detail: error.message)
        }
    }

    /// A control group for a program that works for `bundle`; nil where there are none.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func group(
        _ part: String, of bundle: ProviderBundle, _ limits: SharedLimits
    ) throws(ProtocolError) -> ControlGroup? {
        guard case .success(let groups) = groups else { return nil }
        return try groups.begin(part, of: bundle.reference.identifier, limits)
    }

    package func refusal(of bundle: ProviderBundle) -> ProtocolError? {
        guard let state = known.withLock({ $0 }), !state.strength.suffices(for: bundle), !bundle.mayRunUnconfined
        else { return nil }
        let provider = bundle.reference
        return ProtocolError(
            .refused,
            "\(provider.name) was not started, because this computer can't sandbox it fully. \(state.detail ?? "") "
                + "To let it run anyway: keyway providers enable --unconfined \(provider.identifier)",
            provider: provider.identifier)
    }

    package func launch(_ program: BundleProgram) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor) {
        let strength = known.withLock { $0?.strength } ?? .full
        if let refusal = refusal(of: program.bundle) { throw refusal }
        let plan = SandboxPlan(bundle: program.bundle, group: program.group, folders: folders)
        let enclosure = try plan.enclosure(role: program.role)
        try plan.checkHoldsWithoutNamespaces(enclosure)
        let action = program.debugging == .stopped ? ConfineCommand.Action.stop(program.path) : .run(program.path)
        let isEnclosed = strength == .full && !enclosure.isKeeper
        let command =
            isEnclosed
            ? tools.enclosed(enclosure, action)
            : tools.bare(of: enclosure, action, needsLandlock: strength != .none)
        let environment = environment(for: program, isEnclosed: isEnclosed)
        let (ours, theirs) = try LocalSocket.pair()
        let isService = program.role == .providerService
        let part = program.role.part
        let output = try ProviderOutput.begin("\(program.bundle.reference.identifier) \(part) wrote", log: log)
        let limits = isService ? SharedLimits.ofService : .ofExtension
        guard let command else {
            // The person lets it run although nothing is there that could confine it.
            let group = try self.group(part, of: program.bundle, limits)
            let process = try GroupedProcess(in: group) { (folder) throws(ProtocolError) in
                try ChildProcess(
                    path: program.path, environment: environment, channel: theirs, output: output, endsGroup: true,
                    controlGroup: folder)
            }
            return (process, ours)
        }
        let (report, theirReport) = try LocalSocket.pair()
        try report.wantCredentials()
        let child = try GroupedProcess(in: group(part, of: program.bundle, limits)) { (folder) throws(ProtocolError) in
            try LastingThread.starting.run { () throws(ProtocolError) in
                try ChildProcess(
                    path: command.path, arguments: command.arguments, environment: environment, channel: theirs,
                    report: theirReport, output: output, endsGroup: true, controlGroup: folder)
            }
        }
        let process = ConfinedProcess(
            child, report: report, isEnclosed: isEnclosed, waitsForDebugger: program.debugging == .stopped,
            log: log)
        return (process, ours)
    }

    private func environment(for program: BundleProgram, isEnclosed: Bool) -> [String: String] {
        var environment = SandboxFolders.passedOn(environment, to: program.bundle.sandbox)
        if isEnclosed { environment["TMPDIR"] = "/tmp" }
        if program.debugging != .none { environment[ProcessHardening.debuggedVariable] = "1" }
        return environment
    }
}

extension ConfinementStrength {
    /// Whether a machine that confines so far confines `bundle` as far as it should be: not each takes namespaces.
    package func suffices(for bundle: ProviderBundle) -> Bool {
        switch self {
        case .full: true
        case .partial: bundle.isKeeper
        case .none: false
        }
    }
}

extension ProviderBundle {
    /// Whether its processes are confined without namespaces (``Enclosure/isKeeper``).
    package var isKeeper: Bool { (sandbox ?? DeclaredSandbox()).needsNoNamespace }
}
