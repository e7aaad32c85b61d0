import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization

@testable import BrokerBase
@testable import ProviderHosting

/// A tree of control groups that is a folder of ordinary files: what is written to them stays there to be read.
final class FolderOfGroups: ControlGroupKernel {
    private static let files = [
        "cgroup.procs", "cgroup.kill", "cgroup.subtree_control", "memory.max", "memory.swap.max", "memory.oom.group",
        "memory.events", "memory.events.local", "pids.max", "pids.events",
    ]

    private let folder: TemporaryFolder
    private let isHandedOver: Bool
    /// Files that this kernel does not have.
    private let missing: Set<String>
    /// Folders in which something runs that takes its time to end.
    let busy = Mutex<Set<String>>([])
    let lines = Mutex<[String]>([])

    init(
        isHandedOver: Bool = true, controllers: String = "cpu io memory pids", missing: Set<String> = []
    ) throws {
        folder = try TemporaryFolder()
        self.isHandedOver = isHandedOver
        self.missing = missing
        try folder.write(controllers + "\n", to: "keywayd.service/cgroup.controllers")
        for name in Self.files where !missing.contains("root/" + name) {
            try folder.write("", to: "keywayd.service/\(name)")
        }
    }

    var root: String { folder.path + "/keywayd.service" }
    var log: EventLog { EventLog { line in self.lines.withLock { $0.append(line) } } }

    func take() throws -> ControlGroups { try ControlGroups(taking: root, self, log: log) }

    /// What was last written to a file; nil where there is none.
    func text(_ path: String) -> String? { try? folder.read("keywayd.service/" + path) }

    func write(_ text: String, to path: String) throws { try folder.write(text, to: "keywayd.service/" + path) }

    func exists(_ path: String) -> Bool { folder.exists("keywayd.service/" + path) }

    // MARK: - As a kernel

    func make(_ folder: String) throws(ProtocolError) {
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        guard mkdir(folder, 0o700) == 0 else { throw .system("mkdir", errno) }
        for name in Self.files where !missing.contains(name) {
            _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil)
        }
    }

    func remove(_ folder: String) -> Bool {
        // As with every folder, what is in it keeps it there.
        guard !busy.withLock({ $0.contains { $0 == folder || $0.hasPrefix(folder + "/") } }) else { return false }
        try? FileManager.default.removeItem(atPath: folder)
        return true
    }

    func isHandedOver(_ folder: String) -> Bool { isHandedOver && folder == root }
}
