import AutoFillProtocol
import CObservation
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// What the watched programs asked the kernel for: sockets of the network, files to write, programs to start.
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

    private let startFolder = FileManager.default.currentDirectoryPath
    private let state = Mutex(State())

    /// The address families of sockets that somebody asked for, beside those that stay in the machine.
    var networkFamilies: Set<CInt> { state.withLock { $0.families.intersection([AF_INET, AF_INET6, AF_PACKET]) } }
    /// The files that somebody opened for writing, made, renamed or removed: absolute paths.
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
            if [AF_INET, AF_INET6, AF_PACKET].contains(call.family) { error = Self.refusal }
        case CInt(COBSERVATION_FILE), CInt(COBSERVATION_FOLDER): noteFile(call)
        case CInt(COBSERVATION_PROGRAM): noteProgram(call)
        default: break
        }
        _ = cobservation_answer(listener.rawValue, call.identifier, error)
    }

    private func noteFile(_ call: cobservation_call) {
        guard let path = ProcessMemory(call.caller).string(at: call.address),
            let base = path.hasPrefix("/") ? "" : folder(of: call)
        else {
            return state.withLock { $0.unreadable += 1 }
        }
        let absolute = PathName.normal(base.isEmpty ? path : "\(base)/\(path)")
        // Programs make folders that are there already, to be sure.
        if call.kind == CInt(COBSERVATION_FOLDER), PathName.isFolder(absolute) { return }
        state.withLock { _ = $0.files.insert(absolute) }
    }

    private func folder(of call: cobservation_call) -> String? {
        // Where a program stands may be hidden. It was started here, and few ever go elsewhere.
        if call.folder == AT_FDCWD { return PathName.target(ofLink: "/proc/\(call.caller)/cwd") ?? startFolder }
        return OtherProcess(of: call.caller)?.descriptor(call.folder).flatMap {
            PathName.target(ofLink: "/proc/self/fd/\($0.rawValue)")
        }
    }

    private func noteProgram(_ call: cobservation_call) {
        let memory = ProcessMemory(call.caller)
        guard let path = memory.string(at: call.address) else {
            return state.withLock { $0.unreadable += 1 }
        }
        let program = Program(
            path: path, arguments: memory.strings(at: call.arguments), environment: memory.strings(at: call.environment)
        )
        state.withLock { $0.programs.append(program) }
    }
}
