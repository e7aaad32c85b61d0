import Glibc
import Synchronization

/// A private bus with login1 played by python-dbusmock, ended with the test.
final class MockBus {
    let address: String
    private let processes: [pid_t]

    init?() {
        let path = "/tmp/keyway-bus-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let place = "unix:path=\(path)"
        guard
            let bus = Self.spawn(
                "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=\(place)"], bus: place),
            Self.poll({ access(path, F_OK) == 0 })
        else { return nil }
        // Debian's interpreter: the package belongs to it, whichever `python3` stands first in PATH.
        guard
            let mock = Self.spawn(
                "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", "logind"], bus: place)
        else {
            kill(bus, SIGKILL)
            return nil
        }
        address = place
        processes = [mock, bus]
        guard Self.poll({ self.run("busctl", ["status", "org.freedesktop.login1"]) }) else { return nil }
    }

    deinit {
        for process in processes {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        unlink(String(address.dropFirst("unix:path=".count)))
    }

    /// Calls a method through `busctl`; false when it failed.
    @discardableResult
    func call(_ object: String, _ interface: String, _ member: String, _ arguments: [String] = []) -> Bool {
        run("busctl", ["call", "org.freedesktop.login1", object, interface, member] + arguments)
    }

    func addSession(_ name: String, of user: UInt32) -> Bool {
        call(
            "/org/freedesktop/login1", "org.freedesktop.DBus.Mock", "AddSession",
            ["ssusb", name, "seat0", String(user), "ada", "true"])
    }

    /// Changes properties of a session; each is a name, a type and a value.
    func change(_ session: String, _ properties: [(name: String, type: String, value: [String])]) -> Bool {
        let words = properties.flatMap { [$0.name, $0.type] + $0.value }
        return call(
            "/org/freedesktop/login1/session/\(session)", "org.freedesktop.DBus.Mock", "UpdateProperties",
            ["sa{sv}", "org.freedesktop.login1.Session", String(properties.count)] + words)
    }

    /// Makes the object send a signal with one truth value.
    func emit(_ interface: String, _ member: String, _ value: Bool) -> Bool {
        call(
            "/org/freedesktop/login1", "org.freedesktop.DBus.Mock", "EmitSignal",
            ["sssav", interface, member, "b", "1", "b", String(value)])
    }

    /// Sends a signal in the name of a service to every connection of the bus.
    func forge(_ signal: [String]) -> Bool {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        let words = ["\(folder)/Buses/forged_signal.py", address] + signal
        guard let process = Self.spawn("/usr/bin/python3", words, bus: address) else { return false }
        var status: Int32 = 0
        return waitpid(process, &status, 0) == process && status == 0
    }

    /// Ends the bus itself.
    func end() {
        for process in processes { kill(process, SIGKILL) }
    }

    private func run(_ program: String, _ arguments: [String]) -> Bool {
        guard let process = Self.spawn(program, ["--address=\(address)"] + arguments, bus: address) else {
            return false
        }
        var status: Int32 = 0
        return waitpid(process, &status, 0) == process && status == 0
    }

    /// Asks again until it is so, for a minute at most.
    static func poll(_ condition: () -> Bool) -> Bool {
        for _ in 0..<6000 {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }

    /// The words as `posix_spawn` wants them; the caller frees each.
    private static func copies(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
        words.map { $0.withCString { strdup($0) } } + [nil]
    }

    private static func spawn(_ program: String, _ arguments: [String], bus: String) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = copies([program] + arguments)
        var environment = copies(["PATH=/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS=\(bus)"])
        defer { for word in words + environment { free(word) } }
        var process: pid_t = 0
        return posix_spawnp(&process, program, &actions, nil, &words, &environment) == 0 ? process : nil
    }
}

/// What a monitor told, for a test to wait on.
final class Heard: Sendable {
    private let words = Mutex<[String]>([])

    func add(_ word: String) { words.withLock { $0.append(word) } }

    var all: [String] { words.withLock { $0 } }

    /// Waits until `count` things were told; false after ten seconds.
    func reaches(_ count: Int) -> Bool { MockBus.poll { all.count >= count } }
}

/// Holds back whoever waits until it is opened.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock {
                if !$0.isOpen { $0.waiting.append(continuation) }
                return $0.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock {
            let waiting = $0.waiting
            $0 = (true, [])
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
