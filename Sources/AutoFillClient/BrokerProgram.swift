import AutoFillProtocol
import Glibc

/// The broker's program, for the client that finds nobody listening.
package struct BrokerProgram: Sendable {
    /// The program.
    package let path: String
    /// What it gets of the environment: where this person's files lie, and nothing of the terminal it is started from.
    package let environment: [String: String]

    /// The program at `path`, started with what it needs of `environment`.
    package init(path: String, environment: [String: String]) {
        self.path = path
        self.environment = environment.filter { name, _ in
            ["HOME", "PATH", "LANG", "TZ"].contains(name) || name.hasPrefix("XDG_") || name.hasPrefix("LC_")
        }
    }

    /// The broker that was installed with this program: `../libexec/keyway/keywayd` of its folder, or beside it.
    ///
    /// - Returns: nil when neither is there.
    package static func installed(environment: [String: String] = ProcessEnvironment.current) -> BrokerProgram? {
        guard let own = KeywayPaths.ownProgram() else { return nil }
        let folder = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
        let candidates = ["\(folder)/../libexec/keyway/keywayd", "\(folder)/keywayd"]
        return candidates.first { access($0, X_OK) == 0 }.map { BrokerProgram(path: $0, environment: environment) }
    }

    /// How a broker ends that finds another one running: EX_TEMPFAIL of sysexits(3).
    static let anotherRuns: CInt = 75 << 8

    /// Starts the broker, away from this terminal.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func start() throws(ProtocolError) -> ChildProcess {
        try ChildProcess(path: path, arguments: ["--background"], environment: environment)
    }
}
