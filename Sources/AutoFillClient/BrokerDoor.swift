package import AutoFillWire
import Glibc
package import KeywaySystem

/// Connects to the broker: checks which program listens before it sends anything, and starts the broker if it isn't
/// running.
package struct BrokerDoor: Sendable {
    private let paths: KeywayPaths
    private let program: BrokerProgram?
    private let greetingLimit: Duration
    private let lingering: Duration

    /// How long a broker may take from its start until it listens.
    private static let patience = Duration.seconds(20)
    private static let interval = Duration.milliseconds(2)
    /// How long after a start another one is tried, where a broker ran that does not listen.
    private static let pauseBetweenStarts = Duration.milliseconds(50)
    /// The longest pause between two looks at who listens: each leaves a connection behind that nobody may take.
    private static let longestInterval = Duration.milliseconds(200)
    /// How long whoever listens may leave a connection waiting, in milliseconds.
    private static let connectLimit: CInt = 10_000

    /// The door of the person whose paths these are; `program` is started when nobody listens there, if it is given.
    package init(paths: KeywayPaths, program: BrokerProgram?) {
        self.init(paths: paths, program: program, greetingLimit: .seconds(30))
    }

    /// A door at which a broker may take `greetingLimit` to answer a greeting, and `lingering` from the end of its
    /// connections until its process is gone.
    init(
        paths: KeywayPaths, program: BrokerProgram?, greetingLimit: Duration, lingering: Duration = .seconds(1)
    ) {
        self.paths = paths
        self.program = program
        self.greetingLimit = greetingLimit
        self.lingering = lingering
    }

    /// The door of this process's user, with the broker that was installed beside this program.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when no home folder is known.
    package static func current() throws(ProtocolError) -> BrokerDoor {
        let program = BrokerProgram.installed()
        // Whoever is no program of ours finds the broker where it looks for itself.
        let environment = ProcessEnvironment.believed(of: program?.installation)
        return BrokerDoor(
            paths: try KeywayPaths(environment: environment, prefix: KeywayPaths.installedPrefix), program: program)
    }

    /// Connects and greets. The connection reads already; `methods` is what this side answers.
    ///
    /// - Parameters:
    ///   - role: what this program is.
    ///   - name: its name and release, for messages and logs.
    ///   - profile: which profile of which browser; a browser host's only.
    ///   - startsBroker: whether a broker that does not run is started.
    /// - Throws: ``ProtocolError``: `brokerNotRunning` (says what to do), `refused` (the folder or the socket is not ours
    ///   alone; nothing was sent), `versionMismatch`, `cancelled`, `system`, `connectionClosed` (it ended before it
    ///   answered the greeting, and so did the next one; or it did not answer in time).
    package func connect(
        as role: Role, name: String, profile: BrowserProfile? = nil, methods: MethodTable = MethodTable(),
        startsBroker: Bool = true
    ) async throws(ProtocolError) -> Connection {
        try await ProcessHardening.showingProgram { () async throws(ProtocolError) in
            try await connectSeen(
                as: role, name: name, profile: profile, methods: methods, startsBroker: startsBroker)
        }
    }

    /// A broker that ends, or makes way for a newer one, may take a connection along that it has not answered yet.
    /// Nothing was asked on it then, so another one is greeted, once, within the time of the first.
    private func connectSeen(
        as role: Role, name: String, profile: BrowserProfile?, methods: MethodTable, startsBroker: Bool
    ) async throws(ProtocolError) -> Connection {
        var firstGreeting: MonotonicTime?
        while true {
            let connection = try await reached(methods, startsBroker: startsBroker)
            let begun = firstGreeting ?? .now
            do {
                try await greet(connection, as: role, name: name, profile: profile, since: begun)
                return connection
            } catch {
                // What the broker answered is the answer, and one that keeps others waiting would do so again.
                let hasEnded = error.code == .connectionClosed && connection.isClosed
                connection.close()
                guard hasEnded, remaining(since: begun) > .zero else { throw error }
                guard firstGreeting == nil else { throw endedTwice }
            }
            firstGreeting = begun
            try await leaving(connection.client)
        }
    }

    /// A connection to whoever listens there, which reads already; nothing was sent.
    private func reached(_ methods: MethodTable, startsBroker: Bool) async throws(ProtocolError) -> Connection {
        let reached =
            if let socket = try knock() { socket } else if startsBroker { try await startAndKnock() } else {
                throw ProtocolError(.brokerNotRunning, "Keyway isn't running. \(advice)")
            }
        let socket = try await vouchedFor(reached)
        let connection = Connection(descriptor: socket, peer: .known(.broker), methods: methods)
        connection.start()
        return connection
    }

    /// Greets, and ends the connection when ``greetingLimit`` is over before an answer came.
    private func greet(
        _ connection: Connection, as role: Role, name: String, profile: BrowserProfile?, since begun: MonotonicTime
    ) async throws(ProtocolError) {
        // Whoever takes connections and never answers must not keep this caller for ever.
        let watch = Task { [limit = remaining(since: begun)] in
            try await Task.sleep(for: limit)
            connection.close()
        }
        defer { watch.cancel() }
        try await connection.greet(as: role, name: name, profile: profile)
    }

    private func remaining(since begun: MonotonicTime) -> Duration {
        max(greetingLimit - MonotonicTime.now.since(begun), .zero)
    }

    /// Waits until the process is gone whose connection ended: until then its socket may be there, and take the next
    /// connection along as well. One that stays is waited for no longer than ``lingering``.
    private func leaving(_ process: PeerProcess?) async throws(ProtocolError) {
        let begun = MonotonicTime.now
        while let process, !process.hasEnded, MonotonicTime.now.since(begun) < lingering {
            do { try await Task.sleep(for: Self.interval) } catch {
                throw ProtocolError(.cancelled, "The request was cancelled.")
            }
        }
    }

    private var endedTwice: ProtocolError {
        ProtocolError(.connectionClosed, "keywayd ended the connection before it answered, and did so again. \(advice)")
    }

    /// A checked socket to the broker; nil when nobody listens.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` when somebody else could listen there, or does.
    package func knock() throws(ProtocolError) -> OwnedDescriptor? {
        var status = stat()
        guard lstat(paths.runtime, &status) == 0 || errno != ENOENT else { return nil }
        try PrivateFolder.check(paths.runtime)
        let connected = try ProgramGroup.worn { () throws(ProtocolError) in
            try LocalSocket.connect(to: paths.socket, within: Self.connectLimit)
        }
        guard let socket = connected else { return nil }
        // The folder is ours alone, but it may not have been a moment ago: the kernel knows who listens.
        guard let peer = PeerIdentity(socket: socket), peer.isOurUser else {
            throw ProtocolError(.refused, "Another user's program listens on \(paths.socket). Nothing was sent to it.")
        }
        return socket
    }

    /// The same socket where the kernel says that the broker which was installed with this program listens there; for a
    /// program without a group nobody vouches.
    ///
    /// A socket that systemd made speaks for systemd until the broker, which it starts when somebody comes, listens there
    /// itself: that is waited for.
    ///
    /// - Throws: ``ProtocolError``: `refused` where somebody else listens, and `cancelled`.
    private func vouchedFor(_ socket: OwnedDescriptor) async throws(ProtocolError) -> OwnedDescriptor {
        guard ProgramGroup.isWorn else { return socket }
        var socket: OwnedDescriptor? = socket
        var pause = Self.interval
        let started = MonotonicTime.now
        while MonotonicTime.now.since(started) < Self.patience {
            if let reached = socket, let peer = PeerIdentity(socket: reached), ProgramGroup.isShared(with: peer) {
                return reached
            }
            do { try await Task.sleep(for: pause) } catch {
                throw ProtocolError(.cancelled, "The request was cancelled.")
            }
            pause = min(pause * 2, Self.longestInterval)
            socket = try knock()
        }
        throw ProtocolError(
            .refused,
            "The program that listens on \(paths.socket) isn't the keywayd installed with this program, so nothing was "
                + "sent to it. End it (to find it: fuser \(paths.socket)) and try again.")
    }

    // MARK: - Starting the broker

    /// Starts the broker, unless another client does, and waits until it listens.
    private func startAndKnock() async throws(ProtocolError) -> OwnedDescriptor {
        guard let program else { throw ProtocolError(.brokerNotRunning, "Keyway isn't running. \(advice)") }
        try PrivateFolder.prepare(paths.runtime)
        let started = MonotonicTime.now
        var lock: FileLock?
        var child: ChildProcess?
        var begun = started
        while MonotonicTime.now.since(started) < Self.patience {
            if lock == nil { lock = try FileLock(path: paths.runtime + "/start.lock") }
            if let socket = try knock() { return socket }
            if lock != nil && child == nil { (child, begun) = (try program.start(), .now) }
            if let status = child?.exitStatus {
                guard status == BrokerProgram.anotherRuns else { throw ended(program, status) }
                // The other one may be just about to end, and will never listen.
                if MonotonicTime.now.since(begun) > Self.pauseBetweenStarts { child = nil }
            }
            do { try await Task.sleep(for: Self.interval) } catch {
                throw ProtocolError(.cancelled, "The request was cancelled.")
            }
        }
        throw ProtocolError(
            .brokerNotRunning, "keywayd was started but didn't answer within \(Self.patience). \(advice)")
    }

    private func ended(_ program: BrokerProgram, _ status: CInt) -> ProtocolError {
        ProtocolError(
            .brokerNotRunning,
            "\(program.path) ended right after it started (\(ChildProcess.describe(status: status))). "
                + (lastWords ?? advice))
    }

    /// What a broker that has just ended said last; nil where its log tells nothing.
    private var lastWords: String? {
        let descriptor = open(paths.brokerLog, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let log = OwnedDescriptor(descriptor)
        let end = Int(lseek(log.rawValue, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: 2048)
        let start = max(0, end - bytes.count)
        let count = bytes.withUnsafeMutableBytes { WholeTransfer.read(into: $0, from: log.rawValue, at: start) }
        guard let count, let line = bytes[..<count].split(separator: UInt8(ascii: "\n")).last else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        let mark = "keywayd: "
        return DisplayText.line(text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : text)
    }

    private var advice: String {
        guard let program else {
            return "keywayd is neither in ../libexec/keyway nor next to this program. "
                + "Start it with `systemctl --user start keywayd.socket`, or run `keywayd --foreground`."
        }
        return "Run `\(program.path) --foreground` in a terminal to see why, or read \(paths.brokerLog)."
    }
}
