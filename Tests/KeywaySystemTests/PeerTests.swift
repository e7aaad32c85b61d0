import CSys
import FoundationEssentials
import Glibc
import Testing

@testable import AutoFillWire
@testable import KeywaySystem

@Suite struct PeerTests {
    @Test func knowsThePeerFromTheKernel() throws {
        let (one, _) = try LocalSocket.pair()
        let peer = try #require(PeerIdentity(socket: one))
        #expect(peer.processIdentifier == getpid())
        #expect(peer.userIdentifier == geteuid())
        #expect(peer.isOurUser)
    }

    @Test func knowsNoPeerOfAFile() throws {
        #expect(PeerIdentity(socket: try sealed("x").descriptor) == nil)
    }

    @Test func tellsTheSessionOfThisProcess() throws {
        let session = try #require(TerminalSession(of: getpid()))
        #expect(session.identifier == getsid(0))
        #expect(session == TerminalSession(of: getpid()))
    }

    @Test func knowsNoSessionOfAProcessThatIsGone() {
        #expect(TerminalSession(of: Int32.max) == nil)
    }

    @Test(arguments: ["(sh)", "(a b)", "(evil) R 1 1 1)", "())"])
    func readsTheFieldsBehindAnyProgramName(name: String) throws {
        let fields = "S 10 20 30 34817 " + (6...19).map(String.init).joined(separator: " ") + " 4711 99"
        let status = try #require(ProcessStatus(stat: "123 \(name) \(fields)"))
        #expect(status.session == 30)
        #expect(status.terminal == 34817)
        #expect(status.startTime == 4711)
    }

    /// Process group, session, terminal, and the group in the terminal's foreground.
    @Test(arguments: [
        (20, 30, 34817, 20, false), (20, 30, 34817, 30, true), (20, 30, 34817, 0, true), (20, 30, 0, -1, false),
    ])
    func backgroundIsWhereAnotherGroupHasTheTerminal(
        group: Int, session: Int, terminal: Int, foreground: Int, isInBackground: Bool
    ) throws {
        let fields = "S 1 \(group) \(session) \(terminal) \(foreground) 0 0 0 0 0 0 0 0 0 0 0 0 0 4711 0"
        #expect(try #require(ProcessStatus(stat: "123 (sh) \(fields)")).isInBackground == isInBackground)
    }

    @Test func aSessionInTheBackgroundIsAnotherOne() {
        let session = TerminalSession(identifier: 30, leaderStart: 4711, terminal: 34817)
        #expect(session.inBackground != session && session.inBackground.terminal == -1)
        #expect(session.inBackground.inBackground == session.inBackground)
    }

    @Test(arguments: ["", "123", "123 (sh) S 1", "123 (sh) S 1 2 x 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"])
    func refusesAStatusThatIsCutOrOdd(text: String) {
        #expect(ProcessStatus(stat: text) == nil)
    }
}

