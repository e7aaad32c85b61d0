import CSys
import Glibc

/// What a process that handles secrets does first, before it starts a thread.
package enum ProcessProtection {
    /// No core dump, no ptrace, no reading of this process's memory by other programs of the user.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when the kernel refuses; go on or end as the process sees fit.
    package static func harden() throws(ProtocolError) {
        try SystemCall.check("prctl") { csys_harden() }
    }

    /// Removes every variable from the environment but those that `isKept` names: a program that started this one
    /// (a browser, say) may have put anything there. To be called while there is one thread.
    package static func scrubEnvironment(keeping isKept: (String) -> Bool) {
        for name in ProcessEnvironment.current.keys where !isKept(name) { unsetenv(name) }
    }

    /// What programs of ours need of an environment: where the person's files lie, their language, where to draw.
    package static func isNeeded(_ variable: String) -> Bool {
        needed.contains(variable) || variable.hasPrefix("XDG_") || variable.hasPrefix("LC_")
    }

    private static let needed: Set<String> = [
        "HOME", "PATH", "LANG", "LANGUAGE", "TZ", "TERM", "USER", "LOGNAME", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
    ]
}
