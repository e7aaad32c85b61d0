import Glibc
package import KeywaySystem

/// A program that is run for its time: from the start until it has ended, with what it wrote.
package struct Program: Sendable {
    /// How a run went.
    package struct Outcome: Sendable {
        /// From before the start until the end was noticed.
        package let duration: Duration
        /// The exit status; 128 and the signal's number for a violent end.
        package let status: Int32
        /// What it wrote to standard output.
        package let output: [UInt8]
        /// The most resident memory that it had, and each program that it ran and that ended with it, together, in MiB; 0
        /// when it was not watched.
        package let peakMiB: Double
        /// The beginning of what it wrote to standard error.
        package let errors: String
    }

    private let path: String
    private let environment: [String: String]

    /// The program at `path`, with exactly this environment.
    package init(_ path: String, environment: [String: String]) {
        self.path = path
        self.environment = environment
    }

    /// Runs it with `input` on standard input. `watching` samples its memory each millisecond, which costs some time:
    /// do not take the time of such a run.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when it cannot be started.
    package func run(
        _ arguments: [String] = [], input: [UInt8] = [], watching: Bool = false
    ) throws(ProtocolError) -> Outcome {
        let started = MonotonicTime.now
        let errors = try Pipe()
        let running = try start(arguments, errors: errors.writing)
        running.write(input)
        running.closeInput()
        let (output, peaks) = running.readAll(watching: watching)
        let status = running.wait()
        let duration = MonotonicTime.now.since(started)
        // What it leaves behind, a broker say, is counted where processes that stay are.
        let peak = peaks.filter { kill($0.key, 0) != 0 }.values.reduce(0, +)
        return Outcome(
            duration: duration, status: status, output: output, peakMiB: peak, errors: errors.beginning())
    }

    /// Starts it with pipes to its standard input and output; what it complains of goes to `errors`, or nowhere.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    package func start(_ arguments: [String] = [], errors: OwnedDescriptor? = nil) throws(ProtocolError)
        -> RunningProgram
    {
        let input = try Pipe()
        let output = try Pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reading.rawValue, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing.rawValue, 1)
        if let errors {
            posix_spawn_file_actions_adddup2(&actions, errors.rawValue, 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        var attributes = Self.ordinarySignals()
        defer { posix_spawnattr_destroy(&attributes) }
        var child: pid_t = 0
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let error = withCStrings([path] + arguments) { argv in
            withCStrings(variables) { posix_spawn(&child, path, &actions, &attributes, argv, $0) }
        }
        guard error == 0 else { throw .system("start \(path)", error) }
        return RunningProgram(processIdentifier: child, input: input.writing, output: output.reading)
    }

    /// Nothing blocked, nothing ignored: threads of libdispatch block most signals, and a child would inherit that.
    private static func ordinarySignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }
}

/// A program that runs, with the ends of two pipes.
package final class RunningProgram {
    /// Its process.
    package let processIdentifier: Int32
    private var input: OwnedDescriptor?
    private let output: OwnedDescriptor

    init(processIdentifier: Int32, input: OwnedDescriptor, output: OwnedDescriptor) {
        self.processIdentifier = processIdentifier
        self.input = input
        self.output = output
    }

    /// Writes all of `bytes`, or as much as the program takes.
    package func write(_ bytes: [UInt8]) {
        guard let input else { return }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(input.rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            done += count
        }
    }

    /// The program reads the end.
    package func closeInput() {
        input = nil
    }

    /// At most `limit` bytes that the program wrote; none at its end.
    package func read(upTo limit: Int) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(output.rawValue, &chunk, limit)
        return Array(chunk[..<max(0, count)])
    }

    /// Everything that it writes until it closes its output.
    fileprivate func readAll(watching: Bool) -> (output: [UInt8], peaksMiB: [Int32: Double]) {
        var all: [UInt8] = []
        var peaks: [Int32: Double] = [:]
        while true {
            var wait = pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0)
            for process in watching ? ProcessMemory.family(of: processIdentifier) : [] {
                peaks[process] = max(peaks[process] ?? 0, ProcessMemory.peakMiB(of: process))
            }
            if watching && poll(&wait, 1, 1) == 0 { continue }
            let part = read(upTo: 1 << 16)
            if part.isEmpty { return (all, peaks) }
            all += part
        }
    }

    /// Waits for its end: the exit status, or 128 and the signal's number.
    package func wait() -> Int32 {
        var status: CInt = 0
        while waitpid(processIdentifier, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Ends it, gently or not, and collects it.
    package func end(signal: CInt = SIGTERM) {
        kill(processIdentifier, signal)
        _ = wait()
    }
}

private struct Pipe {
    let reading: OwnedDescriptor
    let writing: OwnedDescriptor

    init() throws(ProtocolError) {
        var ends: [CInt] = [-1, -1]
        try SystemCall.check("pipe") { pipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = OwnedDescriptor(ends[0])
        writing = OwnedDescriptor(ends[1])
    }

    /// What fits into the pipe, and is there now. Processes that the program left behind may hold the other end, so
    /// there may be no end to wait for.
    func beginning() -> String {
        _ = fcntl(reading.rawValue, F_SETFL, O_NONBLOCK)
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(reading.rawValue, &chunk, chunk.count)
        return String(decoding: chunk[..<max(0, count)], as: UTF8.self)
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
