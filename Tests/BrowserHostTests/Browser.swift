import AutoFillWire
import Dispatch
import FoundationEssentials
import Glibc
import KeywaySystem
import Synchronization

@testable import BrowserHost

/// The browser's end of a host that runs in this process: sends messages, reads the answers.
final class Browser {
    let session: HostSession
    private let answers: Answers
    private let output: OwnedDescriptor

    init(broker: any BrokerConnecting, limits: WireLimits = WireLimits()) throws {
        var pipes: [CInt] = [-1, -1]
        guard pipe(&pipes) == 0 else { throw Trouble.noPipe }
        answers = Answers(OwnedDescriptor(pipes[0]))
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

    static let hello = #"""
        {"jsonrpc":"2.0","id":1,"method":"hello",
        "params":{"protocol":{"major":1,"minor":0},"version":"0.1.0","browser":"Chromium",
        "profile":"0b7e3c52-6d9c-4c40-9a53-2f1b4cd8a1f0"}}
        """#

    func send(_ json: String) {
        session.receive(.frame(Array(json.utf8)))
    }

    func request(_ id: Int, _ method: String, _ params: String) {
        send(Self.message(id, method, params))
    }

    /// As ``request(_:_:_:)``, for a host that may answer at once while its last answer is unread: waits for nothing.
    func requestMeanwhile(_ id: Int, _ method: String, _ params: String) {
        let json = Self.message(id, method, params)
        DispatchQueue(label: "requests").async { [session] in session.receive(.frame(Array(json.utf8))) }
    }

    private static func message(_ id: Int, _ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    /// The next message of the host, within a minute.
    func answer() async throws -> Message {
        guard let bytes = await answers.frame() else { throw Trouble.noAnswer }
        return try Message(bytes)
    }

    /// Takes the first byte of the next message, and leaves the rest of it in the pipe.
    func beginReading() async throws {
        guard await answers.firstByte() else { throw Trouble.noAnswer }
    }
}

/// The pipe on which answers come, read on a thread of its own: the threads that tests run on are those that the host
/// answers on, and all of them may wait for a full pipe to be read.
private final class Answers: Sendable {
    private let end: OwnedDescriptor
    private let reader = Mutex(FrameReader(limit: 1 << 20))
    private let queue = DispatchQueue(label: "browser")

    init(_ end: OwnedDescriptor) {
        self.end = end
    }

    func frame() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.wholeFrame()) }
        }
    }

    func firstByte() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.readOn(atMost: 1)) }
        }
    }

    private func wholeFrame() -> [UInt8]? {
        while true {
            if case .frame(let bytes) = reader.withLock({ $0.next() }) { return bytes }
            guard readOn(atMost: 1 << 16) else { return nil }
        }
    }

    private func readOn(atMost size: Int) -> Bool {
        var wait = pollfd(fd: end.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1 else { return false }
        var chunk = [UInt8](repeating: 0, count: size)
        let count = read(end.rawValue, &chunk, chunk.count)
        guard count > 0 else { return false }
        reader.withLock { reader in chunk[..<count].withUnsafeBytes { reader.append($0) } }
        return true
    }
}
