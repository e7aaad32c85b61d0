import AutoFillProtocol
import Benchmarking
import KeywayCrypto

extension Benchmark {
    /// One secret on standard output, the master password on standard input, and nothing running before: beside
    /// KeePassXC's command line, whose derivation is set to the time that ours takes.
    static let unlockShow = Benchmark(name: "unlock-show", sizes: [1_000, 10_000, 100_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        let derivation = try derivationTime()
        var row = try ourUnlockShow(fixture)
        row.derivationMiB = Int(PasswordDerivation.floor.memoryMiB)
        if let peer = KeePassXC(session: fixture.session) {
            let times = try peer.show(fixture.items, derivation: derivation, runs: size >= 100_000 ? 3 : 7)
            row.peer = times
            row.goals = goals(row, times)
        }
        return [row]
    }

    /// How long one derivation at the floor takes on this machine.
    private static func derivationTime() throws -> Duration {
        let master = SecretBytes(copyingUTF8Of: SampleItems.master)
        var times: [Duration] = []
        for _ in 0..<5 {
            let started = MonotonicTime.now
            _ = try PasswordDerivation.floor.derive(
                from: master, salt: [UInt8](repeating: 7, count: PasswordDerivation.saltCount))
            times.append(MonotonicTime.now.since(started))
        }
        return times.sorted()[2]
    }

    private static func ourUnlockShow(_ fixture: Fixture) throws -> BenchmarkRow {
        let session = fixture.session
        let arguments = { (run: Int) in
            ["passwords", "show", fixture.items.title(fixture.items.scattered(run)), "--field", "password"]
        }
        let input = Array("\(SampleItems.master)\n".utf8)
        var times: [Double] = []
        for run in 0...7 {
            try session.stopBroker()
            let outcome = try session.keyway.run(arguments(run), input: input, showErrors: true)
            try check(outcome, fixture.items, run)
            if run > 0 { times.append(outcome.duration.milliseconds) }
        }
        try session.stopBroker()
        let watched = try session.keyway.run(arguments(0), input: input, watching: true)
        try check(watched, fixture.items, 0)
        let peak = watched.peakMiB + session.peakMiB
        try session.stopBroker()
        return BenchmarkRow(name: "unlock-show", size: fixture.items.count, samples: Samples(times), peakMiB: peak)
    }

    private static func check(_ outcome: Program.Outcome, _ items: SampleItems, _ run: Int) throws {
        let said = String(decoding: outcome.output, as: UTF8.self)
        guard outcome.status == 0, said.contains(items.password(items.scattered(run))) else {
            throw BenchmarkFailure("keyway passwords show: status \(outcome.status), or another password")
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
