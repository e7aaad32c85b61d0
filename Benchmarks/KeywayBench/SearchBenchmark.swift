import Benchmarking
import PasswordsProtocol

extension Benchmark {
    /// A search in the unlocked vault through the service's socket, that one item matches.
    static let search = Benchmark(name: "search", sizes: [1_000, 10_000, 100_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        let service = try await fixture.open()
        defer { service.close() }
        let samples = try await Timing.calls(runs: 300, warmUp: 5) { run in
            let text = SampleItems.number(fixture.items.scattered(run))
            let found = try await service.call(SearchItems.self, .init(text: text))
            guard found.total == 1 else { throw BenchmarkFailure("\(found.total) items match, not one") }
        }
        return [
            BenchmarkRow(name: "search", size: size, samples: samples, peakMiB: fixture.session.peakMiB)
        ]
    }
}
