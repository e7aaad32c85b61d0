import Adwaita
import Glibc
import Testing

// SAFETY: written once, before the function that reads it is handed to atexit(3).
nonisolated(unsafe) private var server: pid_t = 0

/// Called on whichever thread ends the process.
private func endServer() {
    if server > 0 { kill(server, SIGKILL) }
}

/// An X server of the tests' own, which ends with them; the toolkit is started on it once.
@MainActor
enum TestDisplay {
    private static let isOpen: Bool = {
        guard let number = startServer() else { return false }
        setenv("DISPLAY", ":\(number)", 1)
        unsetenv("WAYLAND_DISPLAY")
        setenv("GDK_BACKEND", "x11", 1)
        setenv("GSK_RENDERER", "cairo", 1)
        // Nobody listens, and no bus is to be looked for.
        setenv("GTK_A11Y", "none", 1)
        setenv("GSETTINGS_BACKEND", "memory", 1)
        do {
            try Desktop.start(identifier: "org.keyway.AdwaitaTests")
            return true
        } catch {
            return false
        }
    }()

    static func open() throws {
        try #require(isOpen, "no display to test on: is Xvfb installed?")
    }

    /// The number of a new display.
    private static func startServer() -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let words = ["Xvfb", "-displayfd", "\(ends[1])", "-screen", "0", "800x600x24"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // It must not hold what the tests print to: whoever reads that waits for its end.
        for number in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        var process: pid_t = 0
        let status = posix_spawnp(&process, "Xvfb", &actions, nil, &arguments, environ)
        close(ends[1])
        guard status == 0 else { return nil }
        server = process
        atexit(endServer)
        var text = ""
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.unicodeScalars.append(.init(byte)) }
        return text.isEmpty ? nil : text
    }
}

/// Counts, and says when it is let go of.
@MainActor
final class Counter {
    var count = 0
}
