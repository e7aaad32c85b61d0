import AutoFillProtocol
import AutoFillWire
import Benchmarking
import KeywaySystem

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

    /// The same beside bundles that are never started: one that is faulty, and one whose identifier belongs to another, as
    /// where a second installation lies beside the first.
    static let suggestBesideFaulty = Benchmark(name: "suggest-beside-faulty", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.identities(size)
        try IdentityFixture.installFaulty(in: fixture.session)
        defer { IdentityFixture.removeFaulty(in: fixture.session) }
        return [try await suggestRow("suggest-beside-faulty", fixture, runs: 5_000)]
    }

    /// Suggestions for 20 clients of 1,000 that ask at a time, each again when it has its answer.
    static let suggestAtATime = Benchmark(name: "suggest-20-at-a-time", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.identities(size)
        try fixture.session.stopBroker()
        _ = try await ask(fixture.session, fixture.items, requests: 2_000)
        let requests = 50_000
        let started = MonotonicTime.now
        let times = try await ask(fixture.session, fixture.items, requests: requests)
        let seconds = MonotonicTime.now.since(started) / .seconds(1)
        var row = BenchmarkRow(
            name: "suggest-20-at-a-time", size: size, samples: times, peakMiB: fixture.session.peakMiB)
        row.requestsPerSecond = Double(requests) / seconds
        try fixture.session.stopBroker()
        return [row]
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
        var row = BenchmarkRow(
            name: name, size: fixture.items.count, samples: samples, peakMiB: fixture.session.peakMiB)
        let counts = try await fixture.session.counted(runs: 1000) { run in
            _ = try await client.call(Suggest.self, .init(services: Page(fixture.items, run).services))
        }
        client.close()
        try fixture.session.stopBroker()
        var calls = try await countedSuggestions(fixture) ?? counts
        calls.faults = counts.faults
        calls.switches = counts.switches
        calls.flushes = counts.flushes
        row.calls = calls
        return row
    }

    private static func countedSuggestions(_ fixture: IdentityFixture) async throws -> BenchmarkRow.Calls? {
        var client: Connection?
        defer { client?.close() }
        return try await CallCount.ofRequests(fixture.session, runs: 200) { run in
            if client == nil { client = try await fixture.session.connect(as: .browser) }
            _ = try await client?.call(Suggest.self, .init(services: Page(fixture.items, run).services))
        }
    }

    /// All of 1,000 clients are connected at once; some of them ask at a time, each again when it has its answer.
    static func ask(
        _ session: Session, _ items: SampleItems, requests: Int, clients count: Int = 1_000, atOnce: Int = 20
    ) async throws -> Samples {
        var clients: [Connection] = []
        for _ in 0..<count { clients.append(try await session.connect(as: .browser)) }
        defer { for client in clients { client.close() } }
        let share = clients.count / atOnce
        return try await withThrowingTaskGroup(of: [Double].self) { group in
            for number in 0..<atOnce {
                let own = Array(clients[number * share..<(number + 1) * share])
                group.addTask { try await ask(own, items, requests: requests / atOnce) }
            }
            var times: [Double] = []
            for try await part in group { times += part }
            return Samples(times)
        }
    }

    private static func ask(_ clients: [Connection], _ items: SampleItems, requests: Int) async throws -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(requests)
        for run in 0..<requests {
            let services = Page(items, run).services
            let started = MonotonicTime.now
            _ = try await clients[run % clients.count].call(Suggest.self, .init(services: services))
            times.append(MonotonicTime.now.since(started).milliseconds)
        }
        return times
    }
}
