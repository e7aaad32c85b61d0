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
        let browser = try BrowserConversation(fixture.session)
        defer { browser.close() }
        _ = try browser.ask("suggest", #"{"url":"\#(fixture.items.address(0))","private":false}"#)
        try await Task.sleep(for: .seconds(5))
        let before = memory(fixture.session, host: browser.processIdentifier)
        let times = try await ask(fixture.session, fixture.items, requests: 1_000_000)
        try await Task.sleep(for: .seconds(5))
        let after = memory(fixture.session, host: browser.processIdentifier)
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
}
