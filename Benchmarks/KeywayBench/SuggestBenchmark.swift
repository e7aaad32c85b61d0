import AutoFillProtocol
import Benchmarking

extension Benchmark {
    /// Suggestions through the broker's socket, for a site that has one account.
    static let suggest = Benchmark(name: "suggest", sizes: [1_000, 10_000, 100_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        var row = try await suggestRow("suggest", fixture, runs: 5_000) { Page(fixture.items, $0) }
        if size >= 100_000 { row.goals = [.init("p95 < 1 ms", row.samples.percentile95 < 1)] }
        return [row]
    }

    /// Suggestions for a site that has all the accounts.
    static let suggestOneDomain = Benchmark(name: "suggest-one-domain", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size, .oneSite)
        return [try await suggestRow("suggest-one-domain", fixture, runs: 500) { Page(fixture.items, $0) }]
    }

    /// A page that asks, as the browser's host passes it on.
    struct Page {
        let address: String

        init(_ items: SampleItems, _ step: Int) {
            address = items.address(items.scattered(step))
        }

        var services: [ServiceIdentifier] { [ServiceIdentifier(address, kind: .url)] }
    }

    private static func suggestRow(
        _ name: String, _ fixture: Fixture, runs: Int, page: @escaping (Int) -> Page
    ) async throws -> BenchmarkRow {
        let service = try await fixture.open()
        defer { service.close() }
        let client = try await fixture.session.connect(as: .browser)
        defer { client.close() }
        let samples = try await Timing.calls(runs: runs, warmUp: 50) { run in
            let answer = try await client.call(Suggest.self, .init(services: page(run).services))
            guard !answer.suggestions.isEmpty else { throw BenchmarkFailure("nothing was suggested") }
        }
        return BenchmarkRow(
            name: name, size: fixture.items.count, samples: samples, peakMiB: fixture.session.peakMiB)
    }
}
