import AutoFillWire
import KeywaySystem

import Glibc
import Testing

@testable import BrokerBase
@testable import ProviderHosting

@Suite("A program that is started in its sandbox")
struct ConfinedProcessTests {
    /// What was started, and the socket on which the program inside would speak.
    private static func start() throws -> (outer: ChildProcess, confined: ConfinedProcess, program: OwnedDescriptor) {
        let (report, program) = try LocalSocket.pair()
        try report.wantCredentials()
        let child = try ChildProcess(path: "/bin/sleep", arguments: ["3600"], environment: [:])
        let confined = ConfinedProcess(
            try GroupedProcess(in: nil) { _ in child }, report: report, isEnclosed: true, waitsForDebugger: false,
            log: EventLog { _ in })
        return (child, confined, program)
    }

    @Test("is shown as the one that starts it while that is stopped", .timeLimit(.minutes(2)))
    func stopped() throws {
        let (outer, confined, program) = try Self.start()
        defer { outer.send(signal: SIGKILL) }
        outer.send(signal: SIGSTOP)
        #expect(confined.processIdentifier == outer.processIdentifier)
        withExtendedLifetime(program) {}
    }

    @Test("is known as soon as it has spoken")
    func known() throws {
        let (outer, confined, program) = try Self.start()
        defer { outer.send(signal: SIGKILL) }
        #expect(write(program.rawValue, "!", 1) == 1)
        #expect(confined.processIdentifier == getpid())
        #expect(confined.processIdentifier == getpid(), "it speaks once")
    }

    @Test("is not known by what it says when it cannot be confined")
    func complaint() throws {
        let (outer, confined, program) = try Self.start()
        defer { outer.send(signal: SIGKILL) }
        #expect(write(program.rawValue, "no", 2) == 2)
        #expect(confined.processIdentifier == outer.processIdentifier)
        #expect(write(program.rawValue, "!", 1) == 1)
        #expect(confined.processIdentifier == outer.processIdentifier)
    }
}
