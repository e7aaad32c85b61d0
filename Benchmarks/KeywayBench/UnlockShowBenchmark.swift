import Benchmarking
import KeywayCrypto
import KeywaySystem

extension Benchmark {
    /// One secret on standard output, the master password on standard input, and nothing running before: beside
    /// KeePassXC's command line, whose derivation is set to the time that ours takes.
    static let unlockShow = Benchmark(name: "unlock-show", sizes: [1_000, 10_000, 100_000]) { size, context in
        [try await unlockShowRow("unlock-show", size, .floor, context)]
    }

    /// The same with the derivation that new vaults get.
    static let unlockShowDefault = Benchmark(name: "unlock-show-default", sizes: [1_000]) { size, context in
        [try await unlockShowRow("unlock-show-default", size, .standard, context)]
    }

    private static func unlockShowRow(
        _ name: String, _ size: Int, _ cost: PasswordDerivation, _ context: Context
    ) async throws -> BenchmarkRow {
        let fixture = try await context.fixtures.fixture(size, derivation: cost)
        let derivation = try derivationTime(cost)
        var row = try ourUnlockShow(name, fixture)
        row.derivationMiB = Int(cost.memoryMiB)
        row.derivationTime = derivation.milliseconds
        if let peer = KeePassXC(session: fixture.session) {
            let times = try peer.show(fixture.items, derivation: derivation, runs: size >= 100_000 ? 3 : 7)
            row.peer = times
            row.goals = goals(row, times)
        }
        return row
    }

    /// How long one derivation takes on this machine.
    private static func derivationTime(_ cost: PasswordDerivation) throws -> Duration {
        let master = SecretBytes(copyingUTF8Of: SampleItems.master)
        var times: [Duration] = []
        for _ in 0..<5 {
            let started = MonotonicTime.now
            _ = try cost.derive(
                from: master, salt: [UInt8](repeating: 7, count: PasswordDerivation.saltCount))
            times.append(MonotonicTime.now.since(started))
        }
        return times.sorted()[2]
    }

    /// Two programs, as a script would run them: one takes the master password, the other shows the secret.
    private static func ourUnlockShow(_ name: String, _ fixture: Fixture) throws -> BenchmarkRow {
        let session = fixture.session
        var times: [Double] = []
        for run in 0...7 {
            try session.stopBroker()
            let duration = try unlockAndShow(fixture, run, watching: false).duration
            if run > 0 { times.append(duration.milliseconds) }
        }
        try session.stopBroker()
        let peak = try unlockAndShow(fixture, 0, watching: true).peakMiB + session.peakMiB
        try session.stopBroker()
        return BenchmarkRow(name: name, size: fixture.items.count, samples: Samples(times), peakMiB: peak)
    }

    /// What is typed: the master password for the first, nothing for the second.
    private static func commands(_ fixture: Fixture, _ run: Int) -> [(arguments: [String], input: [UInt8])] {
        let title = fixture.items.title(fixture.items.scattered(run))
        return [
            (["passwords", "unlock"], Array("\(SampleItems.master)\n".utf8)),
            (["passwords", "show", title, "--field", "password"], []),
        ]
    }

    private static func unlockAndShow(
        _ fixture: Fixture, _ run: Int, watching: Bool
    ) throws -> (duration: Duration, peakMiB: Double) {
        let keyway = fixture.session.keyway
        let commands = commands(fixture, run)
        let started = MonotonicTime.now
        let unlocked = try keyway.run(commands[0].arguments, input: commands[0].input, watching: watching)
        guard unlocked.status == 0 else {
            throw BenchmarkFailure("keyway passwords unlock: status \(unlocked.status): \(unlocked.errors)")
        }
        let shown = try keyway.run(commands[1].arguments, watching: watching)
        let duration = MonotonicTime.now.since(started)
        try check(shown, fixture.items, run)
        // One after the other: the larger of the two, beside the processes that stay.
        return (duration, max(unlocked.peakMiB, shown.peakMiB))
    }

    private static func check(_ outcome: Program.Outcome, _ items: SampleItems, _ run: Int) throws {
        let said = String(decoding: outcome.output, as: UTF8.self)
        guard outcome.status == 0, said.contains(items.password(items.scattered(run))) else {
            throw BenchmarkFailure(
                "keyway passwords show: status \(outcome.status), or another password: \(outcome.errors)")
        }
    }

    private static func goals(_ row: BenchmarkRow, _ peer: BenchmarkRow.Peer) -> [BenchmarkRow.Goal] {
        let factor: Double = row.size >= 100_000 ? 10 : row.size >= 10_000 ? 3 : 1
        let text = factor == 1 ? "no slower than the peer" : "\(Int(factor)) times as fast"
        var goals = [BenchmarkRow.Goal(text, row.samples.median * factor <= peer.median)]
        if row.size >= 100_000, let ours = row.peakMiB, let theirs = peer.peakMiB {
            goals.append(.init("memory less derivation <= half", ours - Double(row.derivationMiB ?? 0) <= theirs / 2))
        }
        return goals
    }
}
