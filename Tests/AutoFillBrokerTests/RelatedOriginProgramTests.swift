import AutoFillProtocol
import BrokerTestSupport
import Testing

@testable import AutoFillBroker

/// What is believed of the program that fetches what sites say.
@Suite(.timeLimit(.minutes(5))) struct RelatedOriginProgramTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A program that does what `script` says.
    private func program(_ script: String, patience: Duration = .seconds(120)) async throws -> RelatedOriginProgram {
        let (written, path) = (
            try folder.write("#!/bin/sh\n\(script)\n", to: "script", mode: 0o755), folder.path + "/program"
        )
        // What another test starts meanwhile may hold what is written here open, and no such file can be run: another
        // process writes it.
        #expect(await ProgramOutput.lines(of: "/bin/cp", ["-v", written, path], [:], patience: 3_600_000).count == 1)
        return RelatedOriginProgram(path: path, environment: ["PATH": "/usr/bin:/bin"], patience: patience)
    }

    @Test func itIsToldTheSiteAndSaysItsOriginsInLines() async throws {
        let program = try await program(#"printf '%s\n' "$@" https://b.example >&3"#)
        #expect(try await program.origins(of: "a.example") == ["a.example", "https://b.example"])
        #expect(try await program.apps(of: "a.example") == ["--apps", "a.example", "https://b.example"])
    }

    @Test(arguments: [
        "exit 1", "echo https://b.example >&3; exit 1", "echo https://b.example >&3; kill -9 $$",
        #"printf 'https://b.example\n\377' >&3"#, "exec head -c 65537 /dev/zero >&3", "exec cat /dev/zero >&3",
    ])
    func whatFailsOrSaysTooMuchNamesNobody(script: String) async throws {
        let program = try await program(script)
        #expect(await failure { _ = try await program.origins(of: "a.example") }?.code == .notFound)
        #expect(await failure { _ = try await program.apps(of: "a.example") }?.code == .notFound)
    }

    @Test func asMuchAsItMaySayIsRead() async throws {
        let program = try await program("exec head -c \(RelatedOriginProgram.limit) /dev/zero | tr '\\0' a >&3")
        #expect(try await program.origins(of: "a.example").map(\.utf8.count) == [RelatedOriginProgram.limit])
    }

    /// Whoever says something now and then does not keep a place for ever.
    @Test(arguments: ["exec sleep 3600", "for each in $(seq 300); do echo a >&3; sleep 0.1; done"])
    func whatDoesNotEndIsEnded(script: String) async throws {
        let program = try await program(script, patience: .seconds(5))
        #expect(await failure { _ = try await program.origins(of: "a.example") }?.code == .notFound)
    }

    @Test func whatIsNotThereNamesNobody() async {
        let program = RelatedOriginProgram(path: "/nonexistent", environment: [:])
        #expect(await failure { _ = try await program.origins(of: "a.example") } != nil)
    }

    @Test func ofTheEnvironmentItGetsWhatItNeeds() {
        let all = ["PATH": "/bin", "LANG": "C", "HOME": "/home/a", "LD_PRELOAD": "x", "https_proxy": "http://x"]
        #expect(Set(RelatedOriginProgram.besideThisProgram(environment: all).environment.keys) == ["PATH", "LANG"])
    }
}
