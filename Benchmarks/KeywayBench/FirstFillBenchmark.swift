import AutoFillProtocol
import Benchmarking
import KeywaySystem

extension Benchmark {
    /// What a person waits for at the first login field after they logged in: the browser starts its host, the host starts
    /// the broker, and the broker suggests the account. The vault is closed, and files were read before.
    static let firstFill = Benchmark(name: "first-fill", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        // The store of the identities is filled once, as in the session before.
        try await fixture.open().close()
        var times: [Double] = []
        var peak: Double?
        for run in 0...20 {
            try fixture.session.stopBroker()
            let page = Page(fixture.items, run)
            let started = MonotonicTime.now
            let browser = try BrowserConversation(fixture.session)
            defer { browser.close() }
            let answer = try browser.ask("suggest", #"{"url":"\#(page.address)","private":false}"#)
            let time = MonotonicTime.now.since(started).milliseconds
            guard answer.contains(#""user":""#) else { throw BenchmarkFailure("nothing was suggested: \(answer)") }
            if run > 0 { times.append(time) }
            peak = fixture.session.peakMiB
        }
        var row = BenchmarkRow(name: "first-fill", size: size, samples: Samples(times), peakMiB: peak)
        row.goals = [.init("median < 100 ms", row.samples.median < 100)]
        return [row]
    }
}
