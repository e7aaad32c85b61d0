import Glibc
import KeywaySystem

/// A display and a session bus of the benchmark's own, with nothing of the person's on them.
final class Desktop: Sendable {
    /// What a program needs to open a window there.
    let environment: [String: String]
    private let processes: [ChildProcess]

    /// Starts both; `folder` is theirs to write to.
    ///
    /// - Throws: ``BenchmarkFailure`` where Xvfb or dbus-daemon is missing.
    init(folder: String) throws {
        var environment = ["HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": folder]
        environment["XDG_DATA_DIRS"] = "/usr/local/share:/usr/share"
        let (server, number) = try Self.start(
            "/usr/bin/Xvfb", ["-displayfd", "3", "-screen", "0", "1200x1000x24", "-noreset"], environment)
        environment["DISPLAY"] = ":\(number)"
        let (bus, address) = try Self.start(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--print-address=3"], environment)
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        self.environment = environment
        processes = [server, bus]
    }

    /// Ends both.
    func close() {
        for process in processes { process.send(signal: SIGTERM) }
    }

    /// Starts a program that says on its descriptor 3, in one line, how it is reached.
    private static func start(
        _ path: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> (ChildProcess, String) {
        guard access(path, X_OK) == 0 else { throw BenchmarkFailure("\(path) is not installed") }
        let (ours, theirs) = try LocalSocket.pair()
        let process = try ChildProcess(
            path: "/bin/sh", arguments: ["-c", #"exec "$0" "$@" 2>/dev/null"#, path] + arguments,
            environment: environment, channel: theirs)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        var state = pollfd(fd: ours.rawValue, events: Int16(POLLIN), revents: 0)
        while poll(&state, 1, 20_000) > 0, read(ours.rawValue, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard !line.isEmpty else {
            process.send(signal: SIGKILL)
            throw BenchmarkFailure("\(path) did not start")
        }
        return (process, String(decoding: line, as: UTF8.self))
    }
}
