import AutoFillClient
import AutoFillProtocol
import AutoFillWire
import Benchmarking
import Glibc
import KeywaySystem
import PasswordsProtocol
import Synchronization

/// A private place on disk with the staged programs: its own broker, its own vault, nothing of the person's.
final class Session: Sendable {
    let folder: String
    let environment: [String: String]
    let paths: KeywayPaths
    /// The staged tree (`Tools/stage`).
    let stage: String
    /// What the processors worked for brokers that have ended, and for what they started, in seconds.
    private let ended = Mutex(0.0)

    /// Makes the folders. Not in memory: what must be durable shall cost what it costs.
    init(stage: String) throws {
        var template = Array("/var/tmp/keyway-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw ProtocolError.system("mkdtemp", errno) }
        folder = String(cString: made)
        self.stage = stage
        var environment = ["HOME": folder, "PATH": "\(stage)/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]
        environment["XDG_DATA_DIRS"] = "\(stage)/share:/usr/local/share:/usr/share"
        for (variable, name) in [
            ("XDG_RUNTIME_DIR", "runtime"), ("XDG_STATE_HOME", "state"), ("XDG_DATA_HOME", "data"),
            ("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"),
        ] {
            mkdir("\(folder)/\(name)", 0o700)
            environment[variable] = "\(folder)/\(name)"
        }
        self.environment = environment
        paths = try KeywayPaths(environment: environment)
        try approvePrograms()
    }

    /// Lets the staged programs and this one ask, as much as they like, as if the person had been asked.
    private func approvePrograms() throws {
        guard let own = KeywayPaths.ownProgram() else { throw ProtocolError.system("readlink", errno) }
        let tool = #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Tools/session/grants.py"
        let outcome = try Program("/usr/bin/python3", environment: environment)
            .run(["/" + tool, stage, paths.state, own])
        guard outcome.status == 0 else { throw BenchmarkFailure("grants.py: \(outcome.errors)") }
    }

    // MARK: Programs

    /// `keyway`, as a person runs it.
    var keyway: Program { Program("\(stage)/bin/keyway", environment: environment) }

    // MARK: The broker

    private var door: BrokerDoor {
        let program = BrokerProgram(path: "\(stage)/libexec/keyway/keywayd", environment: environment)
        return BrokerDoor(paths: paths, program: program)
    }

    /// A conversation with the broker, which is started when it does not run.
    func connect(as role: Role) async throws -> Connection {
        try await door.connect(as: role, name: "keyway-bench \(ProtocolVersion.release)")
    }

    /// A conversation with the vault's service, which is started when it does not run.
    func connectToService() async throws -> Connection {
        let broker = try await connect(as: .terminal)
        let answer = try await broker.call(ConnectService.self, .init(provider: PasswordsProvider.identifier))
        let service = Connection(descriptor: answer.connection.descriptor, peer: .known(.providerService))
        // The broker is asked about what is handed out here, as long as it knows to whom.
        service.onClose { broker.close() }
        service.start()
        return service
    }

    /// The broker's process; nil when none runs.
    var broker: Int32? {
        guard let socket = try? door.knock() else { return nil }
        return PeerIdentity(socket: socket)?.processIdentifier
    }

    /// The broker and all that it started.
    var processes: [Int32] { broker.map(ProcessMemory.family) ?? [] }

    /// The most memory that they had, each at its own time, in MiB.
    var peakMiB: Double { processes.reduce(0) { $0 + ProcessMemory.peakMiB(of: $1) } }

    /// What the processors worked for all brokers of this session so far, and for what they started, in seconds.
    var cpuSeconds: Double { ended.withLock { $0 } + runningSeconds(processes) }

    private func runningSeconds(_ processes: [Int32]) -> Double {
        processes.reduce(0) { $0 + ProcessorTime.seconds(of: $1) }
    }

    /// Counts what the broker, all that it started, and `others` ask of the kernel in each run of `body`, in runs that nobody
    /// times. All of them run already.
    func counted(runs: Int, with others: [Int32] = [], _ body: (_ run: Int) async throws -> Void) async throws
        -> BenchmarkRow.Calls
    {
        let counts = KernelCounts(of: processes + others, in: folder)
        for run in 0..<runs { try await body(run) }
        return counts.end(runs: runs)
    }

    /// Ends the broker and waits until it and all that it started are gone.
    func stopBroker() throws {
        let processes = processes
        guard let broker = processes.first else { return }
        let seconds = runningSeconds(processes)
        ended.withLock { $0 += seconds }
        kill(broker, SIGTERM)
        guard waitUntil(seconds: 10, { processes.allSatisfy { !isRunning($0) } }) else {
            throw BenchmarkFailure("the broker, or what it started, did not end")
        }
    }

    /// Ends everything and removes the folder.
    func close() {
        let processes = processes
        try? stopBroker()
        for process in processes where isRunning(process) { kill(process, SIGKILL) }
        _ = try? Program("/bin/rm", environment: environment).run(["-rf", folder])
    }
}

/// Why a row could not be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Whether a process is there and no zombie.
func isRunning(_ process: Int32) -> Bool {
    kill(process, 0) == 0 && ProcessMemory.peakMiB(of: process) > 0
}

/// Asks each millisecond until the answer is yes; false when it never was.
func waitUntil(seconds: Int, _ condition: () -> Bool) -> Bool {
    let started = MonotonicTime.now
    while !condition() {
        guard MonotonicTime.now.since(started) < .seconds(seconds) else { return false }
        usleep(1000)
    }
    return true
}
