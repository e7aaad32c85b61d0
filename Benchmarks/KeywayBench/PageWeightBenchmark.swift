import Benchmarking
import FoundationEssentials
import KeywaySystem

extension Benchmark {
    /// What the extension costs a page, in both browsers: `Benchmarks/page-weight` drives them. The times are those of the
    /// menu, from the focus on a login field.
    static let pageWeight = Benchmark(name: "page-weight", sizes: [0]) { _, context in
        let variables = ["PATH", "HOME", "LANG", "TMPDIR"].compactMap { name in
            ProcessEnvironment.current[name].map { (name, $0) }
        }
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let script = Program("/\(folder)/page-weight", environment: Dictionary(uniqueKeysWithValues: variables))
        let outcome = try script.run([context.stage])
        guard outcome.status == 0 else {
            throw BenchmarkFailure("Benchmarks/page-weight ended with \(outcome.status): \(outcome.errors.suffix(500))")
        }
        return try outcome.output.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(PageWeight.self, from: Data(line)).row
        }
    }
}

/// One line of `Benchmarks/page-weight`.
private struct PageWeight: Decodable {
    let browser: String
    let menu: [Double]
    let plainGap: Double
    let formGap: Double
    let emptyPlainGap: Double
    let emptyFormGap: Double
    /// Nil for a browser that does not tell.
    let plainScript: Double?
    let emptyPlainScript: Double?
    let plainQuestions: Int

    enum CodingKeys: String, CodingKey {
        case browser
        case menu = "menu_ms"
        case plainGap = "plain_gap_ms"
        case formGap = "form_gap_ms"
        case emptyPlainGap = "empty_plain_gap_ms"
        case emptyFormGap = "empty_form_gap_ms"
        case plainScript = "plain_script_ms"
        case emptyPlainScript = "empty_plain_script_ms"
        case plainQuestions = "plain_questions"
    }

    /// The longest task that a page may have, in milliseconds, and how much the scripts of a minute may differ by themselves.
    private static let (longestTask, noise) = (50.0, 50.0)

    var row: BenchmarkRow {
        let samples = Samples(menu)
        var row = BenchmarkRow(name: "page-weight-\(browser)", samples: samples, peakMiB: nil)
        row.goals = [
            .init("menu < 30 ms", samples.median < 30),
            .init(
                "tasks < 50 ms (empty: \(emptyPlainGap), \(emptyFormGap))", max(plainGap, formGap) < Self.longestTask),
            .init("nothing asked without fields", plainQuestions == 0),
        ]
        if let plainScript, let emptyPlainScript {
            row.goals.append(
                .init(
                    "no scripts without fields (\(plainScript) ms, empty \(emptyPlainScript))",
                    plainScript - emptyPlainScript < Self.noise))
        }
        return row
    }
}
