import Glibc
package import LoginMonitor

/// Finds the display on which windows can be shown to the person. A seam: tests provide one.
package protocol GraphicalSession: Sendable {
    /// The variables that lead to the person's display, and nothing else; nil when there is none.
    ///
    /// - Parameter login: the session that the person sits before; nil where nobody knows of one.
    func variables(in login: LoginSession?) async -> [String: String]?
}

/// The display of the person's login, as login1 and systemd's user manager know it.
///
/// No client says where its questions are drawn, and no variable of the broker where login1 knows the session, or where
/// Keyway is installed for everybody. login1 names the display of a session on X; of one on Wayland the desktop tells the
/// user manager (`dbus-update-activation-environment --systemd`), which every desktop does at its start, and without one
/// its socket lies in the runtime folder. Only where there is neither is it the environment of whoever started the broker.
///
/// That keeps questions from whoever only connects, not from a program that owns the session: any program of the user may
/// tell the user manager of another display (`systemctl --user set-environment`), and on X11 any client may press the
/// keys and buttons of every other. A click in a sheet says that somebody in the session agreed; who sits there is what
/// the verification finds out, by what a program does not know or have.
package struct LoginDisplay: GraphicalSession {
    /// Where a display is told that programs may be started on.
    private static let manager = ["/usr/bin/systemctl", "/bin/systemctl"]

    private let environment: [String: String]
    private let isSystemWide: Bool
    private let ask: @Sendable () async -> [String: String]

    /// The display of this login; `environment` is that of the broker, which has no say where it `isSystemWide`.
    package init(environment: [String: String], isSystemWide: Bool) {
        self.init(environment: environment, isSystemWide: isSystemWide) {
            guard let program = Self.manager.first(where: { access($0, X_OK) == 0 }) else { return [:] }
            let needed = environment.filter { ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"].contains($0.key) }
            return await ProgramOutput.lines(of: program, ["--user", "show-environment"], needed)
                .reduce(into: [:]) { variables, line in
                    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
                }
        }
    }

    /// The display that `ask` tells, or else `environment`.
    init(
        environment: [String: String], isSystemWide: Bool = false,
        ask: @escaping @Sendable () async -> [String: String]
    ) {
        self.environment = environment
        self.isSystemWide = isSystemWide
        self.ask = ask
    }

    package func variables(in login: LoginSession?) async -> [String: String]? {
        let manager = await ask()
        if let login { return variables(of: display(of: login, manager), manager) }
        if let found = variables(of: manager, manager) { return found }
        return isSystemWide ? nil : variables(of: environment, manager)
    }

    /// What leads to the display of that session, by login1 first, then by the desktop's own word.
    private func display(of login: LoginSession, _ manager: [String: String]) -> [String: String] {
        var display: [String: String] = [:]
        if login.isX11 {
            display["DISPLAY"] = login.display.isEmpty ? manager["DISPLAY"] : login.display
            // It opens a display and chooses none.
            display["XAUTHORITY"] = manager["XAUTHORITY"] ?? environment["XAUTHORITY"]
        } else {
            display["WAYLAND_DISPLAY"] = manager["WAYLAND_DISPLAY"] ?? runtime(manager).flatMap(Self.compositor)
        }
        return display
    }

    /// The first socket of a compositor of ours, where none was named.
    private static func compositor(_ runtime: String) -> String? {
        (0..<10).lazy.map { "wayland-\($0)" }.first { isOurs(socket: "\(runtime)/\($0)") }
    }

    private func runtime(_ manager: [String: String]) -> String? {
        isSystemWide ? environment["XDG_RUNTIME_DIR"] : manager["XDG_RUNTIME_DIR"] ?? environment["XDG_RUNTIME_DIR"]
    }

    /// How the person's desktop looks and which words it speaks; where files lie only for those who are not told that
    /// by the system.
    private func surroundings(_ manager: [String: String]) -> [String: String] {
        let places = ["HOME", "PATH", "DBUS_SESSION_BUS_ADDRESS"]
        let looks = ["LANG", "LANGUAGE", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE"]
        let told = manager.filter { name, _ in
            looks.contains(name) || name.hasPrefix("LC_")
                || !isSystemWide && (places.contains(name) || name.hasPrefix("XDG_"))
        }
        return environment.merging(told) { $1 }.filter { name, _ in
            places.contains(name) || looks.contains(name) || name.hasPrefix("XDG_") || name.hasPrefix("LC_")
        }
    }

    /// What is passed on: the display, if it is one of this machine and ours, and how the person's desktop looks.
    private func variables(of login: [String: String], _ manager: [String: String]) -> [String: String]? {
        var variables = surroundings(manager)
        var hasDisplay = false
        if let name = login["WAYLAND_DISPLAY"], let runtime = runtime(manager),
            Self.isOurs(socket: Self.waylandSocket(name, runtime))
        {
            variables["WAYLAND_DISPLAY"] = name
            hasDisplay = true
        }
        if let name = login["DISPLAY"], let socket = Self.xSocket(name), Self.isSocket(socket) {
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
