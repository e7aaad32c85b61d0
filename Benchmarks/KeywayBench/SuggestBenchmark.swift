import AutoFillProtocol
import Benchmarking

extension Benchmark {
    /// Suggestions through the broker's socket, for a site that has one account.
    static let suggest = Benchmark(name: "suggest", sizes: storeSizes) { size, context in
        let fixture = try await context.fixtures.identities(size)
        var row = try await suggestRow("suggest", fixture, runs: 5_000)
        row.goals =
            (size >= 100_000 ? [.init("p95 < 1 ms", row.samples.percentile95 < 1)] : [])
            + (await context.fixtures.memory(of: row))
        return [row]
    }

    /// Suggestions for a site that has all the accounts.
    static let suggestOneDomain = Benchmark(
        name: "suggest-one-domain", sizes: [10_000, 100_000, 1_000_000]
    ) { size, context in
        let fixture = try await context.fixtures.identities(size, .oneSite)
        var row = try await suggestRow("suggest-one-domain", fixture, runs: 500)
        row.goals = await context.fixtures.memory(of: row)
        return [row]
    }

    /// A page that asks, as the browser's host passes it on.
    struct Page {
        let address: String

        init(_ items: SampleItems, _ step: Int) {
            address = items.address(items.scattered(step))
        }

        var services: [ServiceIdentifier] { [ServiceIdentifier(address, kind: .url)] }
    }

    /// From a fresh start of the broker, so that its memory is that of suggesting alone.
    private static func suggestRow(
        _ name: String, _ fixture: IdentityFixture, runs: Int
    ) async throws -> BenchmarkRow {
        try fixture.session.stopBroker()
        let client = try await fixture.session.connect(as: .browser)
        defer { client.close() }
        let samples = try await Timing.calls(runs: runs, warmUp: 50) { run in
            let services = Page(fixture.items, run).services
            let answer = try await client.call(Suggest.self, .init(services: services))
            guard !answer.suggestions.isEmpty else { throw BenchmarkFailure("nothing was suggested") }
        }
        let row = BenchmarkRow(
            name: name, size: fixture.items.count, samples: samples, peakMiB: fixture.session.peakMiB)
        try fixture.session.stopBroker()
        return row
    }
}
