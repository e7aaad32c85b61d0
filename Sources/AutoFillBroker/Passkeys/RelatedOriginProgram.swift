import Dispatch
import Glibc
import KeywaySystem

/// The program `keyway-related-origins`, which runs once for each document: what speaks to the network, and reads what
/// strangers wrote, has nothing to do with accounts.
struct RelatedOriginProgram: RelatedOriginSource {
    /// The most that it may say, in bytes.
    static let limit = 1 << 16

    let path: String
    let environment: [String: String]
    /// How long it may take: a little more than it gives itself.
    var patience = Duration.seconds(8)

    /// The program beside this one.
    static func besideThisProgram(environment: [String: String]) -> RelatedOriginProgram {
        let passed = environment.filter { name, _ in ["PATH", "LANG", "KEYWAY_RELATED_ORIGINS"].contains(name) }
        return RelatedOriginProgram(path: KeywayPaths.program(besideOwn: "keyway-related-origins"), environment: passed)
    }

    func origins(of identifier: String) async throws(ProtocolError) -> [String] {
        guard let lines = try await lines([identifier]) else {
            throw ProtocolError(.notFound, "`\(identifier)` names no related origins.")
        }
        return lines
    }

    /// What it prints; nil where it fails.
    private func lines(_ arguments: [String]) async throws(ProtocolError) -> [String]? {
        let (child, output) = try start(arguments)
        let text = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Self.read(output, patience)) }
        }
        // What is not over by now is not waited for.
        child.send(signal: SIGKILL)
        let status = await withCheckedContinuation { continuation in
            child.onExit { continuation.resume(returning: $0) }
        }
        guard status == 0, let text else { return nil }
        return text.split(separator: "\n").map(String.init)
    }

    /// Starts it. Our copy of its end of the socket is closed when this returns, so that its end is heard.
    private func start(_ arguments: [String]) throws(ProtocolError) -> (ChildProcess, OwnedDescriptor) {
        let (ours, theirs) = try LocalSocket.pair()
        return (try ChildProcess(path: path, arguments: arguments, environment: environment, channel: theirs), ours)
    }

    /// All that it says; nil when it says too much, or too slowly, however often it says something.
    private static func read(_ descriptor: OwnedDescriptor, _ patience: Duration) -> String? {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = bytes.withUnsafeMutableBytes {
            WholeTransfer.readToEnd(into: $0, from: descriptor.rawValue, within: patience)
        }
        return count.flatMap { String(validating: bytes[..<$0], as: UTF8.self) }
    }
}

extension RelatedOriginProgram: AppSiteSource {
    func apps(of domain: String) async throws(ProtocolError) -> [String] {
        guard let lines = try await lines(["--apps", domain]) else {
            throw ProtocolError(.notFound, "`\(domain)` names no apps.")
        }
        return lines
    }
}
