import Benchmarking

/// One benchmark: measures a row for each size.
struct Benchmark: Sendable {
    /// What a benchmark may use.
    struct Context: Sendable {
        let stage: String
        let fixtures: Fixtures
    }

    /// The name on the command line and in the row.
    let name: String
    /// The sizes without `--sizes`; `[0]` where it has none.
    let sizes: [Int]
    /// The sizes where it is asked for by name; nil for the same. What takes minutes is not in the run of everything.
    var sizesByName: [Int]?
    /// Measures one row, or several that belong together.
    let measure: @Sendable (_ size: Int, _ context: Context) async throws -> [BenchmarkRow]

    /// All of them; those that add items to a vault come after those that only read it.
    static let all: [Benchmark] = [
        .start, .suggest, .suggestBesideFaulty, .suggestAtATime, .suggestOneDomain, .suggestTwoProviders,
        .identityReplace, .identitySave, .firstFill, .fillCold, .fillWarm, .unlockShow, .unlockShowDefault, .search,
        .addDurable, .passkeyGet, .passkeyCreate,
        .renewKey, .importXML, .importCSV, .importCXF, .databaseOpen, .idle, .sheetOpen,
    ]
    /// Those that are measured only by name: they need browsers, and minutes.
    static let byName: [Benchmark] = [.pageWeight]
}
