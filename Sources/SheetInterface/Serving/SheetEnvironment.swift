import Glibc
import KeywaySystem

/// The environment of the program that draws: nothing in it, and no file that another program of the person can write, makes
/// the toolkit load somebody else's module, look like another window, or be drawn by somebody else.
enum SheetEnvironment {
    /// What the toolkit may be told, and in which words. Everything else that it reads is taken away:
    /// `GTK_PATH`, `GTK_MODULES`, `GIO_EXTRA_MODULES`, `GTK_DEBUG=interactive`, `GTK_THEME`, `GTK_IM_MODULE_FILE`.
    private static let allowed: [String: Set<String>] = [
        "GDK_SCALE": ["1", "2", "3"],
        "ADW_DEBUG_COLOR_SCHEME": ["prefer-light", "prefer-dark"],
    ]

    /// A folder that is nowhere (Debian's policy, 9.1.2): in the home folder the toolkit would look for style sheets, fonts,
    /// icons, definitions of settings, key sequences and what drivers had compiled, all before its own.
    private static let nowhere = "/nonexistent"

    /// Takes away what is not needed. To be called while there is one thread, before the toolkit starts.
    ///
    /// - Returns: what is left.
    static func prepare() -> [String: String] {
        let backend = backend(wish: value("GDK_BACKEND"))
        let kept = allowed.compactMap { name, values in
            value(name).flatMap { values.contains($0) ? (name, $0) : nil }
        }
        InheritedEnvironment.scrub()
        leaveHome()
        for (name, value) in kept { setenv(name, value, 1) }
        // Without it, the toolkit tries the socket `wayland-0` first, which any program can make, also where the person's
        // display is another one.
        setenv("GDK_BACKEND", backend, 1)
        // Drawn by the processor: no driver of a graphics card in this process, half the memory, and there sooner. GTK before
        // 4.16 hears the first word, later versions the second.
        setenv("GSK_RENDERER", "cairo", 1)
        setenv("GDK_DEBUG", "gl-disable", 1)
        setenv("GDK_DISABLE", "gl,vulkan", 1)
        // No settings of ours, and no programs' files: nothing is to be loaded for them.
        setenv("GIO_USE_VFS", "local", 1)
        return current
    }

    /// The kind of display that the broker named; `wish`, where that one was named.
    private static func backend(wish: String?) -> String {
        let kinds = [("wayland", "WAYLAND_DISPLAY"), ("x11", "DISPLAY")].filter { InheritedEnvironment.isSet($0.1) }
            .map(\.0)
        if let wish, kinds.contains(wish) { return wish }
        return kinds.isEmpty ? "x11" : kinds.joined(separator: ",")
    }

    /// Has the toolkit find nothing in the home folder but what opens the display and the desktop's settings.
    private static func leaveHome() {
        let home = value("HOME")
        let settings = (value("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }).map { "\($0)/dconf/user" }
        if let home, !InheritedEnvironment.isSet("XAUTHORITY") { setenv("XAUTHORITY", "\(home)/.Xauthority", 1) }
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            setenv(name, nowhere, 1)
        }
        unsetenv("XDG_CONFIG_DIRS")
        if let settings, access(settings, R_OK) == 0 { readSettings(in: settings) }
    }

    /// Has the person's own settings, such as the size of letters, read from that file (dconf(7)), and never written.
    private static func readSettings(in file: String) {
        let profile = Array("file-db:\(file)\n".utf8)
        guard let memory = try? profile.withUnsafeBytes({ try SealedMemory(copying: $0) }) else { return }
        // A descriptor that stays open as long as the process is.
        let descriptor = fcntl(memory.descriptor.rawValue, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { return }
        setenv("DCONF_PROFILE", "/proc/self/fd/\(descriptor)", 1)
    }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static var current: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return variables
    }
}
