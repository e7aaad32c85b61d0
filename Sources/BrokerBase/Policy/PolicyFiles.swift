package import Glibc
import KeywaySystem
import Synchronization

/// The files in which the administrator says what is allowed: `policy.toml` and `policy.d/*.toml` in `/etc/keyway`, as they
/// are whenever somebody asks.
///
/// A file counts if it belongs to root and nobody else can write to it, or to a folder above it. No variable and no
/// argument says where it lies.
package final class PolicyFiles: Sendable {
    /// The folder of every installation, whoever made it.
    package static let systemFolder = "/etc/keyway"
    /// A longer file is none that a person has written.
    private static let longest = 1 << 16

    private struct State {
        var trace: FileTrace?
        var policy = AdministratorPolicy()
    }

    private let folder: String?
    private let owner: uid_t
    private let isSystems: @Sendable (String) -> Bool
    private let watch: FileWatch
    private let log: EventLog
    private let state = Mutex(State())

    /// No files: everything is allowed.
    package static let none = PolicyFiles(folder: nil, log: EventLog { _ in })

    /// Those in `folder`.
    ///
    /// - Parameters:
    ///   - owner: to whom they must belong.
    ///   - isSystems: whether nobody but the administrator can have made what lies in a folder.
    ///   - log: hears what is wrong with them.
    package init(
        folder: String? = systemFolder, owner: uid_t = 0,
        isSystems: @escaping @Sendable (String) -> Bool = SystemFolder.isOne, watch: FileWatch = .ofThisProcess,
        log: EventLog
    ) {
        (self.folder, self.owner, self.isSystems, self.watch, self.log) = (folder, owner, isSystems, watch, log)
    }

    /// What is allowed now. Costs nothing as long as the kernel tells of no change.
    package var current: AdministratorPolicy {
        guard let folder else { return AdministratorPolicy() }
        return state.withLock { state in
            if let trace = state.trace, trace.isUnchanged { return state.policy }
            let (policy, trace) = read(folder)
            for fault in policy.faults where !state.policy.faults.contains(fault) { log(fault.sentence) }
            state = State(trace: trace, policy: policy)
            return policy
        }
    }

    /// Reads all files; each is watched before it is looked at.
    private func read(_ folder: String) -> (AdministratorPolicy, FileTrace) {
        let trace = watch.trace()
        let additions = folder + "/policy.d"
        trace.add([folder + "/policy.toml"])
        trace.addNames(in: additions)
        var policy = AdministratorPolicy()
        var added: [String] = []
        do throws(ProtocolError) {
            added = try Folder.listed(additions).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
        } catch {
            policy.add(unreadable: additions, "it can't be read: \(error.message)")
        }
        trace.add(added.map { "\(additions)/\($0)" })
        for path in [folder + "/policy.toml"] + added.map({ "\(additions)/\($0)" }) { add(path, to: &policy) }
        return (policy, trace)
    }

    private func add(_ path: String, to policy: inout AdministratorPolicy) {
        var entry = stat()
        guard lstat(path, &entry) == 0 else {
            if errno != ENOENT, errno != ENOTDIR { policy.add(unreadable: path, Self.cannotRead(errno)) }
            return
        }
        let folder = FilePath.folder(of: path)
        guard isSystems(folder) else {
            return policy.add(disbelieved: path, "others than root can change a folder above it")
        }
        // Nobody but root can have put it there, be it a link or anything else.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard number >= 0 else {
            return policy.add(unreadable: path, errno == ELOOP ? "it is a link" : Self.cannotRead(errno))
        }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return policy.add(unreadable: path, "it isn't a file")
        }
        guard status.st_uid == owner else { return policy.add(disbelieved: path, "it doesn't belong to root") }
        guard status.st_mode & 0o022 == 0 else {
            return policy.add(disbelieved: path, "others than root can change it")
        }
        guard let bytes = try? FileContents.read(file, limit: Self.longest + 1), bytes.count <= Self.longest else {
            return policy.add(unreadable: path, "it is longer than 64 KiB, or can't be read")
        }
        policy.add(PolicyText(bytes), from: path)
    }

    private static func cannotRead(_ number: Int32) -> String { "it can't be read: \(SystemCall.describe(number))" }
}
