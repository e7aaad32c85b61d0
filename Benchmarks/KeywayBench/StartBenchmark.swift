import Benchmarking

extension Benchmark {
    /// `keyway --version`: what every call of the command line pays before it does anything.
    static let start = Benchmark(name: "start", sizes: [0]) { _, context in
        let session = try Session(stage: context.stage)
        defer { session.close() }
        let samples = try Timing.programs(100) { try session.keyway.run(["--version"]) }
        // It ends so soon that one look each millisecond may come early or late.
        let peaks = try (0..<50).map { _ in try session.keyway.run(["--version"], watching: true).peakMiB }
        var row = BenchmarkRow(name: "start", samples: samples, peakMiB: peaks.max())
        row.goals = [.init("median < 10 ms", samples.median < 10)]
        return [row]
    }
}
