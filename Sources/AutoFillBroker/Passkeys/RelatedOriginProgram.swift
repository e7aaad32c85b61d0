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
        let own = KeywayPaths.ownProgram() ?? ""
        let place = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
        let passed = environment.filter { name, _ in ["PATH", "LANG", "KEYWAY_RELATED_ORIGINS"].contains(name) }
        return RelatedOriginProgram(path: "\(place)/keyway-related-origins", environment: passed)
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
        let start = MonotonicTime.now
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        while true {
            let rest = (patience - MonotonicTime.now.since(start)) / .milliseconds(1)
            guard rest > 0, poll(&state, 1, CInt(rest.rounded(.up))) > 0 else { return nil }
            let count = Glibc.read(descriptor.rawValue, &part, part.count)
            if count == 0 { return String(validating: bytes, as: UTF8.self) }
            guard count > 0, bytes.count + count <= limit else { return nil }
            bytes += part[..<count]
        }
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
