import CObservation
import Dispatch
import Glibc
import KeywaySystem
import Synchronization

/// A program of a provider that the kit started and watches.
final class ObservedProcess: Sendable {
    private struct State {
        var status: CInt?
        var source: Source?
    }

    // SAFETY: a source of libdispatch may be used from any thread; its type only lacks the word.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private static let queue = DispatchQueue(label: "org.keyway.kit.processes")

    /// The process, as the kernel numbers it.
    let processIdentifier: Int32
    /// Whether its calls are watched.
    let isWatched: Bool
    private let pidfd: OwnedDescriptor
    private let state = Mutex(State())

    /// Starts the program at `path` with the other end of `channel` as its descriptor 3; what it prints goes to `output`,
    /// and what it asks of the kernel to `calls`.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    init(
        path: String, environment: [String: String], channel: OwnedDescriptor, output: OwnedDescriptor,
        calls: SystemCallLog
    ) throws(ProtocolError) {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var child = cobservation_child()
        let error = Self.withCStrings([path]) { argv in
            Self.withCStrings(variables) {
                cobservation_start(path, argv, $0, channel.rawValue, output.rawValue, &child)
            }
        }
        guard error == 0 else { throw .system("start \(path)", error) }
        processIdentifier = child.pid
        isWatched = child.listener >= 0
        pidfd = OwnedDescriptor(child.pidfd)
        if child.listener >= 0 { calls.watch(OwnedDescriptor(child.listener)) }
        let source = DispatchSource.makeReadSource(fileDescriptor: child.pidfd, queue: Self.queue)
        // The source keeps this object until the program has ended and was collected.
        source.setEventHandler { self.collect() }
        source.setCancelHandler { _ = self.pidfd }
        state.withLock { $0.source = Source(source: source) }
        source.activate()
    }

    /// The status of waitpid(2); nil while it runs.
    var exitStatus: CInt? { state.withLock { $0.status } }

    /// How it ended, in words.
    var ending: String { exitStatus.map(ChildProcess.describe) ?? "still runs" }

    /// How many descriptors it has; nil where that may not be known.
    var descriptorCount: Int? { OtherProcess(pidfd).descriptorCount }

    /// Sends a signal, unless it has ended.
    func send(signal: CInt) {
        if exitStatus == nil { kill(processIdentifier, signal) }
    }

    /// Waits until it has ended, `limit` at most; whether it has.
    func hasEnded(within limit: Duration) async -> Bool {
        await Waiting.until(limit) { self.exitStatus != nil }
    }

    private func collect() {
        var status: CInt = 0
        guard waitpid(processIdentifier, &status, WNOHANG) == processIdentifier else { return }
        let source = state.withLock { state in
            state.status = status
            defer { state.source = nil }
            return state.source
        }
        source?.source.cancel()
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// Conditions that come true in another process.
enum Waiting {
    /// Looks until `condition` is true, `limit` at most; whether it was.
    static func until(_ limit: Duration, _ condition: @Sendable () -> Bool) async -> Bool {
        let start = MonotonicTime.now
        while !condition() {
            guard MonotonicTime.now.since(start) < limit, (try? await Task.sleep(for: .milliseconds(2))) != nil else {
                return condition()
            }
        }
        return true
    }
}
