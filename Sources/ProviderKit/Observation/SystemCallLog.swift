import CObservation
import Dispatch
import Glibc
import KeywaySystem
import Synchronization

/// What the watched programs asked the kernel for: sockets, files to write, programs to start. It looks at what they ask
/// while they wait, and holds nobody who means to deceive it: memory may change between the look and the call.
final class SystemCallLog: Sendable {
    /// A program that was started.
    struct Program: Hashable, Sendable {
        let path: String
        let arguments: [String]
        let environment: [String]
    }

    private struct State {
        var families: Set<CInt> = []
        var files: Set<String> = []
        var peers: Set<String> = []
        var programs: [Program] = []
        var unreadable = 0
        var sources: [Source] = []
    }

    // SAFETY: a source of libdispatch may be used from any thread; its type only lacks the word.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private static let queue = DispatchQueue(label: "org.keyway.kit.calls")
    /// What a program without a network is told when it asks for one.
    private static let refusal = EACCES

    private let mayReach: @Sendable (String) -> Bool
    private let state = Mutex(State())

    /// A log of programs that may speak to the sockets whose paths `mayReach` takes; to others they are refused.
    init(mayReach: @escaping @Sendable (String) -> Bool) {
        self.mayReach = mayReach
    }

    /// The address families of sockets that somebody asked for, beside those of files.
    var foreignFamilies: Set<CInt> { state.withLock { $0.families } }
    /// The sockets of others that somebody wanted to speak to: absolute paths, or an abstract name behind a `@`.
    var foreignPeers: Set<String> { state.withLock { $0.peers } }
    /// The files that somebody opened for writing, made, changed, renamed or removed: absolute paths without links.
    var files: Set<String> { state.withLock { $0.files } }
    /// The programs that somebody started, the provider's own among them.
    var programs: [Program] { state.withLock { $0.programs } }
    /// How many calls could not be looked at.
    var unreadable: Int { state.withLock { $0.unreadable } }

    /// Answers the calls that come to `listener` until everyone behind it has ended.
    func watch(_ listener: OwnedDescriptor) {
        let source = DispatchSource.makeReadSource(fileDescriptor: listener.rawValue, queue: Self.queue)
        let kept = Source(source: source)
        source.setEventHandler { [weak self] in
            if cobservation_is_over(listener.rawValue) == 1 { return kept.source.cancel() }
            self?.answer(listener)
        }
        source.setCancelHandler { _ = listener }
        state.withLock { $0.sources.append(kept) }
        source.activate()
    }

    private func answer(_ listener: OwnedDescriptor) {
        var call = cobservation_call()
        guard cobservation_receive(listener.rawValue, &call) == 0 else { return }
        var error: CInt = 0
        switch call.kind {
        case CInt(COBSERVATION_SOCKET):
            state.withLock { _ = $0.families.insert(call.family) }
            error = Self.refusal
        case CInt(COBSERVATION_FILE), CInt(COBSERVATION_FOLDER):
            note(call.first, call)
            if call.has_second != 0 { note(call.second, call) }
        case CInt(COBSERVATION_PEER): error = notePeer(call)
        case CInt(COBSERVATION_NAME):
            if case .path(let path) = address(in: call) { noteFile(path) }
        case CInt(COBSERVATION_PROGRAM): noteProgram(call)
        default: break
        }
        _ = cobservation_answer(listener.rawValue, call.identifier, error)
    }

    private func note(_ name: cobservation_name, _ call: cobservation_call) {
        guard let path = FileName(name, of: call.caller).path else {
            return state.withLock { $0.unreadable += 1 }
        }
        // Programs make folders that are there already, to be sure.
        if call.kind == CInt(COBSERVATION_FOLDER), PathName.isFolder(path) { return }
        noteFile(path)
    }

    private func noteFile(_ path: String) {
        // Pipes and sockets have other names, and keep nothing.
        guard path.hasPrefix("/") else { return }
        state.withLock { _ = $0.files.insert(path) }
    }

    /// What the caller is told.
    private func notePeer(_ call: cobservation_call) -> CInt {
        let peer: String
        switch address(in: call) {
        case .none: return 0
        case .family(let family):
            state.withLock { _ = $0.families.insert(family) }
            return Self.refusal
        case .abstract(let name): peer = "@\(name)"
        case .path(let path): peer = path
        }
        if mayReach(peer) { return 0 }
        state.withLock { _ = $0.peers.insert(peer) }
        return Self.refusal
    }

    private func address(in call: cobservation_call) -> SocketAddress {
        let memory = ProcessMemory(call.caller)
        let address = SocketAddress(memory.copy(at: call.first.address, count: Int(min(call.length, 128))))
        guard case .path(let path) = address else { return address }
        let folder = path.hasPrefix("/") ? "" : FileName.folder(of: call.caller)
        let isFollowed = call.kind == CInt(COBSERVATION_PEER)
        return .path(PathName.destination(of: folder + "/" + path, following: isFollowed))
    }

    private func noteProgram(_ call: cobservation_call) {
        let memory = ProcessMemory(call.caller)
        guard let path = memory.string(at: call.first.address) else {
            return state.withLock { $0.unreadable += 1 }
        }
        let program = Program(
            path: path, arguments: memory.strings(at: call.arguments), environment: memory.strings(at: call.environment)
        )
        state.withLock { $0.programs.append(program) }
    }
}
