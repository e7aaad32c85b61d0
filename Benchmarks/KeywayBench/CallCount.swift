import Benchmarking
import Glibc
import KeywaySystem

/// Counts what a broker asks the kernel for, in runs that nobody times: under strace(1), which needs no privileges for what
/// it starts itself. No process of a provider is counted so: one that is traced is ended before it learns anything.
final class CallCount {
    private static let path = "/usr/bin/strace"
    /// Whether there is one; said once where there is none.
    private static let isInstalled: Bool = {
        let isThere = access(path, X_OK) == 0
        if !isThere { complain("strace is not installed: the counts of system calls are null") }
        return isThere
    }()

    private let session: Session
    private let log: String
    private var tracer: RunningProgram?

    /// A count for the processes of `session`; nil, and said so, where there is no strace.
    init?(_ session: Session) {
        guard Self.isInstalled else { return nil }
        self.session = session
        log = "\(session.folder)/calls"
    }

    /// What a broker that runs asks in each of `runs` runs, with what it starts.
    static func ofRequests(
        _ session: Session, runs: Int, warmUp: Int = 20, _ body: (_ run: Int) async throws -> Void
    ) async throws -> BenchmarkRow.Calls? {
        guard let count = CallCount(session) else { return nil }
        try session.stopBroker()
        try count.start(["providers", "list"])
        defer { count.end() }
        for run in 0..<warmUp { try await body(run) }
        let before = count.seen
        for run in warmUp..<warmUp + runs { try await body(run) }
        let after = count.seen
        return .init(
            system: Double(after.calls - before.calls) / Double(runs),
            starts: Double(after.starts - before.starts) / Double(runs))
    }

    private static func options(_ log: String, _ session: Session) -> [String] {
        ["-f", "-q", "-e", "signal=none", "-o", log, "\(session.stage)/bin/keyway"]
    }

    /// Runs a command that starts the broker, and waits until it has ended; the tracer stays with the broker.
    private func start(_ arguments: [String]) throws {
        let tracer = try Program(Self.path, environment: session.environment)
            .start(Self.options(log, session) + arguments)
        self.tracer = tracer
        tracer.closeInput()
        guard waitUntil(seconds: 60, { hasEnded }), session.broker != nil else {
            throw BenchmarkFailure("keyway \(arguments.joined(separator: " ")) does not end under strace")
        }
    }

    /// Whether the command is over: its process is the first that is named.
    private var hasEnded: Bool {
        let lines = Self.lines(of: log)
        guard let process = lines.first?.split(separator: " ").first else { return false }
        return lines.contains { $0.hasPrefix("\(process) ") && $0.contains("+++ exited with") }
    }

    private var seen: (calls: Int, starts: Int) { Self.seen(in: log) }

    /// Calls that were begun; those that another one interrupted stand in two lines.
    private static func seen(in log: String) -> (calls: Int, starts: Int) {
        let said = lines(of: log).map { $0.drop { $0 != " " }.drop { $0 == " " } }
        let calls = said.filter { !$0.hasPrefix("<...") && !$0.hasPrefix("+++") && !$0.hasPrefix("---") }
        let starts = calls.filter { $0.hasPrefix("execve(") && ($0.hasSuffix("= 0") || $0.contains("<unfinished")) }
        return (calls.count, starts.count)
    }

    private static func lines(of log: String) -> [Substring] {
        let file = open(log, O_RDONLY | O_CLOEXEC)
        guard file >= 0, let bytes = try? FileContents.read(OwnedDescriptor(file), limit: .max) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    private func end() {
        try? session.stopBroker()
        _ = tracer?.wait()
        tracer = nil
        unlink(log)
    }
}
