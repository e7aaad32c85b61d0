import Foundation
import Testing

@testable import PasswordStore

@Suite("Running other programs")
struct ProgramTests {
    private func run(_ script: String, _ change: (inout ProgramRun) -> Void = { _ in }) async throws
        -> ProgramRun.Result
    {
        var run = ProgramRun(
            program: "sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin", "NAME": "x"])
        change(&run)
        return try await run.result()
    }

    @Test("each descriptor has its own way, and the environment is what was given")
    func descriptors() async throws {
        let result = try await run(
            "cat; echo status >&3; echo wrong >&2; read -r line <&4; echo \"$line$NAME$HOME\"; exit 7"
        ) {
            $0.input = SecretBuffer("input\n".utf8)
            $0.passphrase = SecretBuffer("passphrase".utf8)
        }
        #expect(result.output.text(0..<result.output.count) == "input\npassphrasex\n")
        #expect(result.statusLines == ["status"])
        #expect(result.complaint == "wrong\n")
        #expect(result.status == 7)
    }

    @Test("much goes in while much comes out")
    func much() async throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let result = try await run("cat") {
            $0.input = SecretBuffer(bytes)
            $0.outputLimit = bytes.count
        }
        #expect(result.output.withBytes { Array($0) } == bytes)
    }

    @Test("a program that reads nothing is no failure")
    func reluctant() async throws {
        let result = try await run("exec 0<&-; echo done") {
            $0.input = SecretBuffer([UInt8](repeating: 1, count: 300_000))
        }
        #expect(result.status == 0)
    }

    @Test("a program that writes without end is ended")
    func endless() async throws {
        let result = try await run("yes") { $0.outputLimit = 1000 }
        #expect(result.isTooLarge && result.output.count == 1000)
        #expect(result.status == 128 + SIGKILL)
    }

    @Test("a program that takes too long is ended")
    func slow() async throws {
        await #expect(throws: StoreError.failed("sh took too long.")) {
            try await run("exec sleep 600") { $0.limit = .milliseconds(50) }
        }
    }

    @Test("a program that is not there is named")
    func missing() async throws {
        let run = ProgramRun(program: "no-such-program", arguments: [], environment: ["PATH": "/usr/bin"])
        await #expect(throws: StoreError.missingProgram("no-such-program")) { try await run.result() }
    }

    @Test("a cancelled task ends its program")
    func cancelled() async throws {
        let task = Task { try await run("exec sleep 600") }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("no program holds a pipe of another open")
    func inheritance() async throws {
        for _ in 0..<10 {
            // `cat` ends when nobody can write to it any more.
            let slow = Task { try await run("exec sleep 600") }
            let result = try await run("cat") { $0.input = SecretBuffer("x".utf8) }
            #expect(result.output.count == 1)
            slow.cancel()
            await #expect(throws: CancellationError.self) { try await slow.value }
        }
    }
}

@Suite("What gpg says")
struct GnuPGStatusTests {
    private func keys(_ lines: String...) -> SecretKeys {
        SecretKeys(listing: SecretBuffer(lines.joined(separator: "\n").utf8))
    }

    @Test("status lines are read, and others are not")
    func status() {
        let status = GnuPGStatus([
            "[GNUPG:] ENC_TO 030A38425A5DBC1D 18 0", "gpg: ENC_TO FFFFFFFFFFFFFFFF",
            "[GNUPG:] ERROR set_pinentry_mode 1",
            "[GNUPG:] INV_RECP 10 Ada <ada@example.com>", "[GNUPG:] VALIDSIG AAAA 2026-11-21 1 0 4 0 22 10 00 BBBB", "",
        ])
        #expect(status.recipients == ["030A38425A5DBC1D"])
        #expect(!status.hasHiddenRecipients)
        #expect(status.refusedPinentryMode)
        #expect(status.invalidRecipient == "Ada <ada@example.com>")
        #expect(status.signers == ["AAAA", "BBBB"])
        #expect(!status.contains("DECRYPTION_OKAY"))
    }

    @Test("a key is on the disk, on a card, or nowhere")
    func places() {
        let listing = keys(
            "sec:u:255:22:FEFB6A0FCE39F76B:1795300792::::::scESC:::+::ed25519:::0:",
            "ssb:u:255:18:030A38425A5DBC1D:1795300792::::::e:::+::cv25519::",
            "ssb:u:255:18:AAAAAAAAAAAAAAAA:1795300792::::::e:::D2760001240102010006000000000000::cv25519::",
            "ssb:u:255:18:BBBBBBBBBBBBBBBB:1795300792::::::e:::#::cv25519::",
            "pub:u:255:18:CCCCCCCCCCCCCCCC:1::::::e:::+:::")
        #expect(listing.isAnyOnDisk(["030A38425A5DBC1D"]))
        #expect(listing.isAnyOnCard(["AAAAAAAAAAAAAAAA"]))
        #expect(!listing.isAnyOnDisk(["AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB", "CCCCCCCCCCCCCCCC"]))
        #expect(!listing.isAnyOnCard(["030A38425A5DBC1D", "BBBBBBBBBBBBBBBB"]))
        #expect(listing.isAnyOnDisk(["0000000000000000"]), "a hidden recipient may be anybody")
    }
}
