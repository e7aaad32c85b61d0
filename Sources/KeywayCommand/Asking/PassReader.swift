import Glibc
package import KeywaySystem

/// Has gpg decrypt a folder of `pass`, by `keyway-pass-reader`. That program has no sandbox, since gpg talks to the person's
/// agent and its pinentry, and reads nothing of what comes out: `keyway-import-reader` does, in its sandbox.
package struct PassReader: Sendable {
    /// The variables that it gets: what gpg, its agent and its pinentry look at, and where the person's files lie.
    static let variables = [
        "HOME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "USER", "LOGNAME", "TZ", "XDG_RUNTIME_DIR",
        "XDG_CONFIG_HOME", "GNUPGHOME", "PASSWORD_STORE_GPG_OPTS", "GPG_TTY", "TERM", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
    ]

    private let program: String

    /// With the program that lies beside `program`, or where it is installed.
    init(program: String) { self.program = InstalledFiles(program: program).beside("keyway-pass-reader") }

    /// Decrypts the entries in a folder.
    ///
    /// - Returns: a memory file that `keyway-import-reader` reads.
    /// - Throws: ``CommandError``; ``ProtocolError`` where the program couldn't be started.
    package func read(
        _ folder: OwnedDescriptor, path: String, environment: [String: String]
    ) async throws -> OwnedDescriptor {
        guard access(program, X_OK) == 0 else {
            throw CommandError(.failure, Strings.programMissing(program), hint: Strings.reinstall)
        }
        var passed = environment.filter { Self.variables.contains($0.key) }
        if passed["GPG_TTY"] == nil { passed["GPG_TTY"] = Self.terminal }
        let returned = try ReturnedMemory()
        let (program, variables) = (program, passed)
        // It ends with the thread that starts it.
        let child = try LastingThread.starting.run { () throws(ProtocolError) in
            try ChildProcess(
                path: program, environment: variables, channel: returned.descriptor, report: folder)
        }
        let status = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in child.onExit { continuation.resume(returning: $0) } }
        } onCancel: {
            child.send(signal: SIGKILL)
        }
        guard !Task.isCancelled else { throw CommandError(.cancelled, Strings.nothingImported) }
        switch (status & 0x7F, status >> 8 & 0xFF) {
        case (0, 0): return try SealedDocument(received: returned.descriptor).descriptor
        case (0, EX_UNAVAILABLE):
            throw CommandError(.failure, Strings.noGnuPG(path), hint: Strings.installGnuPG)
        case (0, EX_CANTCREAT): throw CommandError(.refused, Strings.tooMuchToRead(path))
        default: throw CommandError(.failure, Strings.readerFailed(path, ChildProcess.describe(status: status)))
        }
    }

    /// The terminal that a pinentry may ask on.
    private static var terminal: String? {
        [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].lazy.compactMap { ttyname($0) }.first.map { String(cString: $0) }
    }
}
