import Benchmarking
import Glibc
import KeywaySystem

/// `keyway-bench`: reads its arguments, measures, prints.
enum CommandLineProgram {
    static let usage = """
        Usage: keyway-bench [NAME…] [--sizes N,N,…] [--json] [--stage DIR]

        Measures the staged programs (Tools/stage DIR --configuration release). Without a name it measures everything:
        \(Benchmark.all.map(\.name).joined(separator: ", ")).
        By name alone: \(Benchmark.byName.map(\.name).joined(separator: ", ")).

          --sizes N,N,…  these sizes instead of the benchmark's own (some have a larger one where they are named)
          --json         one JSON object a row, as each is measured; otherwise a table
          --stage DIR    the staged tree; .build/stage-release without it

        Times are in milliseconds, memory in MiB. peak_mib is the sum of the most resident memory (VmHWM) that each of
        our processes had at any time; in the rows `idle…` it is their proportional set size (PSS) of the moment.
        """

    /// What was asked for.
    struct Options {
        var names: [String] = []
        var sizes: [Int]?
        var isJSON = false
        var stage = ".build/stage-release"

        init(_ arguments: [String]) throws(UsageError) {
            var rest = arguments[...]
            while let argument = rest.popFirst() {
                switch argument {
                case "--json": isJSON = true
                case "--stage": stage = try Self.value(of: argument, &rest)
                case "--sizes":
                    let list = try Self.value(of: argument, &rest).split(separator: ",").map { Int($0) ?? 0 }
                    guard !list.isEmpty, list.allSatisfy({ $0 > 0 }) else {
                        throw UsageError("--sizes takes whole numbers from 1")
                    }
                    sizes = list
                default:
                    guard (Benchmark.all + Benchmark.byName).contains(where: { $0.name == argument }) else {
                        throw UsageError("there is no benchmark `\(argument)`")
                    }
                    names.append(argument)
                }
            }
        }

        private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
            guard let value = rest.popFirst() else { throw UsageError("\(option) takes a value") }
            return value
        }
    }

    struct UsageError: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    static func run(_ arguments: [String]) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(usage)
            return 0
        }
        do {
            return await measure(try Options(arguments))
        } catch {
            complain("\(error.message); see --help")
            return 64
        }
    }

    /// 0 when everything was measured, whether the goals are met or not; 1 when a row could not be.
    private static func measure(_ options: Options) async -> Int32 {
        let stage = options.stage.hasPrefix("/") ? options.stage : currentFolder() + "/" + options.stage
        guard access("\(stage)/bin/keyway", X_OK) == 0 else {
            complain("nothing is staged in \(stage): run Benchmarks/run, or Tools/stage DIR --configuration release")
            return 1
        }
        let context = Benchmark.Context(stage: stage, fixtures: Fixtures(stage: stage))
        let interruption = Interruption.handle { await context.fixtures.close() }
        defer { withExtendedLifetime(interruption) {} }
        let surroundings = Surroundings(folder: stage)
        show(options.isJSON ? surroundings.json : surroundings.text)
        let begun = await Moment(context)
        var table = TextTable()
        var failures: Int32 = 0
        let wanted = (Benchmark.all + Benchmark.byName).filter { options.names.contains($0.name) }
        for benchmark in options.names.isEmpty ? Benchmark.all : wanted {
            let usual = options.names.isEmpty ? benchmark.sizes : benchmark.sizesByName ?? benchmark.sizes
            for size in benchmark.sizes == [0] ? [0] : options.sizes ?? usual {
                do {
                    let before = await Moment(context)
                    var rows = try await benchmark.measure(size, context)
                    // Rows that were measured together took it together.
                    if !rows.isEmpty { rows[0].effort = await Moment(context).effort(since: before) }
                    for row in rows {
                        if options.isJSON { show(row.json) }
                        table.append(row)
                    }
                } catch {
                    complain("\(benchmark.name) \(size): \(error)")
                    failures = 1
                }
            }
        }
        let whole = await Moment(context).effort(since: begun)
        await context.fixtures.close()
        if !options.isJSON { show(table.text) }
        show(summary(whole, isJSON: options.isJSON))
        return failures
    }

    /// A point of time of the whole run.
    private struct Moment {
        let time = MonotonicTime.now
        let cpuSeconds: Double

        init(_ context: Benchmark.Context) async {
            cpuSeconds = ProcessorTime.own + (await context.fixtures.cpuSeconds)
        }

        func effort(since start: Moment) -> BenchmarkRow.Effort {
            .init(wallSeconds: time.since(start.time) / .seconds(1), cpuSeconds: cpuSeconds - start.cpuSeconds)
        }
    }

    private static func summary(_ effort: BenchmarkRow.Effort, isJSON: Bool) -> String {
        let (wall, cpu) = (effort.wallSeconds.rounded(), effort.cpuSeconds.rounded())
        let load = Surroundings.load()
        guard isJSON else { return "in \(wall) s, \(cpu) s of them worked; load now \(load)" }
        return #"{"total":{"wall_s":\#(wall),"cpu_s":\#(cpu),"load":\#(load)}}"#
    }

    /// Prints at once, so that a reader of a pipe sees each row as it is measured.
    private static func show(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static func currentFolder() -> String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}
