import CSys
import Glibc

/// What every process of ours that meets secrets or accounts does first, while it has one thread.
package enum ProcessHardening {
    /// No core dump, no ptrace, no reading of the memory by the same user, and files closed to others.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`: such a process must not go on.
    package static func apply() throws(ProtocolError) {
        umask(0o077)
        dropCrashReports()
        try SystemCall.check("prctl") { csys_harden() }
    }

    /// A crash just ends the process. The runtime of the language would write a report to standard error first, with
    /// the registers and what they point at: a secret, perhaps.
    private static func dropCrashReports() {
        for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { signal(number, SIG_DFL) }
    }
}