@Suite struct KeywayPathsTests {
    @Test func followsTheBaseDirectorySpecification() throws {
        let paths = try KeywayPaths(environment: [
            "HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1000", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "/d",
            "XDG_DATA_DIRS": "/opt/share:relative:/usr/share",
        ]) { _ in true }
        #expect(paths.socket == "/run/user/1000/keyway/autofill.sock")
        #expect(paths.state == "/s/keyway")
        #expect(paths.data == "/d/keyway")
        #expect(
            paths.providerFolders.map(\.path) == [
                "/opt/share/keyway/providers", "/usr/share/keyway/providers", "/d/keyway/providers",
            ])
        #expect(paths.providerFolders.map(\.scope) == [.system, .system, .user])
    }

    @Test func fallsBackToTheHomeFolderAndNeverToATemporaryOne() throws {
        let paths = try KeywayPaths(environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "relative", "TMPDIR": "/tmp"])
        #expect(paths.runtime == "/home/ada/.local/state/keyway/run")
        #expect(paths.data == "/home/ada/.local/share/keyway")
        #expect(paths.providerFolders.first?.path == "/usr/local/share/keyway/providers")
    }

    @Test func searchesTheFolderThatItIsInstalledIn() throws {
        let home = ["HOME": "/home/ada"]
        let elsewhere = try KeywayPaths(environment: home, prefix: "/opt/keyway") { _ in true }
        #expect(
            elsewhere.providerFolders.map(\.path) == [
                "/usr/local/share/keyway/providers", "/usr/share/keyway/providers",
                "/opt/keyway/share/keyway/providers", "/home/ada/.local/share/keyway/providers",
            ])
        #expect(try KeywayPaths(environment: home, prefix: "/usr") == KeywayPaths(environment: home))
        #expect(KeywayPaths.prefix(ofProgram: "/opt/keyway/libexec/keyway/keywayd") == "/opt/keyway")
        for path in [nil, "", "/keywayd", "/libexec/keyway/keywayd", "/home/ada/keyway/.build/debug/keywayd"] {
            #expect(KeywayPaths.prefix(ofProgram: path) == nil)
        }
    }

    @Test func knowsTheSessionOfThePeerWhileItLives() throws {
        let (one, _) = try LocalSocket.pair()
        let connection = Connection(descriptor: one, peer: .known(.terminal))
        #expect(connection.peerSession == TerminalSession(of: getpid()))
    }

    @Test func knowsTheSessionOnAKernelThatNamesPeersByNumber() throws {
        let (one, _) = try LocalSocket.pair()
        #expect(PeerProcess(socket: one, ofKernel: { _ in -1 })?.session == TerminalSession(of: getpid()))
    }

    @Test func aNumberThatMeansAnotherProcessByNowHasNoSession() async throws {
        let other = try ChildProcess(path: "/bin/sleep", arguments: ["600"], environment: [:])
        let descriptor = OwnedDescriptor(csys_pidfd_open(other.processIdentifier))
        #expect(PeerProcess(processIdentifier: getpid(), pidfd: descriptor).session != nil)
        other.send(signal: SIGKILL)
        await withCheckedContinuation { continuation in other.onExit { _ in continuation.resume() } }
        // As if this process had got the number of that one.
        #expect(PeerProcess(processIdentifier: getpid(), pidfd: descriptor).session == nil)
    }

    @Test func knowsTheProcessesOfItsOwnChildren() async throws {
        let child = try ChildProcess(path: "/bin/sleep", arguments: ["600"], environment: [:])
        let descriptor = OwnedDescriptor(csys_pidfd_open(child.processIdentifier))
        #expect(PeerProcess(processIdentifier: child.processIdentifier, pidfd: descriptor).isOfOurChild)
        // Whoever started this process is nobody's child here.
        let (one, _) = try LocalSocket.pair()
        #expect(!PeerProcess.isOfOurChild(one))
        child.send(signal: SIGKILL)
        await withCheckedContinuation { continuation in child.onExit { _ in continuation.resume() } }
        #expect(!PeerProcess(processIdentifier: child.processIdentifier, pidfd: descriptor).isOfOurChild)
    }

    @Test func knowsTheProgramOfThePeerWhileItLives() async throws {
        let other = try ChildProcess(path: "/bin/sleep", arguments: ["600"], environment: [:])
        let descriptor = OwnedDescriptor(csys_pidfd_open(other.processIdentifier))
        let peer = PeerProcess(processIdentifier: other.processIdentifier, pidfd: descriptor)
        let program = try #require(peer.program)
        var (ours, theirs) = (stat(), stat())
        #expect(fstat(program.rawValue, &theirs) == 0 && stat("/bin/sleep", &ours) == 0)
        #expect((theirs.st_dev, theirs.st_ino) == (ours.st_dev, ours.st_ino))
        // As if the number meant this process by now.
        let successor = PeerProcess(processIdentifier: getpid(), pidfd: descriptor)
        other.send(signal: SIGKILL)
        await withCheckedContinuation { continuation in other.onExit { _ in continuation.resume() } }
        #expect(successor.program == nil)
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "relative"]])
    func saysSoWithoutAHomeFolder(environment: [String: String]) {
        #expect(throws: ProtocolError(.system, "")) { try KeywayPaths(environment: environment) }
    }
}

@Suite struct PrivateFolderTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/keyway-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test func makesFoldersThatOnlyTheirOwnerMayEnter() throws {
        try withFolder { base in
            try PrivateFolder.prepare(base + "/a/b")
            var status = stat()
            #expect(stat(base + "/a/b", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o700)
        }
    }

    @Test func refusesAFolderThatIsOpenToOthers() throws {
        try withFolder { base in
            #expect(mkdir(base + "/open", 0o755) == 0)
            chmod(base + "/open", 0o755)
            let error = #expect(throws: ProtocolError(.refused, "")) { try PrivateFolder.prepare(base + "/open") }
            #expect(error?.message.contains("chmod 700") == true)
        }
    }

    @Test func refusesALinkAndAFile() throws {
        try withFolder { base in
            #expect(symlink(base, base + "/link") == 0)
            #expect(throws: ProtocolError(.refused, "")) { try PrivateFolder.check(base + "/link") }
            let file = open(base + "/file", O_CREAT | O_WRONLY, 0o600)
            close(file)
            #expect(throws: ProtocolError(.refused, "")) { try PrivateFolder.check(base + "/file") }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func refusesAFolderOfAnotherUser() throws {
        try withFolder { base in
            #expect(mkdir(base + "/other", 0o700) == 0)
            #expect(chown(base + "/other", 65534, 65534) == 0)
            #expect(throws: ProtocolError(.refused, "")) { try PrivateFolder.prepare(base + "/other") }
        }
    }
}
