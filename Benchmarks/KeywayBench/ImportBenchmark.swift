import AutoFillWire
import Benchmarking
import Glibc
import KeywaySystem
import PasswordsProtocol

extension Benchmark {
    /// An export of KeePass as XML, from the start of `keyway import` until all of it is durable in an empty vault that is
    /// open; beside KeePassXC's command line, which makes a database of the same file.
    static let importXML = importing("import-xml", .xml)

    /// The same entries as Chrome writes them.
    static let importCSV = importing("import-csv", .csv)

    /// The same entries as a document of CXF 1.0.
    static let importCXF = importing("import-cxf", .cxf)

    private static func importing(_ name: String, _ form: ExportFile.Form) -> Benchmark {
        Benchmark(name: name, sizes: [1_000, 10_000], sizesByName: [1_000, 10_000, 100_000]) { size, context in
            let export = ExportFile(SampleItems(size), form)
            let runs = size >= 100_000 ? 1 : size >= 10_000 ? 3 : 5
            var times: [Double] = []
            for _ in 0..<runs { times.append(try await run(export, context).milliseconds) }
            let peak = try await peakMiB(export, context)
            var row = BenchmarkRow(name: name, size: size, samples: Samples(times), peakMiB: peak)
            if form == .xml {
                row.peer = try await peer(export, runs: size >= 100_000 ? 1 : 3, context)
                if let peer = row.peer, size >= 100_000 {
                    row.goals.append(.init("5 times as fast", row.samples.median * 5 <= peer.median))
                }
            }
            row.goals += await context.fixtures.pace(of: row, beside: importXML.name)
            if size >= 100_000 { row.goals.append(.init("memory < 200 MiB", peak < 200)) }
            return [row]
        }
    }

    /// One import, with nothing before it in the vault.
    private static func run(_ export: ExportFile, _ context: Context) async throws -> Duration {
        try await context.fixtures.once(SampleItems(0)) { fixture in
            try await take(export, into: fixture, watching: false).duration
        }
    }

    /// The same in a run that is not timed: the most of each process.
    private static func peakMiB(_ export: ExportFile, _ context: Context) async throws -> Double {
        try await context.fixtures.once(SampleItems(0)) { fixture in
            let outcome = try await take(export, into: fixture, watching: true)
            return outcome.peakMiB + fixture.session.peakMiB
        }
    }

    private static func take(
        _ export: ExportFile, into fixture: Fixture, watching: Bool
    ) async throws -> Program.Outcome {
        let path = try export.write(into: fixture.session.folder)
        let service = try await fixture.open()
        defer { service.close() }
        let outcome = try fixture.session.keyway.run(["import", path, "--yes"], watching: watching)
        let held = try await service.call(VaultStatus.self, Nothing()).items
        guard outcome.status == 0, held == export.items.count else {
            throw BenchmarkFailure(
                "keyway import: status \(outcome.status), \(held ?? 0) items are there: \(outcome.errors)")
        }
        return outcome
    }

    private static func peer(_ export: ExportFile, runs: Int, _ context: Context) async throws -> BenchmarkRow.Peer? {
        try await context.fixtures.once(SampleItems(0)) { fixture in
            try KeePassXC(session: fixture.session)?.make(of: export.items, runs: runs)
        }
    }
}

extension Benchmark {
    /// A database of KeePassXC, from the start of `keyway import --preview` until all that is in it was read; beside
    /// KeePassXC's command line, which shows one password of the same file.
    static let databaseOpen = Benchmark(
        name: "kdbx-open", sizes: [1_000, 10_000], sizesByName: [1_000, 10_000, 100_000]
    ) { size, context in
        try await context.fixtures.once(SampleItems(0)) { fixture in
            guard let peer = KeePassXC(session: fixture.session) else { return [] }
            let (items, runs) = (SampleItems(size), size >= 100_000 ? 1 : 3)
            let database = try peer.makeDatabase(items, derivation: .milliseconds(100))
            let read = { (watching: Bool) throws -> Program.Outcome in
                let outcome = try fixture.session.keyway.run(
                    ["import", database, "--preview"], input: Array("\(SampleItems.master)\n".utf8),
                    watching: watching)
                guard outcome.status == 0, String(decoding: outcome.output, as: UTF8.self).contains("\(size) entries")
                else { throw BenchmarkFailure("keyway import: status \(outcome.status): \(outcome.errors)") }
                return outcome
            }
            let samples = try Timing.programs(runs) { try read(false) }
            var row = BenchmarkRow(name: "kdbx-open", size: size, samples: samples, peakMiB: try read(true).peakMiB)
            let times = try peer.show(items, in: database, runs: runs)
            row.peer = times
            row.goals = [.init("no slower than the peer", samples.median <= times.median)]
            return [row]
        }
    }
}
