import AutoFillWire
import BrokerBase
import Dispatch
import Glibc
import KeywaySystem
import Synchronization

/// A program of a bundle that runs behind bubblewrap and `keyway-confine`, or behind the latter alone.
///
/// The started process is bubblewrap. The program is a process below it, which the kernel identifies when
/// `keyway-confine` reports that everything was applied.
final class ConfinedProcess: LaunchedProcess {
    private struct State {
        var identifier: Int32?
        var isSettled = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var source: Source?
    }

    /// What came of it, and who is to be told.
    private struct Settled: Sendable {
        let process: Int32?
        let complaint: [UInt8]
        let source: Source?
        let waiting: [CheckedContinuation<Void, Never>]
    }

    // SAFETY: a source of libdispatch may be used from any thread; its type only lacks the word.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private static let queue = DispatchQueue(label: "org.keyway.confined-processes")
    /// How long nobody looks whether a debugger has come.
    private static let debuggerPause = Duration.milliseconds(20)

    private let child: GroupedProcess
    private let report: OwnedDescriptor
    private let isEnclosed: Bool
    private let waitsForDebugger: Bool
    private let log: EventLog
    private let state = Mutex(State())

    /// The process `child`, whose program says how it went at the other end of `report`.
    ///
    /// - Parameters:
    ///   - isEnclosed: whether `child` is bubblewrap.
    ///   - waitsForDebugger: whether the program waits until it is told that a debugger is there.
    init(
        _ child: GroupedProcess, report: OwnedDescriptor, isEnclosed: Bool, waitsForDebugger: Bool, log: EventLog
    ) {
        self.child = child
        self.report = report
        self.isEnclosed = isEnclosed
        self.waitsForDebugger = waitsForDebugger
        self.log = log
        let source = DispatchSource.makeReadSource(fileDescriptor: report.rawValue, queue: Self.queue)
        // The source keeps this object until the program has spoken or ended.
        source.setEventHandler { self.receive() }
        source.setCancelHandler { _ = self.report }
        state.withLock { $0.source = Source(source: source) }
        source.activate()
    }

    /// The program's process as soon as it is known, and bubblewrap's before. Nothing is waited for: what the program
    /// has said by now is heard by now.
    var processIdentifier: Int32 {
        receive()
        return state.withLock { $0.identifier } ?? child.processIdentifier
    }

    func identified() async -> Int32 {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if !state.isSettled { state.waiting.append(continuation) }
                return state.isSettled
            }
            if isSettled { continuation.resume() }
        }
        return processIdentifier
    }

    func onExit(_ body: @escaping @Sendable (CInt) -> Void) {
        child.onExit { [isEnclosed] in body(isEnclosed ? Self.inner(status: $0) : $0) }
    }

    var excess: String? { child.excess }

    /// SIGKILL ends everything: bubblewrap takes with it what it started, and the kernel what that did.
    func send(signal: CInt) { child.send(signal: signal) }

    /// What the status of bubblewrap says about the program: it ends with 128 and the number of a signal.
    static func inner(status: CInt) -> CInt {
        let code = (status >> 8) & 0xff
        return status & 0x7f == 0 && (129...192).contains(code) ? code - 128 : status
    }

    // MARK: - What it says

    /// Takes what the program has said, once; whoever comes first.
    private func receive() {
        let settled = state.withLock { state -> Settled? in
            guard !state.isSettled, let (bytes, sender) = report.receiveNamed(limit: 512) else { return nil }
            let isReady = bytes.first == UInt8(ascii: "!") && sender > 0
            if isReady { state.identifier = sender }
            state.isSettled = true
            defer { (state.source, state.waiting) = (nil, []) }
            return Settled(
                process: isReady ? sender : nil, complaint: isReady ? [] : bytes, source: state.source,
                waiting: state.waiting)
        }
        guard let settled else { return }
        if !settled.complaint.isEmpty {
            let text = DisplayText.line(String(decoding: settled.complaint, as: UTF8.self))
            log("a provider's program was not confined and did not run: \(text)")
        }
        settled.source?.source.cancel()
        for continuation in settled.waiting { continuation.resume() }
        if let process = settled.process, waitsForDebugger { Task { await awaitDebugger(of: process) } }
    }

    /// Lets the program go as soon as a debugger is attached. It cannot see that itself: the debugger is none of the
    /// processes that it sees. It is a new process image then, which a signal could not have stopped as well, since
    /// debuggers would deliver it again.
    private func awaitDebugger(of process: Int32) async {
        while child.exitStatus == nil {
            if Onlooker.process(watching: process) != nil {
                _ = Glibc.send(report.rawValue, "!", 1, CInt(MSG_NOSIGNAL))
                return
            }
            guard (try? await Task.sleep(for: Self.debuggerPause)) != nil else { return }
        }
    }
}
