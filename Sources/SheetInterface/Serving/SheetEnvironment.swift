import Glibc
import KeywaySystem

/// The environment of the program that draws: nothing in it can make the toolkit load another program's module or
/// imitate another window.
enum SheetEnvironment {
    /// What the toolkit may be told, and in which words. Everything else that it reads is taken away:
    /// `GTK_PATH`, `GTK_MODULES`, `GIO_EXTRA_MODULES`, `GTK_DEBUG=interactive`, `GTK_THEME`, `GTK_IM_MODULE_FILE`.
    private static let allowed: [String: Set<String>] = [
        "GDK_BACKEND": ["x11", "wayland"],
        "GDK_SCALE": ["1", "2", "3"],
        "ADW_DEBUG_COLOR_SCHEME": ["prefer-light", "prefer-dark"],
    ]

    /// Takes away what is not needed. To be called while there is one thread, before the toolkit starts.
    ///
    /// - Returns: what is left.
    static func prepare() -> [String: String] {
        let kept = allowed.compactMap { name, values -> (String, String)? in
            guard let value = getenv(name).map({ String(cString: $0) }), values.contains(value) else { return nil }
            return (name, value)
        }
        InheritedEnvironment.scrub()
        for (name, value) in kept { setenv(name, value, 1) }
        // Drawn by the processor: no driver of a graphics card in this process, half the memory, and there sooner.
        setenv("GSK_RENDERER", "cairo", 1)
        // No settings of ours, and no programs' files: nothing is to be loaded for them.
        setenv("GIO_USE_VFS", "local", 1)
        return current
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
