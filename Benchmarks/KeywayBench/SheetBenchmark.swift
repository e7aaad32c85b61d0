import AutoFillProtocol
import AutoFillWire
import Benchmarking
import Glibc
import KeywaySystem

extension Benchmark {
    /// From the broker's message until the window stands on the screen with its first picture; `keyway-sheets` runs
    /// already. A form that unlocks a vault, a list of accounts, a question of the system's own.
    static let sheetOpen = Benchmark(name: "sheet-open", sizes: [0]) { _, context in
        let session = try Session(stage: context.stage)
        defer { session.close() }
        let sheets = try await SheetsProgram(session)
        defer { sheets.close() }
        var rows = [
            BenchmarkRow(name: "sheet-open", samples: try await sheets.open(SampleSheets.form)),
            BenchmarkRow(
                name: "sheet-open-list", size: 1_000, samples: try await sheets.open(SampleSheets.list(1_000))),
            BenchmarkRow(name: "sheet-open-question", samples: try await sheets.ask(SampleSheets.question)),
        ]
        for index in rows.indices {
            let row = rows[index]
            rows[index] = BenchmarkRow(
                name: row.name, size: row.size, samples: row.samples, peakMiB: sheets.peakMiB)
            rows[index].goals = [.init("median < 150 ms", row.samples.median < 150)]
        }
        return rows
    }
}

/// What is shown.
private enum SampleSheets {
    static let provider = ProviderReference(identifier: "org.keyway.passwords", name: "Passwords")

    static let form = ProviderInterface.form(
        InterfaceForm(
            title: "Unlock Passwords", explanation: "The vault is locked. Enter your master password to open it.",
            fields: [.init(id: "master", label: "Master Password", kind: .secure)], submitTitle: "Unlock"))

    static func list(_ count: Int) -> ProviderInterface {
        let rows = (0..<count).map {
            InterfaceList.Row(id: "\($0)", title: "ada\($0)@example.com", subtitle: "host\($0).example.com")
        }
        return .list(InterfaceList(title: "", sections: [.init(title: "All Accounts", rows: rows)]))
    }

    static let question = AskPerson.Question.consent(
        .init(
            program: "Chromium", path: "/usr/lib/chromium/chromium", profile: "Default", isKnown: true,
            permissions: [.seeAccounts, .receiveCredentials]))
}

/// `keyway-sheets`, started as the broker starts it.
private final class SheetsProgram: Sendable {
    private static let runs = 40

    private let desktop: Desktop
    private let process: ChildProcess
    private let connection: Connection
    private let opened: AsyncStream<Void>

    init(_ session: Session) async throws {
        desktop = try Desktop(folder: session.folder)
        let (ours, theirs) = try LocalSocket.pair()
        process = try ChildProcess(
            path: "\(session.stage)/libexec/keyway/keyway-sheets", environment: desktop.environment, channel: theirs)
        let (opened, report) = AsyncStream.makeStream(of: Void.self)
        self.opened = opened
        var methods = MethodTable()
        methods.on(PresentationOpened.self) { _, _ in report.yield() }
        let greeting = Greeting(accepts: [.sheets], name: "keyway-bench \(ProtocolVersion.release)")
        connection = Connection(descriptor: ours, peer: .unknown(greeting), methods: methods)
        connection.onClose { report.finish() }
        connection.start()
        try await connection.waitForGreeting()
    }

    /// The most memory that the program had, in MiB.
    var peakMiB: Double { ProcessMemory.peakMiB(of: process.processIdentifier) }

    func close() {
        connection.close()
        process.send(signal: SIGTERM)
        desktop.close()
    }

    /// How long it takes until `interface` is seen.
    func open(_ interface: ProviderInterface) async throws -> Samples {
        try await measure { number in
            let message = PresentationShow.Parameters(
                request: number, provider: SampleSheets.provider, service: "accounts.example.com",
                interface: interface)
            connection.notify(PresentationShow.self, message)
            try await wait()
            return { self.connection.notify(PresentationEnd.self, .init(request: number)) }
        }
    }

    /// How long it takes until `question` is seen.
    func ask(_ question: AskPerson.Question) async throws -> Samples {
        try await measure { _ in
            let task = Task { [connection] in try await connection.call(AskPerson.self, .init(question)) }
            try await wait()
            return { task.cancel() }
        }
    }

    private func measure(_ open: (Int) async throws -> () -> Void) async throws -> Samples {
        var times: [Double] = []
        for run in 0...Self.runs {
            let started = MonotonicTime.now
            let close = try await open(run + 1)
            let time = MonotonicTime.now.since(started).milliseconds
            if run > 0 { times.append(time) }
            close()
            // The window goes before the next one comes.
            try await Task.sleep(for: .milliseconds(100))
        }
        return Samples(times)
    }

    private func wait() async throws {
        let limit = Task { [connection] in
            try await Task.sleep(for: .seconds(30))
            connection.close()
        }
        defer { limit.cancel() }
        for await _ in opened { return }
        throw BenchmarkFailure("keyway-sheets has ended, or opens no window")
    }
}
