import AutoFillProtocol
import Glibc

/// Where windows can be opened that the person sees. A seam: tests say where.
package protocol GraphicalSession: Sendable {
    /// The variables that lead to the person's display, and nothing else; nil when there is none.
    func variables() async -> [String: String]?
}

/// The display of the person's login, as systemd's user manager knows it, or as the broker was told at its start.
///
/// No client says where its questions are drawn. The desktop tells the user manager
/// (`dbus-update-activation-environment --systemd`), which every desktop does at its start. Without systemd it is the
/// environment of whoever started the broker.
///
/// That keeps questions from whoever only connects, not from a program that owns the session: any program of the user may
/// tell the user manager of another display (`systemctl --user set-environment`), and on X11 any client may press the
/// keys and buttons of every other. A click in a sheet says that somebody in the session agreed; who sits there is what
/// the verification finds out, by what a program does not know or have.
package struct LoginDisplay: GraphicalSession {
    /// Where a display is told that programs may be started on.
    private static let manager = ["/usr/bin/systemctl", "/bin/systemctl"]

    private let environment: [String: String]
    private let ask: @Sendable () async -> [String: String]

    /// The display of this login; `environment` is that of the broker.
    package init(environment: [String: String]) {
        self.init(environment: environment) {
            guard let program = Self.manager.first(where: { access($0, X_OK) == 0 }) else { return [:] }
            return await ProgramOutput.lines(of: program, ["--user", "show-environment"], environment)
                .reduce(into: [:]) { variables, line in
                    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
                }
        }
    }

    /// The display that `ask` tells, or else `environment`.
    init(environment: [String: String], ask: @escaping @Sendable () async -> [String: String]) {
        self.environment = environment
        self.ask = ask
    }

    package func variables() async -> [String: String]? {
        Self.variables(of: await ask(), over: environment) ?? Self.variables(of: environment, over: environment)
    }

    /// What is passed on: the display, if it is one of this machine and ours, and how the person's desktop looks.
    static func variables(of login: [String: String], over own: [String: String]) -> [String: String]? {
        let runtime = login["XDG_RUNTIME_DIR"] ?? own["XDG_RUNTIME_DIR"]
        var variables = own.merging(login) { $1 }.filter { name, _ in
            ["HOME", "PATH", "LANG", "LANGUAGE", "DBUS_SESSION_BUS_ADDRESS"].contains(name) || name.hasPrefix("XDG_")
                || name.hasPrefix("LC_")
        }
        var hasDisplay = false
        if let name = login["WAYLAND_DISPLAY"], let runtime, isOurs(socket: waylandSocket(name, runtime)) {
            variables["WAYLAND_DISPLAY"] = name
            hasDisplay = true
        }
        if let name = login["DISPLAY"], let socket = xSocket(name), isSocket(socket) {
            variables["DISPLAY"] = name
            variables["XAUTHORITY"] = login["XAUTHORITY"]
            hasDisplay = true
        }
        return hasDisplay ? variables : nil
    }

    private static func waylandSocket(_ name: String, _ runtime: String) -> String {
        name.hasPrefix("/") ? name : "\(runtime)/\(name)"
    }

    /// The socket of a display of this machine, such as `:0`; nil for one that is reached over a network.
    private static func xSocket(_ name: String) -> String? {
        guard let match = name.wholeMatch(of: /:([0-9]{1,5})(\.[0-9]{1,2})?/) else { return nil }
        return "/tmp/.X11-unix/X\(match.1)"
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    private static func isOurs(socket path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == getuid()
    }
}
