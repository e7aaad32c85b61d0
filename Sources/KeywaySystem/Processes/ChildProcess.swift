import CSys
import Dispatch
import Glibc
import Synchronization

/// A program that this process started. It is collected as soon as it ends, whether anybody waits for that or not.
package final class ChildProcess: Sendable {
    private struct State {
        var status: CInt?
        var onExit: [@Sendable (CInt) -> Void] = []
        var source: Source?
    }

    // SAFETY: a source of libdispatch may be used from any thread; its type only lacks the word.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private static let queue = DispatchQueue(label: "org.keyway.processes")

    /// The process, as the kernel numbers it; another process may have the number once this one has ended.
    package let processIdentifier: Int32
    private let pidfd: OwnedDescriptor
    private let endsGroup: Bool
    private let state = Mutex(State())

    /// Starts the program at `path`.
    ///
    /// - Parameters:
    ///   - arguments: what follows the program's name.
    ///   - environment: all the variables that it gets.
    ///   - channel: what becomes its descriptor 3; it has no other beside 0, 1 and 2.
    ///   - report: what becomes its descriptor 4, for those that have a channel.
    ///   - output: what becomes its descriptors 1 and 2; nil for those of this process.
    ///   - input: what becomes its descriptor 0; nil for an empty one.
    ///   - endsGroup: whether what it leaves in its process group is killed when it ends.
    ///   - controlGroup: the folder of a control group (cgroup v2) that it is in from its first instruction on.
    /// - Throws: ``ProtocolError`` with the code `system`.
    package init(
        path: String, arguments: [String] = [], environment: [String: String], channel: OwnedDescriptor? = nil,
        report: OwnedDescriptor? = nil, output: OwnedDescriptor? = nil, input: OwnedDescriptor? = nil,
        endsGroup: Bool = false, controlGroup: OwnedDescriptor? = nil
    ) throws(ProtocolError) {
        self.endsGroup = endsGroup
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var child: pid_t = 0
        let error = Self.withCStrings([path] + arguments) { argv in
            Self.withCStrings(variables) {
                csys_spawn(
                    &child, path, argv, $0, channel?.rawValue ?? -1, report?.rawValue ?? -1,
                    output?.rawValue ?? -1, input?.rawValue ?? -1, 1, controlGroup?.rawValue ?? -1)
            }
        }
        guard error == 0 else { throw .system("start \(path)", error) }
        processIdentifier = child
        let descriptor = csys_pidfd_open(child)
        guard descriptor >= 0 else {
            let number = errno
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
            throw .system("pidfd_open", number)
        }
        pidfd = OwnedDescriptor(descriptor)
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        // The source keeps this object until the program has ended and was collected.
        source.setEventHandler { self.collect() }
        source.setCancelHandler { _ = self.pidfd }
        state.withLock { $0.source = Source(source: source) }
        source.activate()
    }

    /// Calls `body` once with the status of waitpid(2) when the program ends, or at once when it has.
    package func onExit(_ body: @escaping @Sendable (CInt) -> Void) {
        let status = state.withLock {
            if $0.status == nil { $0.onExit.append(body) }
            return $0.status
        }
        if let status { body(status) }
    }

    /// Waits until it has ended. It is killed when it has not after `patience`, and when the task is cancelled.
    ///
    /// - Returns: the status of waitpid(2).
    package func end(within patience: Duration) async -> CInt {
        let limit = Task {
            try await Task.sleep(for: patience)
            send(signal: SIGKILL)
        }
        defer { limit.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in onExit { continuation.resume(returning: $0) } }
        } onCancel: {
            send(signal: SIGKILL)
        }
    }

    /// The status of waitpid(2); nil while the program runs.
    package var exitStatus: CInt? { state.withLock { $0.status } }

    /// Sends a signal; it never reaches another process that has the number by now.
    package func send(signal: CInt) {
        _ = csys_pidfd_send_signal(pidfd.rawValue, signal)
    }

    private func collect() {
        var status: CInt = 0
        // Its number, and so that of its group, cannot have another meaning before it is collected.
        if endsGroup { kill(-processIdentifier, SIGKILL) }
        guard waitpid(processIdentifier, &status, WNOHANG) == processIdentifier else { return }
        let (source, bodies) = state.withLock { state in
            state.status = status
            defer { (state.source, state.onExit) = (nil, []) }
            return (state.source, state.onExit)
        }
        source?.source.cancel()
        for body in bodies { body(status) }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

extension ChildProcess {
    /// A status of waitpid(2) in words.
    package static func describe(status: CInt) -> String {
        let signal = status & 0x7f
        return signal == 0 ? "exit \((status >> 8) & 0xff)" : "signal \(signal)"
    }
}
