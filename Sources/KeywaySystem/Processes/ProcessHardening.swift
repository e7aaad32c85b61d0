import CSys
import Glibc
import Synchronization

/// What every process of ours that meets secrets or accounts does first, while it has one thread.
package enum ProcessHardening {
    /// No core dump, no ptrace, no reading of the memory by the same user, and files closed to others.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`: such a process must not go on.
    package static func apply() throws(ProtocolError) {
        umask(0o077)
        dropCrashReports()
        // Whoever started this process may have ignored it, which is inherited: the end of no child would be heard then, and
        // its number would be another one's at once.
        signal(SIGCHLD, SIG_DFL)
        try SystemCall.check("prctl") { csys_harden() }
        isHidden.store(true, ordering: .relaxed)
    }

    /// Ends this process as soon as the thread ends that started it.
    package static func endWithStarter() {
        _ = csys_die_with_parent()
    }

    /// Runs `body` while the broker may see which program this process runs: it asks the kernel once, as somebody
    /// connects. For a hidden process of this user's own only: one that the group of Keyway's programs names
    /// (``ProgramGroup``) stays hidden.
    package static func showingProgram<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard isHidden.load(ordering: .relaxed), !ProgramGroup.isWorn else { return try await body() }
        _ = csys_show(1)
        defer { _ = csys_show(0) }
        return try await body()
    }

    private static let isHidden = Atomic(false)

    /// Set, by the broker alone, in the environment of an extension that its author debugs.
    package static let debuggedVariable = "KEYWAY_DEBUGGED"

    /// What the extension of a provider does first: as ``apply()``, unless the broker says that it is debugged.
    ///
    /// - Throws: as ``apply()``.
    package static func applyUnlessDebugged() throws(ProtocolError) {
        guard getenv(debuggedVariable) == nil else { return allowDebuggers() }
        try apply()
    }

    /// Lets a debugger of the same user look at this process. Where the kernel knows no such rule, it may anyway.
    package static func allowDebuggers() {
        _ = csys_allow_tracers()
    }

    /// A crash just ends the process. The runtime of the language would write a report to standard error first, with
    /// the registers and what they point at: a secret, perhaps.
    private static func dropCrashReports() {
        for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { signal(number, SIG_DFL) }
    }
}
