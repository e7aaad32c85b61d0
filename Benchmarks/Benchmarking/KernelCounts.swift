import Glibc

/// What processes asked of the kernel in a time: by perf(1), which no process that is counted notices, and by what proc(5)
/// says.
package final class KernelCounts {
    private static let path = "/usr/bin/perf"
    private static let events = [
        "raw_syscalls:sys_enter", "context-switches", "syscalls:sys_enter_fsync", "syscalls:sys_enter_fdatasync",
    ]

    /// Whether perf(1) is there, and this user may count.
    package static let isPermitted: Bool = {
        guard access(path, X_OK) == 0 else { return false }
        let outcome = try? Program(path, environment: ["PATH": "/usr/bin:/bin"]).run(
            ["stat", "-x", ",", "-e", events.joined(separator: ","), "--", "/bin/true"])
        return outcome.map { $0.status == 0 && counts(in: $0.errors)?.count == events.count } ?? false
    }()

    private let processes: [Int32]
    private let faults: [Int32: Int]
    private let report: String
    private var counter: RunningProgram?

    /// Begins to count `processes`.
    ///
    /// - Parameter folder: where perf(1) may write a file.
    package init(of processes: [Int32], in folder: String) {
        self.processes = processes
        report = "\(folder)/perf.stat"
        if Self.isPermitted {
            counter = try? Program(Self.path, environment: ["PATH": "/usr/bin:/bin"]).start([
                "stat", "-x", ",", "-o", report, "-e", Self.events.joined(separator: ","),
                "-p", processes.map(String.init).joined(separator: ","),
            ])
            counter?.closeInput()
            // It says nothing when it has begun; its report is there from then on.
            for _ in 0..<1000 where access(report, F_OK) != 0 { usleep(1000) }
            usleep(50_000)
        }
        faults = Dictionary(uniqueKeysWithValues: processes.map { ($0, Self.faults(of: $0)) })
    }

    /// Ends, and says what was counted in each of `runs` runs.
    package func end(runs: Int) -> BenchmarkRow.Calls {
        let newFaults = processes.reduce(0) { $0 + Self.faults(of: $1) - (faults[$1] ?? 0) }
        var calls = BenchmarkRow.Calls(faults: Double(newFaults) / Double(runs))
        guard let counter else { return calls }
        kill(counter.processIdentifier, SIGINT)
        _ = counter.wait()
        self.counter = nil
        defer { unlink(report) }
        guard let text = ProcessFiles.text(report), let counts = Self.counts(in: text),
            counts.count == Self.events.count
        else { return calls }
        calls.system = counts[0] / Double(runs)
        calls.switches = counts[1] / Double(runs)
        calls.flushes = (counts[2] + counts[3]) / Double(runs)
        return calls
    }

    /// The numbers at the beginning of the lines of a report, as `perf stat -x ,` writes it; nil where one was not counted.
    static func counts(in report: String) -> [Double]? {
        var counts: [Double] = []
        for line in report.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > 3 else { continue }
            guard let count = Double(fields[0]) else { return nil }
            counts.append(count)
        }
        return counts
    }

    /// How many pages the process has touched that were not there (proc_pid_stat(5): `minflt`, `majflt`).
    static func faults(of process: Int32) -> Int {
        guard let text = ProcessFiles.text("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return 0 }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 9 else { return 0 }
        return (Int(fields[7]) ?? 0) + (Int(fields[9]) ?? 0)
    }
}
