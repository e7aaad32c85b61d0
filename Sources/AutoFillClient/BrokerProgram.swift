import Glibc
import KeywaySystem

/// The broker's program, for the client that finds nobody listening.
package struct BrokerProgram: Sendable {
    /// The program.
    package let path: String
    /// What it gets of the environment: where this person's files and display are, and nothing of the terminal it is
    /// started from.
    package let environment: [String: String]

    /// The program at `path`, started with what it needs of `environment`.
    package init(path: String, environment: [String: String]) {
        self.path = path
        self.environment = environment.filter { name, _ in
            Self.passedOn.contains(name) || name.hasPrefix("XDG_") || name.hasPrefix("LC_")
        }
    }

    /// The broker that was installed with this program: `../libexec/keyway/keywayd` of its folder, or beside it. For a
    /// program of somebody else's, the one that was installed with the `keyway` that a terminal finds.
    ///
    /// - Parameter own: the file that this process runs.
    /// - Returns: nil when there is none.
    package static func installed(
        environment: [String: String] = ProcessEnvironment.current, own: String? = KeywayPaths.ownProgram()
    ) -> BrokerProgram? {
        let searched = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
            .compactMap { resolved("\($0)/keyway") }.map { "\(folder(of: $0))/../libexec/keyway/keywayd" }
        let beside = own.map { ["\(folder(of: $0))/../libexec/keyway/keywayd", "\(folder(of: $0))/keywayd"] } ?? []
        return (beside + searched).first { access($0, X_OK) == 0 }.map {
            BrokerProgram(path: $0, environment: environment)
        }
    }

    /// The installation that it belongs to; nil when it lies nowhere where Keyway is installed.
    var installation: Installation? { Installation(program: Self.resolved(path)) }

    private static func folder(of path: String) -> Substring {
        path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    }

    /// The path without links; nil when nothing is there.
    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static let passedOn: Set<String> = [
        "HOME", "PATH", "LANG", "LANGUAGE", "TZ", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
        "DBUS_SESSION_BUS_ADDRESS",
    ]

    /// How a broker ends that finds another one running: EX_TEMPFAIL of sysexits(3).
    static let anotherRuns: CInt = 75 << 8

    /// Starts the broker, away from this terminal.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func start() throws(ProtocolError) -> ChildProcess {
        try ChildProcess(path: path, arguments: ["--background"], environment: environment)
    }
}
