import AutoFillProtocol
import AutoFillWire
import Confinement
import Glibc
import KeywaySystem

/// Finds out how far this machine lets bundles be confined, by doing it.
actor ConfinementProbe {
    /// How long a probe may take.
    private static let patience = Duration.seconds(10)
    /// How long a strength below the full one is believed: what is missing may have been installed since.
    private static let memory = Duration.seconds(5)

    private let tools: ConfinementTools
    private var task: Task<BrokerStatus.ConfinementState, Never>?
    private var settledAt: MonotonicTime?

    /// A probe of these programs.
    init(tools: ConfinementTools) {
        self.tools = tools
    }

    /// How far it goes now.
    func state() async -> BrokerStatus.ConfinementState {
        if let task {
            let known = await task.value
            if known.strength == .full { return known }
            if let settledAt, MonotonicTime.now.since(settledAt) < Self.memory { return known }
        }
        let next = Task { await probe() }
        task = next
        settledAt = nil
        let state = await next.value
        settledAt = MonotonicTime.now
        return state
    }

    private func probe() async -> BrokerStatus.ConfinementState {
        guard let bare = tools.bare(of: Self.nothing, .probe, needsLandlock: true) else {
            return .init(strength: .none, detail: "\(ConfinementTools.confineName) is not installed beside keywayd.")
        }
        let reason: String
        if let problem = Bubblewrap.problem() {
            reason = problem
        } else {
            guard let enclosed = tools.enclosed(Self.nothing, .probe) else {
                return .init(strength: .none, detail: "\(ConfinementTools.confineName) is not installed.")
            }
            guard let failure = await failure(of: enclosed) else { return .init(strength: .full, detail: nil) }
            reason = Self.hindrance() ?? "bubblewrap cannot confine: \(failure)"
        }
        guard let failure = await failure(of: bare) else { return .init(strength: .partial, detail: reason + ".") }
        return .init(strength: .none, detail: "\(reason); \(failure).")
    }

    private static var nothing: Enclosure {
        var enclosure = Enclosure(limits: .ofExtension)
        enclosure.privateFolders = []
        return enclosure
    }

    /// Why the command does not end well, in words; nil when it does.
    private func failure(of command: ConfinementTools.Command) async -> String? {
        do throws(ProtocolError) {
            let (channel, theirs) = try LocalSocket.pair()
            let (report, theirReport) = try LocalSocket.pair()
            let child = try LastingThread.starting.run { () throws(ProtocolError) in
                try ChildProcess(
                    path: command.path, arguments: command.arguments, environment: [:], channel: theirs,
                    report: theirReport, endsGroup: true)
            }
            let status = await child.end(within: Self.patience)
            _ = channel
            guard status != 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = recv(report.rawValue, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            let text = count > 0 ? DisplayText.line(String(decoding: bytes[..<count], as: UTF8.self)) : nil
            return text ?? "it ended with \(ChildProcess.describe(status: status))"
        } catch {
            return error.message
        }
    }

    /// What a system is known to forbid namespaces with; nil when it is none of that.
    private static func hindrance() -> String? {
        let switches = [
            ("/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone is 0"),
            ("/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces is 0"),
            (
                "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
                "AppArmor forbids user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1)"
            ),
        ]
        for (path, value, text) in switches {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0, let bytes = try? FileContents.read(OwnedDescriptor(file), limit: 16) else { continue }
            let found = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first
            if found == value[...] { return "this system lets nobody make namespaces: \(text)" }
        }
        return nil
    }
}
