import BrokerTestSupport
import Glibc
import Synchronization

/// A private bus that takes everybody for the system's, and what a test starts on it; ended with the test.
final class PrivateBus: Sendable {
    let folder: TemporaryFolder
    let address: String
    private let processes = Mutex<[pid_t]>([])

    init?() {
        guard let folder = try? TemporaryFolder() else { return nil }
        self.folder = folder
        address = "unix:path=\(folder.path)/bus"
    }

    deinit { end() }

    /// Ends the bus, and all that was started on it.
    func end() {
        let started = processes.withLock { processes in
            defer { processes = [] }
            return processes
        }
        for process in started {
            // What it has started in turn belongs to its group.
            kill(-process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    /// The bus's own configuration.
    func writeConfiguration() throws {
        try folder.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>system</type><listen>\(address)</listen><auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
                <allow send_type="signal"/><allow receive_type="signal"/>
              </policy>
            </busconfig>

            """, to: "bus.conf")
    }

    /// Starts a program beside the bus; false when it cannot be started.
    @discardableResult
    func start(_ arguments: [String]) -> Bool {
        guard let process = Self.spawn(arguments, address) else { return false }
        processes.withLock { $0.append(process) }
        return true
    }

    /// Runs a program to its end; whether it succeeded.
    func run(_ arguments: [String]) -> Bool {
        guard let process = Self.spawn(arguments, address) else { return false }
        var status: Int32 = 0
        return waitpid(process, &status, 0) == process && status == 0
    }

    /// Waits until somebody has `name` on the bus.
    func has(_ name: String) -> Bool {
        poll { run(["busctl", "--address=\(address)", "status", name]) }
    }

    /// What a program wrote into a file of the folder.
    func text(_ name: String) -> String {
        guard let file = fopen("\(folder.path)/\(name)", "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Asks again until it is so, for a minute at most. Blocks: call it where nothing else needs the thread.
    func poll(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1200 {
            if condition() { return true }
            usleep(50_000)
        }
        return false
    }

    private static func spawn(_ arguments: [String], _ bus: String) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var words = copies(arguments)
        var environment = copies(["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "DBUS_SYSTEM_BUS_ADDRESS=\(bus)"])
        defer { for word in words + environment { free(word) } }
        var process: pid_t = 0
        return posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &environment) == 0 ? process : nil
    }

    private static func copies(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
        words.map { $0.withCString { strdup($0) } } + [nil]
    }
}

/// Keeps buses as long as a test.
final class Kept: Sendable {
    private let buses = Mutex<[PrivateBus]>([])

    func keep(_ bus: PrivateBus) { buses.withLock { $0.append(bus) } }
}
