import AutoFillProtocol
import Benchmarking
import FoundationEssentials
import Glibc

/// What the host suggests.
private struct Offered: Decodable {
    struct Result: Decodable {
        struct Suggestion: Decodable {
            let handle: String
            let kind: String
        }

        let suggestions: [Suggestion]
    }

    let result: Result
}

extension Benchmark {
    /// A sign-in with a passkey, from the browser host's input to its answer.
    static let passkeyGet = Benchmark(name: "passkey-get", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        let service = try await fixture.open()
        defer { service.close() }
        let terminal = try await fixture.session.connect(as: .terminal)
        defer { terminal.close() }
        let site = try await passkey(fixture, 0, through: terminal)
        let browser = try BrowserConversation(fixture.session)
        defer { browser.close() }
        let page = #""url":"https://\#(site)/","private":false"#
        let request = #"{"challenge":"AAECAwQFBgcICQoLDA0ODw","allowed":[],"userVerification":"discouraged"}"#
        let offered = try browser.ask("suggest", #"{\#(page),"passkeys":{"allowed":[]}}"#)
        let answer = try JSONDecoder().decode(Offered.self, from: Data(offered.utf8))
        guard let handle = answer.result.suggestions.first(where: { $0.kind == "passkey" })?.handle else {
            throw BenchmarkFailure("no passkey was suggested: \(offered)")
        }
        var times: [Double] = []
        for run in 0...500 {
            let started = MonotonicTime.now
            let answer = try browser.ask("passkeys.get", #"{\#(page),"handle":"\#(handle)","request":\#(request)}"#)
            let time = MonotonicTime.now.since(started).milliseconds
            guard answer.contains(#""signature":""#) else { throw BenchmarkFailure("no signature: \(answer)") }
            if run > 0 { times.append(time) }
        }
        var row = BenchmarkRow(
            name: "passkey-get", size: size, samples: Samples(times), peakMiB: fixture.session.peakMiB)
        row.goals = [.init("median < 3 ms", row.samples.median < 3)]
        return [row]
    }

    /// A new passkey that nobody is asked for, from the client's first byte to the last byte of the answer.
    static let passkeyCreate = Benchmark(name: "passkey-create", sizes: [10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        let service = try await fixture.open()
        defer { service.close() }
        let terminal = try await fixture.session.connect(as: .terminal)
        defer { terminal.close() }
        var times: [Double] = []
        for run in 0...100 {
            let started = MonotonicTime.now
            _ = try await passkey(fixture, run + 1, through: terminal)
            let time = MonotonicTime.now.since(started).milliseconds
            if run > 0 { times.append(time) }
        }
        var row = BenchmarkRow(
            name: "passkey-create", size: size, samples: Samples(times), peakMiB: fixture.session.peakMiB)
        row.goals = [.init("median < 5 ms", row.samples.median < 5)]
        return [row]
    }

    /// Upgrades one of the sample accounts; its site.
    private static func passkey(_ fixture: Fixture, _ step: Int, through terminal: Connection) async throws -> String {
        let index = fixture.items.scattered(step)
        let address = fixture.items.address(index)
        let site = String(address.dropFirst("https://".count).prefix { $0 != "/" })
        _ = try await terminal.call(
            RegisterPasskey.self,
            .init(
                registration: PasskeyRegistration(
                    relyingParty: site, userName: fixture.items.user(index), userHandle: Data("\(index)".utf8),
                    clientDataHash: Data(repeating: 7, count: 32), userVerification: .preferred, algorithms: [-7]),
                provider: nil, isConditional: true, presents: false))
        return site
    }
}

/// `keyway-browser-host`, as a browser talks to it.
private final class BrowserConversation {
    private let process: ChildProcess
    private let socket: OwnedDescriptor
    private var reader = FrameReader(limit: 1 << 20)
    private var lastID = 0

    init(_ session: Session) throws {
        let (ours, theirs) = try LocalSocket.pair()
        process = try ChildProcess(
            path: "/bin/sh",
            arguments: [
                "-c", #"exec "$0" "$@" <&3 >&3 3>&-"#, "\(session.stage)/libexec/keyway/keyway-browser-host",
                BrowserExtension.chromiumOrigin,
            ], environment: session.environment, channel: theirs)
        socket = ours
        _ = try ask(
            "hello",
            #"""
            {"protocol":{"major":1,"minor":0},"version":"0.1.0","browser":"Benchmark",
            "profile":"0b7e3c52-6d9c-4c40-9a53-2f1b4cd8a1f0"}
            """#)
    }

    /// Asks, and waits for the answer.
    func ask(_ method: String, _ params: String) throws -> String {
        lastID += 1
        let json = #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#
        let frame = FrameWriter.frame(Array(json.utf8))
        guard write(socket.rawValue, frame, frame.count) == frame.count else {
            throw BenchmarkFailure("the host ended")
        }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if case .frame(let bytes) = reader.next() { return String(decoding: bytes, as: UTF8.self) }
            let count = read(socket.rawValue, &chunk, chunk.count)
            guard count > 0 else { throw BenchmarkFailure("the host ended") }
            chunk[..<count].withUnsafeBytes { reader.append($0) }
        }
    }

    func close() {
        process.send(signal: SIGTERM)
    }
}
