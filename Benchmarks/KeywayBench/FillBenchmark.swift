import AutoFillProtocol
import AutoFillWire
import Benchmarking
import Glibc
import KeywaySystem

extension Benchmark {
    /// A fill whose extension must be started first.
    static let fillCold = Benchmark(name: "fill-cold", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        var row = try await fillRow("fill-cold", fixture, runs: 40) { try await endExtension(fixture.session) }
        row.goals = [.init("median < 30 ms", row.samples.median < 30)]
        return [row]
    }

    /// A fill whose extension runs already.
    static let fillWarm = Benchmark(name: "fill-warm", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        var row = try await fillRow("fill-warm", fixture, runs: 500, countsRequests: true) {}
        row.goals = [.init("median < 3 ms", row.samples.median < 3)]
        return [row]
    }

    /// From the client's first byte to the last byte of the answer; the password is read out of its memory file too.
    private static func fillRow(
        _ name: String, _ fixture: Fixture, runs: Int, countsRequests: Bool = false,
        before prepare: () async throws -> Void
    ) async throws -> BenchmarkRow {
        let service = try await fixture.open()
        defer { service.close() }
        let client = try await fixture.session.connect(as: .browser)
        defer { client.close() }
        func fill(_ run: Int) async throws -> Double {
            try await prepare()
            let index = fixture.items.scattered(run)
            let services = Page(fixture.items, run).services
            let offered = try await client.call(Suggest.self, .init(services: services)).suggestions
            guard let handle = offered.first?.handle else { throw BenchmarkFailure("nothing was suggested") }
            let started = MonotonicTime.now
            let filled = try await client.call(
                Fill.self, .init(target: .suggestion(handle: handle), services: services, presents: false))
            guard case .password(_, let password) = filled.credential else {
                throw BenchmarkFailure("no password was delivered")
            }
            let isRight = try password.sealedMemory().withUnsafeBytes {
                $0.elementsEqual(fixture.items.password(index).utf8)
            }
            let time = MonotonicTime.now.since(started).milliseconds
            guard isRight else { throw BenchmarkFailure("the password is another one") }
            return time
        }
        var times: [Double] = []
        for run in 0...runs {
            let time = try await fill(run)
            if run > 0 { times.append(time) }
        }
        var row = BenchmarkRow(
            name: name, size: fixture.items.count, samples: Samples(times), peakMiB: fixture.session.peakMiB)
        // With the question for suggestions that each fill begins with.
        if countsRequests { row.calls = try await fixture.session.counted(runs: 200) { _ = try await fill($0) } }
        return row
    }

    /// Ends the provider's extension and waits until the broker has noticed.
    private static func endExtension(_ session: Session) async throws {
        let broker = try await session.connect(as: .terminal)
        defer { broker.close() }
        let started = MonotonicTime.now
        while MonotonicTime.now.since(started) < .seconds(10) {
            let running = try await broker.call(BrokerStatus.self, Nothing()).running
            let extensions = running.filter { $0.role == .providerExtension }
            if extensions.isEmpty { return }
            for process in extensions { kill(process.processIdentifier, SIGKILL) }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw BenchmarkFailure("the extension does not end")
    }
}
