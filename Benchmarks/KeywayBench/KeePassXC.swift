import Benchmarking
import Glibc
import KeywaySystem

/// KeePassXC's command line, with a KDBX 4 file that holds the sample items.
struct KeePassXC {
    private let program: Program
    private let name: String
    private let folder: String

    /// The installed one; nil, and said so, where there is none.
    init?(session: Session) {
        let path = "/usr/bin/keepassxc-cli"
        program = Program(path, environment: session.environment)
        folder = session.folder
        guard access(path, X_OK) == 0, let version = try? program.run(["--version"]).output else {
            complain("keepassxc-cli is not installed: the peer's figures are null")
            return nil
        }
        name = "keepassxc-cli " + String(decoding: version, as: UTF8.self).split(separator: "\n").joined()
    }

    /// Opens the file and shows one password, from nothing, some times.
    func show(_ items: SampleItems, derivation: Duration, runs: Int) throws -> BenchmarkRow.Peer {
        try show(items, in: try makeDatabase(items, derivation: derivation), runs: runs)
    }

    /// The same with a file that is there.
    func show(_ items: SampleItems, in database: String, runs: Int) throws -> BenchmarkRow.Peer {
        let input = Array("\(SampleItems.master)\n".utf8)
        let arguments = { (run: Int) in
            ["show", "-q", "-s", "-a", "Password", database, items.title(items.scattered(run))]
        }
        var times: [Double] = []
        for run in 0...runs {
            let outcome = try program.run(arguments(run), input: input)
            let said = String(decoding: outcome.output, as: UTF8.self)
            guard outcome.status == 0, said.contains(items.password(items.scattered(run))) else {
                throw BenchmarkFailure("keepassxc-cli show: status \(outcome.status)")
            }
            if run > 0 { times.append(outcome.duration.milliseconds) }
        }
        let watched = try program.run(arguments(0), input: input, watching: true)
        return .init(name: name, median: Samples(times).median, peakMiB: watched.peakMiB)
    }

    /// Makes a file of the items, some times; its derivation takes the least time that it can.
    func make(of items: SampleItems, runs: Int) throws -> BenchmarkRow.Peer {
        let xml = try writeXML(items)
        let times = try (0..<runs).map { _ in try makeDatabase(of: xml, 100, watching: false).duration.milliseconds }
        let watched = try makeDatabase(of: xml, 100, watching: true)
        return .init(name: name, median: Samples(times).median, peakMiB: watched.peakMiB)
    }

    /// The program sets its own rounds for the time that it is told; it takes no less than 100 ms.
    func makeDatabase(_ items: SampleItems, derivation: Duration) throws -> String {
        let time = max(100, Int(derivation.milliseconds.rounded()))
        _ = try makeDatabase(of: try writeXML(items), time, watching: false)
        return database
    }

    private var database: String { "\(folder)/items.kdbx" }

    private func makeDatabase(of xml: String, _ time: Int, watching: Bool) throws -> Program.Outcome {
        unlink(database)
        let password = Array("\(SampleItems.master)\n\(SampleItems.master)\n".utf8)
        let outcome = try program.run(
            ["import", "-q", "-p", "-t", "\(time)", xml, database], input: password, watching: watching)
        guard outcome.status == 0 else { throw BenchmarkFailure("keepassxc-cli import: status \(outcome.status)") }
        return outcome
    }

    private func writeXML(_ items: SampleItems) throws -> String {
        let path = "\(folder)/items.xml"
        guard let file = fopen(path, "w") else { throw ProtocolError.system("fopen", errno) }
        defer { fclose(file) }
        Self.write(items, to: file)
        return path
    }

    /// Writes the items as KeePass does.
    static func write(_ items: SampleItems, to file: UnsafeMutablePointer<FILE>) {
        fputs(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><KeePassFile><Meta><Generator>keyway-bench</Generator></Meta>"
                + "<Root><Group><UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID><Name>Root</Name>\n", file)
        for index in 0..<items.count {
            let fields = [
                ("Title", "", items.title(index)), ("UserName", "", items.user(index)),
                ("Password", " ProtectInMemory=\"True\"", items.password(index)), ("URL", "", items.address(index)),
            ]
            let strings = fields.map { "<String><Key>\($0.0)</Key><Value\($0.1)>\($0.2)</Value></String>" }.joined()
            fputs("<Entry><UUID>\(identifier(index))</UUID>\(strings)</Entry>\n", file)
        }
        fputs("</Group></Root></KeePassFile>\n", file)
    }

    /// Sixteen bytes in Base64, another for each entry: eighteen letters of which the first carry the number.
    private static func identifier(_ index: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOP".utf8)
        let hexadecimal = (0..<8).reversed().map { letters[(index >> ($0 * 4)) & 15] }
        return String(decoding: hexadecimal, as: UTF8.self) + "KeywayBenchAA" + "A=="
    }
}

/// Says on standard error what is missing.
func complain(_ message: String) {
    let line = "keyway-bench: \(message)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
