import Glibc

/// Another program in the place of this process.
package enum ProgramReplacement {
    /// Runs the program at `path` with `words`, under the same process number; returns only when it cannot.
    ///
    /// - Throws: ``CommandError`` when the program cannot be started.
    package static func take(_ path: String, _ words: [String]) throws(CommandError) {
        // Signals that this program waits for must reach the other one.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        let arguments = ([path] + words).map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        execv(path, arguments + [nil])
        throw CommandError(.failure, Strings.programMissing(path), hint: Strings.installKit)
    }
}
