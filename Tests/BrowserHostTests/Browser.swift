import AutoFillWire
import Dispatch
import FoundationEssentials
import Glibc
import KeywaySystem

@testable import BrowserHost

/// The browser's end of a host that runs in this process: sends messages, reads the answers.
final class Browser {
    let session: HostSession
    private let answers: OwnedDescriptor
    private let output: OwnedDescriptor
    private let waiting = DispatchQueue(label: "browser")
    private var reader = FrameReader(limit: 1 << 20)

    init(broker: any BrokerConnecting, limits: WireLimits = WireLimits()) throws {
        var pipes: [CInt] = [-1, -1]
        guard pipe(&pipes) == 0 else { throw Trouble.noPipe }
        answers = OwnedDescriptor(pipes[0])
        output = OwnedDescriptor(pipes[1])
        session = HostSession(output: FrameOutput(descriptor: pipes[1]), broker: broker, limits: limits)
    }

    enum Trouble: Error { case noPipe, noAnswer }

    /// A conversation that has been greeted.
    static func greeted(broker: any BrokerConnecting, limits: WireLimits = WireLimits()) async throws -> Browser {
        let browser = try Browser(broker: broker, limits: limits)
        browser.send(Self.hello)
        _ = try await browser.answer()
        return browser
    }

    /// Waits on a thread of its own: the threads that tests run on are those that the host answers on.
    private func isReadable() async -> Bool {
        let descriptor = answers.rawValue
        return await withCheckedContinuation { continuation in
            waiting.async {
                var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                continuation.resume(returning: poll(&wait, 1, 60_000) == 1)
            }
        }
    }

    static let hello = #"""
        {"jsonrpc":"2.0","id":1,"method":"hello",
        "params":{"protocol":{"major":1,"minor":0},"version":"0.1.0","browser":"Chromium",
        "profile":"0b7e3c52-6d9c-4c40-9a53-2f1b4cd8a1f0"}}
        """#

    func send(_ json: String) {
        session.receive(.frame(Array(json.utf8)))
    }

    func request(_ id: Int, _ method: String, _ params: String) {
        send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
    }

    /// The next message of the host, within a minute.
    func answer() async throws -> Message {
        while true {
            if case .frame(let bytes) = reader.next() { return try Message(bytes) }
            guard await isReadable() else { throw Trouble.noAnswer }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(answers.rawValue, &chunk, chunk.count)
            guard count > 0 else { throw Trouble.noAnswer }
            chunk[..<count].withUnsafeBytes { reader.append($0) }
        }
    }
}
