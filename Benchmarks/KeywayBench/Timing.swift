import Benchmarking
import KeywaySystem

/// Runs work some times and keeps how long each run took.
enum Timing {
    /// Times `body`, after `warmUp` runs that do not count.
    static func calls(runs: Int, warmUp: Int = 1, _ body: @escaping (_ run: Int) async throws -> Void) async throws
        -> Samples
    {
        try await prepared(runs: runs, warmUp: warmUp) { run in { try await body(run) } }
    }

    /// Times what `prepare` returns, not the preparation.
    static func prepared(
        runs: Int, warmUp: Int = 1, _ prepare: (_ run: Int) async throws -> () async throws -> Void
    ) async throws -> Samples {
        var times: [Double] = []
        times.reserveCapacity(runs)
        for run in 0..<runs + warmUp {
            let work = try await prepare(run)
            let started = MonotonicTime.now
            try await work()
            let time = MonotonicTime.now.since(started).milliseconds
            if run >= warmUp { times.append(time) }
        }
        return Samples(times)
    }

    /// The times of programs, from their start to their end, after one run that does not count.
    static func programs(_ runs: Int, _ run: () throws -> Program.Outcome) throws -> Samples {
        var times: [Double] = []
        for number in 0...runs {
            let outcome = try run()
            guard outcome.status == 0 else {
                throw BenchmarkFailure("a run ended with status \(outcome.status): \(outcome.errors)")
            }
            if number > 0 { times.append(outcome.duration.milliseconds) }
        }
        return Samples(times)
    }
}
