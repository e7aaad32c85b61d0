import AutoFillWire
import BrokerBase
import Glibc
import IdentityIndex
import KeywaySystem
import LoginMonitor
import PasswordRules
import ProviderHosting
import Synchronization

/// The program `keywayd`.
package enum BrokerCommand {
    /// What `--help` prints: the specification of the program's arguments.
    package static let help = """
        keywayd, the broker of Keyway: knows which providers there are and which accounts they suggest, and passes
        requests between programs and providers. It never reads a secret.

        Usage:
          keywayd                started by systemd, which passes the socket on
          keywayd --foreground   by hand: listens at its own socket, says what happens on standard error
          keywayd --background   started by a program that found no broker: says what happens in keywayd.log
          keywayd --help | --version

        Files:
          $XDG_RUNTIME_DIR/keyway   autofill.sock, keywayd.lock, keywayd.log
          $XDG_STATE_HOME/keyway    providers.json (which providers are on), clients.json (which programs may ask),
                                    deliveries.json (which providers failed),
                                    identities/ (what they suggest, sealed, and what opens the key),
                                    history/ (what was filled and refused, sealed)
          PREFIX/share/keyway/providers, $XDG_DATA_HOME/keyway/providers   provider bundles

        Ends on SIGTERM and SIGINT, and after its program was replaced or removed, once no vault is open and nobody has
        asked for half a minute. Exit status: 0 ended as asked, 1 failed, 64 wrong arguments, 75 another one runs.
        """

    private enum Mode {
        case systemd, foreground, background
    }

    /// Runs the program; returns never.
    package static func main(_ arguments: [String]) -> Never {
        switch arguments.dropFirst().first {
        case nil: run(.systemd)
        case "--foreground" where arguments.count == 2: run(.foreground)
        case "--background" where arguments.count == 2: run(.background)
        case "--help", "-h": finish(0, help)
        case "--version": finish(0, "keywayd \(ProtocolVersion.release)")
        default:
            EventLog.standardError("unknown arguments; see keywayd --help")
            exit(64)
        }
    }

    private static func finish(_ status: CInt, _ text: String) -> Never {
        print(text)
        exit(status)
    }

    private static func run(_ mode: Mode) -> Never {
        ProgramGroup.putAside()
        let program = RunningProgram()
        do throws(ProtocolError) {
            try ProcessHardening.apply()
            let group = KnownGroup.installed()
            try group.requireOwn()
            // A journal that went away must not take the broker with it.
            signal(SIGPIPE, SIG_IGN)
            raiseDescriptorLimit()
            let installation = Installation.current
            try refuseOwnNamespace(installation)
            let environment = ProcessEnvironment.believed(of: installation)
            let paths = try KeywayPaths(environment: environment, prefix: installation?.prefix)
            if mode == .background { try detach(paths) }
            // Before anybody can connect: without it there is no broker.
            try PrivateFolder.prepare(paths.state)
            let socket = try BrokerSocket(paths: paths, environment: environment, mayListen: mode != .systemd)
            // It has listened: nobody asks for its group any more.
            ProgramGroup.drop()
            let clock = SystemTimeSource()
            let key = StoreKeyProcess.besideThisProgram(
                folder: paths.identities, environment: environment, clock: clock)
            if let problem = group.problem { EventLog.standardError(problem) }
            // Before anything is started: nobody else may be in its control group.
            let groups = Result { () throws(ProtocolError) in try ControlGroups.take(log: .standardError) }
            let broker = try Broker(
                paths: paths,
                launcher: ProcessLauncher(
                    environment: environment, paths: paths, log: .standardError, groups: groups),
                storeKey: key, clock: clock, log: .standardError, policy: PolicyFiles(log: .standardError),
                sheets: SheetWindows(
                    session: LoginDisplay(
                        environment: environment, isSystemWide: installation?.isSystemWide ?? false),
                    launcher: InstalledSheets(), clock: clock, log: .standardError),
                quirks: KeywayPaths.installedPrefix.map { SiteQuirks(folder: SiteQuirks.folder(inPrefix: $0)) },
                knownGroup: group, program: program)
            broker.person.useSystemVerification(
                PersonCheckProcess.besideThisProgram(folder: paths.state, environment: environment, clock: clock))
            broker.relatedOrigins.use(RelatedOriginProgram.besideThisProgram(environment: environment))
            broker.upgrades.use(SessionNotifier(environment: environment))
            broker.appSites.use(RelatedOriginProgram.besideThisProgram(environment: environment))
            serve(broker, socket)
        } catch {
            EventLog.standardError(error.message)
            exit(error.code == .busy ? EX_TEMPFAIL : EXIT_FAILURE)
        }
    }

    /// Where Keyway is installed for everybody, the broker believes the system. In a user namespace of the person, any
    /// program of theirs could have made that up.
    private static func refuseOwnNamespace(_ installation: Installation?) throws(ProtocolError) {
        guard installation?.namesGroup == true, UserNamespace.isOwn else { return }
        throw ProtocolError(
            .refused, "Keyway is installed for all users here, so it doesn't run in your own user namespace.")
    }

    private static func serve(_ broker: Broker, _ socket: BrokerSocket) -> Never {
        let log = EventLog.standardError
        let signals = TerminationSignals()
        let listener = Listener(descriptor: socket.descriptor, log: log)
        let once = Once()
        let end: @Sendable (String) -> Void = { reason in
            guard once.take() else { return }
            log("\(reason): ending")
            listener.stop()
            socket.remove()
            Task {
                await broker.finish()
                await broker.close()
                log("ended")
                socket.release()
                exit(EXIT_SUCCESS)
            }
        }
        let successor = handOver(broker, log) { end("the program was replaced, and nobody uses this one") }
        let monitor = LoginMonitor(
            report: { log($0) }, otherwise: "the identity stores stay open while the session is locked",
            onEvent: { await broker.handle($0) })
        monitor.start()
        broker.sheets?.follow(monitor)
        Task {
            // A session that is locked already has its stores closed before anybody asks.
            await broker.stores.follow(monitor)
            // What providers left that are gone must not wait for the first question.
            do { try await broker.adoptProviders() } catch { log("\(error)") }
        }
        // Whoever wants a provider started waits for this; it is found out while they get their key.
        Task { _ = await broker.processes.confinement() }
        listener.start { broker.serve($0) }
        log("release \(ProtocolVersion.release) listens, process \(getpid())")
        withExtendedLifetime((monitor, successor)) { () -> Never in
            while true { end("signal \(signals.wait())") }
        }
    }

    /// Follows the file of this program, so that the broker makes way for another one.
    private static func handOver(
        _ broker: Broker, _ log: EventLog, _ end: @escaping @Sendable () -> Void
    ) -> FolderNotices? {
        guard let program = broker.program else { return nil }
        let handOver = HandOver(
            clock: broker.clock, log: log, isReplaced: { program.isReplaced },
            use: { await broker.use(countsStrangers: $0) },
            end: end)
        let notices = FolderNotices(folder: program.folder) { handOver.look() }
        // Between the start and now.
        handOver.look()
        if notices == nil { log("the kernel doesn't tell of changes: after an upgrade this broker runs on") }
        return notices
    }

    /// A thousand clients need more than the usual 1,024 descriptors.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Leaves the terminal that the client was started from.
    private static func detach(_ paths: KeywayPaths) throws(ProtocolError) {
        try PrivateFolder.prepare(paths.runtime)
        // Without O_NONBLOCK, a pipe in its place would wait for a reader for ever.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let log = OwnedDescriptor(
            try SystemCall.check("open \(paths.brokerLog)") { open(paths.brokerLog, flags, mode_t(0o600)) })
        var status = stat()
        guard fstat(log.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ProtocolError(.system, "\(paths.brokerLog) is no file to write the log to. Remove it.")
        }
        // Whoever ends because another one runs must not take that one's log away: it is only kept from growing.
        if status.st_size > 1 << 20 { ftruncate(log.rawValue, 0) }
        for number in [STDOUT_FILENO, STDERR_FILENO] {
            try SystemCall.check("dup2") { dup2(log.rawValue, number) }
        }
        try SystemCall.check("chdir /") { chdir("/") }
    }
}

/// SIGTERM and SIGINT, of which this program hears instead of being ended by them.
///
/// The first thread waits for them itself. A signal source of libdispatch has that thread raise them once more for its own, and
/// on a busy computer, one was lost on the way.
private struct TerminationSignals {
    private let signals: sigset_t

    /// Blocks them in this thread, which is the program's first. All others are started by libdispatch, which blocks every
    /// signal in them, or inherit it.
    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        self.signals = signals
    }

    /// Waits for the next one.
    func wait() -> CInt {
        var (number, signals) = (CInt(0), signals)
        // Fails for a set that holds no signal alone.
        while sigwait(&signals, &number) != 0 {}
        return number
    }
}

/// Lets the first of several through.
private final class Once: Sendable {
    private let isFirst = Atomic(true)

    func take() -> Bool { isFirst.exchange(false, ordering: .relaxed) }
}
