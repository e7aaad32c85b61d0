import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import Glibc
import KeywaySystem

/// `keyway-browser-host`, as a browser talks to it.
final class BrowserConversation {
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

    /// The host's process.
    var processIdentifier: Int32 { process.processIdentifier }

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

    /// Ends the host.
    func close() {
        process.send(signal: SIGTERM)
    }
}
