import KeywaySystem
import Synchronization
import TerminalInterface
import Testing

@testable import KeywayCommand

/// The kit is another program: what it is told.
struct ProviderCommandTests {
    /// Which program takes the place of this one.
    private final class Taken: Sendable {
        let words = Mutex<[String]>([])
    }

    private func run(_ line: [String]) async throws -> (code: ExitCode, taken: [String], said: String) {
        let (out, err, taken) = (MemorySink(), MemorySink(), Taken())
        let surroundings = Surroundings(
            environment: ["HOME": "/home/ada"], output: out, messages: err, secretLines: nil, machine: FakeMachine(),
            openTerminal: { () throws(TerminalError) in throw TerminalError(.noTerminal, "There is none.") },
            connect: { (_, _) throws(ProtocolError) in throw ProtocolError(.brokerNotRunning, "It is not needed.") },
            takePlace: { (path, words) throws(CommandError) in taken.words.withLock { $0 = [path] + words } })
        guard case .run(let invocation) = try CommandLineParser.parse(line) else {
            throw UsageError(message: "no command", path: line, suggestion: nil)
        }
        let code = await CommandRunner(invocation, in: surroundings).run()
        return (code, taken.words.withLock { $0 }, err.text)
    }

    @Test(arguments: [
        (["new", "Notebook"], ["new", "--", "Notebook"]),
        (
            ["new", "--json", "Notebook", "--directory", "/src"],
            ["new", "--json", "--directory", "/src", "--", "Notebook"]
        ),
        (["test", "--", "-odd.appex"], ["test", "--", "-odd.appex"]),
        (["test", "--list-rules", "--json"], ["test", "--json", "--list-rules"]),
        (
            ["test", "a.appex", "--rule", "greets", "--rule=files", "--requests", "5", "--leaves", "gpg-agent"],
            [
                "test", "--rule", "greets", "--rule", "files", "--leaves", "gpg-agent", "--requests", "5", "--",
                "a.appex",
            ]
        ),
        (
            ["test", "a.appex", "--record", "r", "--user", "u", "--service", "s", "--type-from", "w", "--home", "h"],
            [
                "test", "--record", "r", "--user", "u", "--service", "s", "--type-from", "w", "--home", "h", "--",
                "a.appex",
            ]
        ),
    ])
    func handsItsWordsToTheKit(line: [String], words: [String]) async throws {
        let run = try await run(["provider"] + line)
        #expect(run.taken == ["/usr/libexec/keyway/keyway-provider-kit"] + words)
        #expect(run.code == .success)
    }

    @Test func aTestNeedsABundle() async throws {
        let run = try await run(["provider", "test"])
        #expect(run.code == .usage && run.taken.isEmpty)
        #expect(run.said.contains("PATH is missing."))
    }

    @Test func aKitThatIsNotThereIsSaidSo() {
        #expect(throws: CommandError(.failure, "")) {
            try ProgramReplacement.take("/no/such/program", ["test"])
        }
    }
}
