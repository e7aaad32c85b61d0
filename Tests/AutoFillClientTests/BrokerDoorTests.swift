import AutoFillWire
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillClient

/// The person's folders in one folder of the test, and whoever listens there.
private final class Place: Sendable {
    let folder: String
    let paths: KeywayPaths
    private let connections = Mutex<[Connection]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/keyway-" + UUID().uuidString.prefix(8)
        try Self.make(folder)
        try Self.make(folder + "/run")
        paths = try KeywayPaths(environment: ["HOME": folder, "XDG_RUNTIME_DIR": folder + "/run"])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    static func make(_ path: String, mode: Int = 0o700) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
    }

    func program(_ script: String) throws -> BrokerProgram {
        let path = folder + "/program"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return BrokerProgram(path: path, environment: ["HOME": folder, "PATH": "/usr/bin:/bin"])
    }

    /// Listens at the broker's socket and serves one client that speaks to `greeting`.
    func listen(_ greeting: Greeting = Greeting(accepts: [.terminal], name: "broker 1")) throws -> OwnedDescriptor {
        try PrivateFolder.prepare(paths.runtime)
        let socket = try LocalSocket.listen(at: paths.socket)
        // It must not keep this place: nobody may come, and its folder goes with it.
        Task { [weak self] in
            while self != nil {
                if let client = try LocalSocket.accept(socket) {
                    let connection = Connection(descriptor: client, peer: .unknown(greeting))
                    self?.connections.withLock { $0.append(connection) }
                    connection.start()
                    return
                }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        return socket
    }

    /// Listens at the broker's socket; each client has its turn, in this order: nil ends its connection at once. What is
    /// returned says how many came so far.
    func listen(inOrder greetings: [Greeting?]) throws -> (socket: OwnedDescriptor, count: @Sendable () -> Int) {
        try PrivateFolder.prepare(paths.runtime)
        let socket = try LocalSocket.listen(at: paths.socket)
        let came = Mutex(0)
        Task { [weak self] in
            while self != nil {
                guard let client = try LocalSocket.accept(socket) else {
                    try await Task.sleep(for: .milliseconds(2))
                    continue
                }
                let turn = came.withLock { count in
                    defer { count += 1 }
                    return count
                }
                guard turn < greetings.count, let greeting = greetings[turn] else { continue }
                let connection = Connection(descriptor: client, peer: .unknown(greeting))
                self?.connections.withLock { $0.append(connection) }
                connection.start()
            }
        }
        return (socket, { came.withLock { $0 } })
    }

    func failure(_ program: BrokerProgram? = nil, startsBroker: Bool = true) async -> ProtocolError? {
        do {
            _ = try await BrokerDoor(paths: paths, program: program)
                .connect(as: .terminal, name: "test", startsBroker: startsBroker)
            return nil
        } catch {
            return error
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct BrokerDoorTests {
    private let place: Place

    init() throws {
        place = try Place()
    }

    @Test func connectsAndGreets() async throws {
        let socket = try place.listen()
        let connection = try await BrokerDoor(paths: place.paths, program: nil).connect(as: .terminal, name: "test")
        #expect(connection.role == .broker)
        connection.close()
        withExtendedLifetime(socket) {}
    }

    @Test func saysWhatToDoWhenNothingRuns() async throws {
        let error = try #require(await place.failure())
        #expect(error.code == .brokerNotRunning)
        #expect(error.message.contains("systemctl --user start keywayd.socket"))
        #expect(!FileManager.default.fileExists(atPath: place.paths.runtime))
    }

    @Test func startsNothingWhenToldSo() async throws {
        let program = try place.program("touch \(place.folder)/started")
        #expect(await place.failure(program, startsBroker: false)?.code == .brokerNotRunning)
        #expect(!FileManager.default.fileExists(atPath: place.folder + "/started"))
    }

    @Test func leftOverSocketIsNoBroker() async throws {
        try PrivateFolder.prepare(place.paths.runtime)
        do { _ = try LocalSocket.listen(at: place.paths.socket) }
        #expect(FileManager.default.fileExists(atPath: place.paths.socket))
        #expect(await place.failure()?.code == .brokerNotRunning)
    }

    @Test(arguments: [0o755, 0o710, 0o701, 0o770])
    func folderOpenToOthersIsRefusedBeforeAnythingIsSent(mode: Int) async throws {
        let socket = try place.listen()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.paths.runtime)
        let error = try #require(await place.failure())
        #expect(error.code == .refused)
        #expect(error.message.contains("chmod 700"))
        withExtendedLifetime(socket) {}
    }

    @Test func folderThatIsALinkIsRefused() async throws {
        try Place.make(place.folder + "/elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: place.paths.runtime, withDestinationPath: place.folder + "/elsewhere")
        #expect(await place.failure()?.code == .refused)
    }

    @Test func folderOfAnotherUserIsRefused() async throws {
        try Place.make(place.paths.runtime)
        // Only root can give a folder away; anyone else finds one that is not theirs.
        if geteuid() == 0 {
            #expect(chown(place.paths.runtime, 65534, 65534) == 0)
            #expect(await place.failure()?.code == .refused)
        } else {
            let paths = try KeywayPaths(environment: ["HOME": place.folder, "XDG_RUNTIME_DIR": "/proc/1"])
            #expect(throws: ProtocolError.self) { try BrokerDoor(paths: paths, program: nil).knock() ?? nil }
        }
    }

    @Test func anotherVersionIsToldApart() async throws {
        let socket = try place.listen(Greeting(accepts: [.browser], name: "broker 1"))
        #expect(await place.failure()?.code == .notAllowed)
        withExtendedLifetime(socket) {}
    }

    @Test func brokerThatNeverAnswersTheGreetingKeepsNobody() async throws {
        try PrivateFolder.prepare(place.paths.runtime)
        let socket = try LocalSocket.listen(at: place.paths.socket)
        let door = BrokerDoor(paths: place.paths, program: nil, greetingLimit: .milliseconds(1))
        await #expect(throws: ProtocolError(.connectionClosed, "")) {
            try await door.connect(as: .terminal, name: "test")
        }
        // Its time is over: there is none for a second one.
        #expect(try LocalSocket.accept(socket) != nil)
        #expect(try LocalSocket.accept(socket) == nil)
        withExtendedLifetime(socket) {}
    }

    private var impatient: BrokerDoor {
        BrokerDoor(paths: place.paths, program: nil, greetingLimit: .seconds(30), lingering: .zero)
    }

    @Test func brokerThatEndsBeforeItAnsweredIsFollowedByTheNext() async throws {
        let (socket, count) = try place.listen(inOrder: [nil, Greeting(accepts: [.terminal], name: "broker 2")])
        let connection = try await impatient.connect(as: .terminal, name: "test")
        #expect(connection.role == .broker && !connection.isClosed)
        #expect(count() == 2)
        connection.close()
        withExtendedLifetime(socket) {}
    }

    @Test func brokersThatAllEndAreToldAndNotTriedAThirdTime() async throws {
        let (socket, count) = try place.listen(inOrder: [nil, nil, Greeting(accepts: [.terminal], name: "broker 3")])
        let failure = await #expect(throws: ProtocolError.self) {
            try await impatient.connect(as: .terminal, name: "test")
        }
        let error = try #require(failure)
        #expect(error.code == .connectionClosed)
        #expect(error.message.hasPrefix("keywayd ended the connection before it answered, and did so again. "))
        #expect(count() == 2)
        withExtendedLifetime(socket) {}
    }

    /// The first one waits for the process that ended its connection: this one, which goes on.
    @Test func brokerThatStaysIsWaitedForWithinLimits() async throws {
        let (socket, count) = try place.listen(inOrder: [nil, Greeting(accepts: [.terminal], name: "broker 2")])
        let limit = Duration.milliseconds(100)
        let door = BrokerDoor(paths: place.paths, program: nil, greetingLimit: .seconds(30), lingering: limit)
        let began = MonotonicTime.now
        try await door.connect(as: .terminal, name: "test").close()
        #expect(MonotonicTime.now.since(began) >= limit)
        #expect(count() == 2)
        withExtendedLifetime(socket) {}
    }

    @Test func brokerThatRefusesIsNotAskedAgain() async throws {
        let (socket, count) = try place.listen(inOrder: [Greeting(accepts: [.browser], name: "broker 1")])
        await #expect(throws: ProtocolError(.notAllowed, "")) {
            try await impatient.connect(as: .terminal, name: "test")
        }
        #expect(count() == 1)
        withExtendedLifetime(socket) {}
    }

    @Test func programThatEndsIsReportedWithItsStatus() async throws {
        let error = try #require(await place.failure(try place.program("exit 3")))
        #expect(error.code == .brokerNotRunning)
        #expect(error.message.contains("exit 3"))
        #expect(error.message.contains("--foreground"))
    }

    @Test func programIsStartedOnceAndAwayFromTheTerminal() async throws {
        let folder = place.folder
        let program = try place.program(
            "echo \"$1 $HOME $(env | cut -d= -f1 | sort | tr '\\n' ' ')\" >> \(folder)/log; exit 3")
        _ = await place.failure(program)
        let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
        #expect(log.split(separator: "\n").count == 1)
        #expect(log.hasPrefix("--background \(folder) "))
        #expect(!log.contains("TERM"))
    }

    /// The program that loses against another broker ends, and the other one's socket is what is waited for.
    @Test func brokerOfSomebodyElseIsAwaited() async throws {
        let program = try place.program("exit 75")
        let found = Task { await place.failure(program) }
        try await Task.sleep(for: .milliseconds(50))
        let socket = try place.listen()
        #expect(await found.value == nil)
        withExtendedLifetime(socket) {}
    }

    /// A broker that is about to end holds its lock a moment longer than its socket.
    @Test func brokerThatEndsWithoutListeningIsReplaced() async throws {
        let marks = place.folder
        let program = try place.program(
            """
            if [ ! -e \(marks)/first ]; then touch \(marks)/first; exit 75; fi
            touch \(marks)/second
            while [ -d \(marks) ]; do sleep 0.1; done
            """)
        let found = Task { await place.failure(program) }
        for _ in 0..<2000 where !FileManager.default.fileExists(atPath: marks + "/second") {
            try await Task.sleep(for: .milliseconds(5))
        }
        let socket = try place.listen()
        #expect(FileManager.default.fileExists(atPath: marks + "/second"))
        #expect(await found.value == nil)
        withExtendedLifetime(socket) {}
    }

    @Test func cancelledWaitEnds() async throws {
        // It ends with the test's folder: it holds the test's output open, for whose end the test run waits.
        let program = try place.program("while [ -d \(place.folder) ]; do sleep 0.1; done")
        let waiting = Task { await place.failure(program) }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
    }
}

@Suite struct BrokerProgramTests {
    /// A folder with programs that do nothing, at these paths.
    private func tree(_ programs: String...) throws -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/keyway-" + UUID().uuidString.prefix(8)
        for program in programs {
            let path = "\(folder)/\(program)"
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            _ = FileManager.default.createFile(
                atPath: path, contents: Data("#!/bin/sh\n".utf8), attributes: [.posixPermissions: 0o755])
        }
        return folder
    }

    private func same(_ one: String?, _ other: String) -> Bool {
        one.map { ($0 as NSString).resolvingSymlinksInPath } == (other as NSString).resolvingSymlinksInPath
    }

    @Test func programOfSomebodyElseFindsTheBrokerOfTheTerminal() throws {
        let folder = try tree("app/bin/app", "keyway/bin/keyway", "keyway/libexec/keyway/keywayd", "links/other")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/links/keyway", withDestinationPath: "\(folder)/keyway/bin/keyway")
        for path in ["\(folder)/keyway/bin", "relative:\(folder)/links"] {
            let found = BrokerProgram.installed(environment: ["PATH": path], own: "\(folder)/app/bin/app")
            #expect(same(found?.path, "\(folder)/keyway/libexec/keyway/keywayd"))
        }
        #expect(BrokerProgram.installed(environment: ["PATH": "\(folder)/app/bin"], own: nil) == nil)
        #expect(BrokerProgram.installed(environment: [:], own: "\(folder)/app/bin/app") == nil)
    }

    @Test func brokerThatWasInstalledAlongComesFirst() throws {
        let folder = try tree(
            "one/bin/keyway", "one/libexec/keyway/keywayd", "two/bin/keyway", "two/libexec/keyway/keywayd")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let found = BrokerProgram.installed(
            environment: ["PATH": "\(folder)/one/bin"], own: "\(folder)/two/bin/keyway")
        #expect(same(found?.path, "\(folder)/two/libexec/keyway/keywayd"))
    }

    @Test func getsWhereFilesLieAndNothingOfTheTerminal() {
        let program = BrokerProgram(
            path: "/x",
            environment: [
                "HOME": "/h", "PATH": "/p", "LANG": "C", "LC_ALL": "C", "TZ": "UTC", "XDG_STATE_HOME": "/s",
                "TERM": "xterm", "LD_PRELOAD": "/evil.so", "SSH_AUTH_SOCK": "/a", "LISTEN_FDS": "1",
            ])
        #expect(Set(program.environment.keys) == ["HOME", "PATH", "LANG", "LC_ALL", "TZ", "XDG_STATE_HOME"])
    }
}
