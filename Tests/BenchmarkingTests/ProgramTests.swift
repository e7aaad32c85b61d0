import Glibc
import Testing

@testable import Benchmarking

@Suite struct ProgramTests {
    private let environment = ["PATH": "/usr/bin:/bin", "SAMPLE": "here"]

    @Test func givesInputAndTakesOutputAndStatus() throws {
        let outcome = try Program("/bin/sh", environment: environment).run(
            ["-c", "read line; echo \"$line $SAMPLE\"; exit 3"], input: Array("one\n".utf8))
        #expect(outcome.status == 3)
        #expect(String(decoding: outcome.output, as: UTF8.self) == "one here\n")
        #expect(outcome.duration > .zero)
    }

    @Test func violentEndIsTold() throws {
        let outcome = try Program("/bin/sh", environment: environment).run(["-c", "kill -9 $$"])
        #expect(outcome.status == 128 + SIGKILL)
    }

    @Test func startedFromAnyThreadItsSignalsAreOrdinary() async throws {
        let outcome = try await Task.detached { [environment] in
            try Program("/bin/sh", environment: environment).run(["-c", "grep -E '^Sig(Blk|Ign)' /proc/self/status"])
        }.value
        let masks = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").compactMap {
            $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        }
        // 32 and 33 belong to the C library, which ignores them in a child of whoever has used them.
        #expect(masks.map { $0 & ~0x1_8000_0000 } == [0, 0])
    }

    @Test func aProgramThatIsMissingIsAnError() {
        #expect(throws: (any Error).self) { try Program("/nowhere/at/all", environment: [:]).run() }
    }

    @Test func watchingSeesTheMemoryOfTheProgramItself() throws {
        let outcome = try Program("/bin/sh", environment: environment).run(["-c", "sleep 0.1"], watching: true)
        #expect(outcome.peakMiB > 0.5)
        #expect(outcome.peakMiB < 16)
    }

    @Test func watchingSeesTheMemoryOfProgramsThatItRuns() throws {
        let inner = #"x=$(head -c 30000000 /dev/zero | tr '\0' a); sleep 0.3"#
        let outcome = try Program("/bin/sh", environment: environment).run(
            ["-c", #"/bin/sh -c "$0"; true"#, inner], watching: true)
        #expect(outcome.status == 0)
        #expect(outcome.peakMiB > 28)
    }

    @Test func whatItLeavesBehindIsNotItsMemory() throws {
        let stays = #"x=$(head -c 30000000 /dev/zero | tr '\0' a); echo grown; exec >/dev/null; kill -STOP $$"#
        let leaves = #"d=$(mktemp -d); mkfifo $d/p; /bin/sh -c "$0" >$d/p </dev/null & read said <$d/p; rm -r $d; "#
        let outcome = try Program("/bin/sh", environment: environment).run(
            ["-c", leaves + "sleep 0.1; echo $!", stays], watching: true)
        let process = try #require(Int32(String(decoding: outcome.output, as: UTF8.self).dropLast()))
        #expect(kill(process, SIGKILL) == 0)
        #expect(outcome.peakMiB < 16)
    }

    @Test func moreOutputThanAPipeHoldsIsRead() throws {
        let outcome = try Program("/bin/sh", environment: environment).run(["-c", "head -c 1000000 /dev/zero"])
        #expect(outcome.output.count == 1_000_000)
    }
}

@Suite struct ProcessMemoryTests {
    @Test func ownMemoryIsSomething() {
        #expect(ProcessMemory.peakMiB(of: getpid()) > 1)
        #expect(ProcessMemory.proportionalMiB(of: getpid()) > 1)
    }

    @Test func anEndedProcessHasNone() {
        #expect(ProcessMemory.peakMiB(of: .max) == 0)
        #expect(ProcessMemory.family(of: .max) == [.max])
    }

    @Test func descendantsAreFound() throws {
        let shell = try Program("/bin/sh", environment: ["PATH": "/usr/bin:/bin"]).start([
            "-c", "sleep 60 & echo ready; wait",
        ])
        #expect(String(decoding: shell.read(upTo: 100), as: UTF8.self) == "ready\n")
        #expect(ProcessMemory.family(of: shell.processIdentifier).count == 2)
        shell.closeInput()
        for process in ProcessMemory.family(of: shell.processIdentifier) { kill(process, SIGKILL) }
        #expect(shell.wait() == 128 + SIGKILL)
    }

    @Test(arguments: [
        ("VmHWM:\t   2048 kB\n", 2.0), ("Name: x\nVmHWM:\t 1024 kB\nVmRSS: 4 kB\n", 1), ("", 0), ("VmHWM:", 0),
    ])
    func readsLinesOfStatus(text: String, expected: Double) {
        #expect(ProcessMemory.mebibytes("VmHWM:", in: text) == expected)
    }
}
