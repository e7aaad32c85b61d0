import Glibc

/// The environment that this process was started with, by a program that may have put anything there: a browser, say.
package enum InheritedEnvironment {
    /// Removes every variable but those that programs of ours need: where the person's files lie, their language, where
    /// to draw. What they held is overwritten. To be called while there is one thread.
    package static func scrub() {
        var strangers: [(name: String, entry: UnsafeMutablePointer<CChar>)] = []
        var next = environ
        while let entry = next.pointee {
            let name = String(cString: entry).prefix { $0 != "=" }
            if !isNeeded(String(name)) { strangers.append((String(name), entry)) }
            next += 1
        }
        for (name, entry) in strangers {
            unsetenv(name)
            memset(entry, 0, strlen(entry))
        }
    }

    /// Whether a program of ours reads this variable, or hands it on to one that does.
    package static func isNeeded(_ name: String) -> Bool {
        needed.contains(name) || name.hasPrefix("XDG_") || name.hasPrefix("LC_")
    }

    /// Whether this variable says something.
    package static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }

    private static let needed: Set<String> = [
        "HOME", "PATH", "LANG", "LANGUAGE", "TZ", "TERM", "USER", "LOGNAME", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
    ]
}
