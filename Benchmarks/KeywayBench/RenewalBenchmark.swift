import Benchmarking
import KeywaySystem

extension Benchmark {
    /// A new vault key for everything, as a new master password brings it too: from the start of
    /// `keyway passwords renew-key` until the new file has the vault's name. The vault is open, the derivation the least
    /// that there is.
    static let renewKey = Benchmark(
        name: "renew-key", sizes: [1_000, 10_000], sizesByName: [1_000, 10_000, 100_000]
    ) { size, context in
        try await context.fixtures.once(SampleItems(size)) { fixture in
            let service = try await fixture.open()
            defer { service.close() }
            let renew = { (watching: Bool) throws -> Program.Outcome in
                let outcome = try fixture.session.keyway.run(
                    ["passwords", "renew-key"], input: Array("\(SampleItems.master)\n".utf8), watching: watching)
                guard outcome.status == 0 else {
                    throw BenchmarkFailure("keyway passwords renew-key: status \(outcome.status): \(outcome.errors)")
                }
                return outcome
            }
            let samples = try Timing.programs(size >= 100_000 ? 3 : 5) { try renew(false) }
            let peak = try renew(true).peakMiB + fixture.session.peakMiB
            var row = BenchmarkRow(name: "renew-key", size: size, samples: samples, peakMiB: peak)
            if size >= 100_000 { row.goals = [.init("median < 10 s", samples.median < 10_000)] }
            return [row]
        }
    }
}
