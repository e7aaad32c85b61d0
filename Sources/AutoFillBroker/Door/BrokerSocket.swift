import Glibc
package import KeywaySystem

/// The socket on which the broker listens, and the lock that allows only one broker.
package struct BrokerSocket: Sendable {
    /// The listening socket.
    package let descriptor: OwnedDescriptor
    private let lock: FileLock
    /// Where it was made, to be removed at the end; nil for a socket of systemd.
    private let ownPath: String?

    /// Takes the socket that systemd passes on (sd_listen_fds(3)), or listens at the broker's own path.
    ///
    /// - Throws: ``ProtocolError``: `busy` when another broker runs, `refused` when the folder is not ours alone or
    ///   something other than a left-over socket is in the way, `notFound` when there is nothing to listen at.
    package init(
        paths: KeywayPaths, environment: [String: String], mayListen: Bool
    ) throws(ProtocolError) {
        try PrivateFolder.prepare(paths.runtime)
        guard let lock = try FileLock(path: paths.lock) else {
            throw ProtocolError(.busy, "Another keywayd is already running and holds \(paths.lock).")
        }
        self.lock = lock
        if let passed = try Self.passedSocket(environment) {
            descriptor = passed
            ownPath = nil
            // Whoever connects is told who listened last: until now that was the service manager.
            try ProgramGroup.worn { () throws(ProtocolError) in
                _ = try SystemCall.check("listen") { listen(passed.rawValue, SOMAXCONN) }
            }
            return
        }
        guard mayListen else {
            throw ProtocolError(
                .notFound, "systemd passed no socket. To run keywayd by hand: keywayd --foreground")
        }
        try Self.clear(paths.socket)
        descriptor = try ProgramGroup.worn { () throws(ProtocolError) in try LocalSocket.listen(at: paths.socket) }
        ownPath = paths.socket
    }

    /// Removes the socket, if this process made it. Nobody else listens there while the lock is held.
    package func remove() {
        if let ownPath { unlink(ownPath) }
    }

    /// Lets the next broker begin: this one has written and ended all that it had.
    package func release() { lock.release() }

    /// The first descriptor after standard error, if the service manager meant this process.
    private static func passedSocket(_ environment: [String: String]) throws(ProtocolError) -> OwnedDescriptor? {
        guard environment["LISTEN_PID"].flatMap(pid_t.init) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap(Int.init), count > 0
        else { return nil }
        var listens: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard count == 1, getsockopt(3, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens != 0 else {
            throw ProtocolError(.refused, "keywayd needs exactly one listening stream socket.")
        }
        let socket = OwnedDescriptor(3)
        try SystemCall.check("fcntl") { fcntl(socket.rawValue, F_SETFD, FD_CLOEXEC) }
        try SystemCall.check("fcntl") { fcntl(socket.rawValue, F_SETFL, fcntl(socket.rawValue, F_GETFL) | O_NONBLOCK) }
        return socket
    }

    /// Makes room at `path`: a socket that a broker left behind is removed, one at which somebody listens is not.
    private static func clear(_ path: String) throws(ProtocolError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ProtocolError(.refused, "\(path) is in the way and isn't a socket. Remove it and try again.")
        }
        if try LocalSocket.connect(to: path) != nil {
            throw ProtocolError(
                .busy,
                "Another program already listens on \(path). If it is systemd, run: systemctl --user stop keywayd.socket"
            )
        }
        try SystemCall.check("unlink \(path)") { unlink(path) }
    }
}
