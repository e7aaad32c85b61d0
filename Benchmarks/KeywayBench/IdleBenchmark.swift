import AutoFillProtocol
import Benchmarking

extension Benchmark {
    /// What broker, vault and browser host keep in memory when nobody asks anything; then the same after a million
    /// requests of a thousand clients.
    static let idle = Benchmark(name: "idle", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        // From a fresh start, and alone: the rows before this one have left their marks, and processes of another
        // fixture would bear a part of the pages that all of them share.
        try await context.fixtures.stop()
        let service = try await fixture.open()
        defer { service.close() }
        let host = try fixture.session.browserHost.start([BrowserExtension.chromiumOrigin])
        let process = host.processIdentifier
        defer { host.end() }
        try converse(host, fixture.items)
        try await Task.sleep(for: .seconds(5))
        let before = memory(fixture.session, host: process)
        let times = try await ask(fixture, requests: 1_000_000, clients: 1_000)
        try await Task.sleep(for: .seconds(5))
        let after = memory(fixture.session, host: process)
        var fresh = BenchmarkRow(name: "idle", size: size, samples: Samples(), peakMiB: before)
        fresh.goals = [.init("< 60 MiB", before < 60)]
        var used = BenchmarkRow(name: "idle-after-million", size: size, samples: times, peakMiB: after)
        used.goals = [.init("<= 1.2 times idle", after <= before * 1.2)]
        return [fresh, used]
    }

    /// Proportional set sizes, of this moment: the derivation's buffer is gone by now.
    private static func memory(_ session: Session, host: Int32) -> Double {
        (session.processes + [host]).reduce(0) { $0 + ProcessMemory.proportionalMiB(of: $1) }
    }

    /// Greets the host and asks it once, as a browser does.
    private static func converse(_ host: RunningProgram, _ items: SampleItems) throws {
        let messages = [
            #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":{"major":1,"minor":0},"#
                + #""version":"0.1.0","browser":"Chromium","profile":"benchmark-of-keyway"}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"suggest","params":{"url":"\#(items.address(0))","private":false}}"#,
        ]
        for message in messages {
            host.write(FrameWriter.frame(Array(message.utf8)))
            guard host.read(upTo: 4).count == 4 else { throw BenchmarkFailure("the browser host does not answer") }
            let answer = String(decoding: host.read(upTo: 1 << 16), as: UTF8.self)
            guard answer.contains("result") else { throw BenchmarkFailure("the browser host answers: \(answer)") }
        }
    }

    /// All clients are connected at once; some of them ask at a time, each again when it has its answer.
    private static func ask(_ fixture: Fixture, requests: Int, clients count: Int) async throws -> Samples {
        var clients: [Connection] = []
        for _ in 0..<count { clients.append(try await fixture.session.connect(as: .browser)) }
        defer { for client in clients { client.close() } }
        let atOnce = 20
        let share = clients.count / atOnce
        let items = fixture.items
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
