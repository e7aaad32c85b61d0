import AutoFillProtocol
import AutoFillWire
import ClockTestSupport
import Glibc
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import ProtocolSamples
import Synchronization
import TerminalInterface

@testable import KeywayCommand

/// Memory that a command writes to.
final class MemorySink: ByteSink {
    private let bytes = Mutex<[UInt8]>([])
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    func write(_ more: UnsafeRawBufferPointer) { bytes.withLock { $0 += Array(more) } }
}

/// Lines of standard input, from a list.
final class ListedLines: SecretLines {
    private let lines: Mutex<[String]>
    init(_ lines: [String]) { self.lines = Mutex(lines) }
    var rest: [String] { lines.withLock { $0 } }
    func next() -> SecretBytes? {
        lines.withLock { $0.isEmpty ? nil : SecretBytes(copying: Array($0.removeFirst().utf8)) }
    }
}

/// A terminal that types what it is told to, each piece when something was drawn since the last one, or when what it
/// answers was drawn.
final class TypingTerminal: TerminalDevice {
    private struct State {
        var keys: [(after: String, keys: String)]
        var written = ""
        /// How much was written when the last piece was typed.
        var seen = 0
        var hasDrawn = false
        var isWoken = false
    }
    private let state: Mutex<State>

    init(_ keys: [String]) { state = Mutex(State(keys: keys.map { ("", $0) })) }
    init(answers: [(after: String, keys: String)]) { state = Mutex(State(keys: answers)) }

    var written: String { state.withLock { $0.written } }
    var size: ScreenSize { .standard }
    func enter(_ mode: InputMode) {}
    func leave() {}
    func suspend() {}
    func wake() { state.withLock { $0.isWoken = true } }
    func write(_ text: String, cleanup: String) {
        state.withLock { state in
            state.written += text
            state.hasDrawn = true
        }
    }
    func write(_ secret: SecretBytes) {
        write(secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, cleanup: "")
    }
    func wait(milliseconds: Int?, into buffer: SecretBuffer) -> DeviceInput {
        while true {
            let input = state.withLock { state -> DeviceInput? in
                if state.isWoken {
                    state.isWoken = false
                    return .woken
                }
                guard state.hasDrawn, let next = state.keys.first,
                    next.after.isEmpty
                        || String(decoding: state.written.utf8.dropFirst(state.seen), as: UTF8.self).contains(
                            next.after)
                else { return milliseconds == nil ? nil : .idle }
                state.hasDrawn = false
                state.seen = state.written.utf8.count
                for byte in state.keys.removeFirst().keys.utf8 { buffer.append(byte) }
                return .bytes
            }
            if let input { return input }
            sched_yield()
        }
    }
}

/// A broker in this process, behind the real protocol, and one run of a command against it.
struct Trial {
    /// What came of a command.
    struct Outcome {
        let code: ExitCode
        let out: String
        let err: String
    }

    var broker = MethodTable()
    var service = MethodTable()
    var terminal: TypingTerminal?
    var lines: ListedLines?
    var machine = FakeMachine()
    /// Why the broker connects nobody with the service.
    var serviceFailure: ProtocolError?
    /// Variables of the environment beside those that there always are.
    var variables: [String: String] = [:]
    /// What comes of reading an export; nil for the reader itself.
    var readExport: Surroundings.ReadingExport?
    /// What comes of writing an export; nil for the writer itself.
    var writeExport: Surroundings.WritingExport?
    /// Now, in seconds since 1970.
    var now: Int64 = 1_790_000_000
    /// What comes of copying on the desktop.
    var copyOnDesktop: @Sendable (SecretBytes, Int) async throws -> DesktopCopy = { _, _ in .noDisplay }
    private let connections = Connections()

    fileprivate final class Connections: Sendable {
        let all = Mutex<[Connection]>([])
    }

    init() {
        broker.on(ListProviders.self) { _, _ in .init(providers: [.passwords(enabled: true)]) }
        broker.on(BrokerStatus.self) { _, _ in BrokerStatus.sample.result }
    }

    func run(_ line: String...) async throws -> Outcome { try await run(line) }

    func run(_ line: [String]) async throws -> Outcome {
        guard case .run(let invocation) = try CommandLineParser.parse(line) else {
            throw UsageError(message: "no command", path: line, suggestion: nil)
        }
        let (out, err) = (MemorySink(), MemorySink())
        var surroundings = surroundings(out, err)
        if let readExport { surroundings.readExport = readExport }
        if let writeExport { surroundings.writeExport = writeExport }
        surroundings.clock = ManualClock(milliseconds: now * 1000)
        let code = await CommandRunner(invocation, in: surroundings).run()
        return Outcome(code: code, out: out.text, err: err.text)
    }

    private func surroundings(_ out: MemorySink, _ err: MemorySink) -> Surroundings {
        var broker = broker
        let (service, terminal, connections) = (service, terminal, connections)
        let failure = serviceFailure
        broker.on(ConnectService.self) { _, _ in
            if let failure { throw failure }
            let (client, server) = try LocalSocket.pair()
            connections.keep(Connection(descriptor: server, peer: .known(.serviceClient), methods: service))
            return .init(connection: Attachment(client))
        }
        let methods = broker
        var surroundings = Surroundings(
            environment: variables.merging(
                ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1000", "TERM": "xterm"]
            ) { given, _ in given }, output: out, messages: err, secretLines: lines, machine: machine,
            openTerminal: { () throws(TerminalError) in
                guard let terminal else { throw TerminalError(.noTerminal, "There is no terminal to ask on.") }
                return terminal
            },
            connect: { (clientMethods, _) throws(ProtocolError) in
                let (client, server) = try LocalSocket.pair()
                connections.keep(Connection(descriptor: server, peer: .known(.terminal), methods: methods))
                let connection = Connection(descriptor: client, peer: .known(.broker), methods: clientMethods)
                connection.start()
                return connection
            })
        surroundings.copyOnDesktop = copyOnDesktop
        return surroundings
    }
}

extension Trial.Connections {
    fileprivate func keep(_ connection: Connection) {
        all.withLock { $0.append(connection) }
        connection.start()
    }
}

extension InstalledProvider {
    static func passwords(
        enabled: Bool, name: String = "Passwords", identifier: String = "org.keyway.passwords",
        configures: Bool = false, applications: [ProviderApplication] = [], group: String? = nil,
        isRequested: Bool = false, hasChanged: Bool = false, notice: String? = nil
    ) -> InstalledProvider {
        var capabilities = ProviderCapabilities()
        capabilities.providesPasswords = true
        capabilities.showsConfigurationUI = configures
        return InstalledProvider(
            reference: ProviderReference(identifier: identifier, name: name), version: "0.1.0",
            path: "/usr/share/keyway/providers/\(name).appex", scope: .system, isEnabled: enabled,
            capabilities: capabilities, hasService: true, identities: 3, problem: nil, applications: applications,
            group: group, isRequested: isRequested, hasChanged: hasChanged, notice: notice)
    }
}

extension Attachment {
    static func secret(_ text: String) throws -> Attachment {
        try SecretBytes(copying: Array(text.utf8)).attached()
    }

    var text: String {
        get throws { try sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }
}

/// Values that a fake was given.
final class Received<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func append(_ value: Value) { values.withLock { $0.append(value) } }
}
