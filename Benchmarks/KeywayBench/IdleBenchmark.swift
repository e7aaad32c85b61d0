import AutoFillProtocol
import AutoFillWire
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
        let times = try await ask(fixture.session, fixture.items, requests: 1_000_000)
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
}
