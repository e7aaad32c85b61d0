import BrokerTestSupport
import Confinement
import Glibc
import KeywaySystem
import Testing

@testable import ProviderHosting

@Suite("The control groups of bundles")
struct ControlGroupTests {
    private static let bundle = "provider-test.bundle"

    private static func begin(_ groups: ControlGroups, _ limits: SharedLimits = .ofExtension) throws -> ControlGroup {
        try groups.begin("extension", of: "test.bundle", limits)
    }

    /// Runs a shell in `group` until it ends: what it printed.
    private static func output(of script: String, in group: ControlGroup) async throws -> String {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        let reading = OwnedDescriptor(ends[0])
        do {
            let writing = OwnedDescriptor(ends[1])
            let process = try GroupedProcess(in: group) { (folder) throws(ProtocolError) in
                try ChildProcess(
                    path: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"],
                    output: writing, controlGroup: folder)
            }
            await withCheckedContinuation { continuation in process.onExit { _ in continuation.resume() } }
        }
        return String(decoding: try FileContents.read(reading, limit: 4096), as: UTF8.self)
    }

    // MARK: - Taking over

    @Test("are made beside the broker's own, which it goes into first")
    func taken() throws {
        let kernel = try FolderOfGroups()
        let groups = try kernel.take()
        #expect(kernel.text("broker/cgroup.procs") == "0")
        #expect(kernel.text("cgroup.subtree_control") == "+memory +pids")
        withExtendedLifetime(groups) {}
    }

    @Test(
        "are left alone where nobody handed them over, and that is said",
        arguments: [
            (false, "cpu io memory pids", [], "no control group was delegated to keywayd"),
            (true, "cpu io", [], "doesn't count memory and pids"), (true, "memory", [], "doesn't count pids"),
            // Somebody else runs there, or the kernel is too old.
            (true, "memory pids", ["root/cgroup.subtree_control"], "can't be divided"),
            (true, "memory pids", ["cgroup.kill"], "can't be divided"),
        ] as [(Bool, String, Set<String>, String)])
    func refused(_ isHandedOver: Bool, _ controllers: String, _ missing: Set<String>, _ reason: String) throws {
        let kernel = try FolderOfGroups(isHandedOver: isHandedOver, controllers: controllers, missing: missing)
        let error = try #require(throws: ProtocolError.self) { try kernel.take() }
        #expect(error.message.contains("Each process of a provider has its own limits"))
        #expect(error.message.contains(reason))
        #expect(!kernel.exists("broker"))
    }

    @Test("go where the broker is that left them, with what runs in them")
    func leftOver() throws {
        let kernel = try FolderOfGroups()
        let old = try Self.begin(try kernel.take())
        kernel.busy.withLock { $0 = ["\(kernel.root)/\(Self.bundle)/extension-1"] }
        let groups = try kernel.take()
        #expect(kernel.text(Self.bundle + "/cgroup.kill") == "1")
        kernel.busy.withLock { $0 = [] }
        // Nothing new is put to what takes its time to end.
        let new = try Self.begin(groups)
        #expect(kernel.text(Self.bundle + "/extension-2/cgroup.procs") == "")
        withExtendedLifetime((old, new)) {}
    }

    @Test(
        "are found where the kernel says",
        arguments: [
            (
                "0::/user.slice/a.service\n", "31 23 0:27 / /groups rw shared:9 - cgroup2 a rw\n",
                "/groups/user.slice/a.service"
            ),
            ("4:memory:/x\n0::/\n", "3 2 0:2 / /m rw - cgroup a rw\n31 23 0:27 / /u rw - cgroup2 a rw\n", "/u"),
            ("0::/box/a\n", "31 23 0:27 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "/sys/fs/cgroup/a"),
            ("0::/boxes\n", "31 23 0:27 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", nil),
            ("4:memory:/x\n", "31 23 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", nil), ("0::/\n", "", nil),
            ("0::/\n", "31 23 0:27 / /home/ada/cgroup2 rw - fuse.cgroup2 cgroup2 rw\n", nil),
        ] as [(String, String, String?)])
    func place(_ groups: String, _ mounts: String, _ folder: String?) {
        #expect(OwnControlGroup(groups: groups, mounts: mounts)?.folder == folder)
    }

    // MARK: - Limits

    @Test("limit what a bundle's programs take together, each and all of them")
    func limits() throws {
        let kernel = try FolderOfGroups()
        let groups = try kernel.take()
        let running = [
            try Self.begin(groups), try groups.begin("service", of: "test.bundle", .ofService),
        ]
        for (folder, memory, processes) in [
            (Self.bundle, "6442450944", "2048"), (Self.bundle + "/extension-1", "1073741824", "264"),
            (Self.bundle + "/service-2", "4294967296", "520"),
        ] {
            #expect(kernel.text(folder + "/memory.max") == memory)
            #expect(kernel.text(folder + "/memory.swap.max") == "0")
            #expect(kernel.text(folder + "/pids.max") == processes)
        }
        #expect(kernel.text(Self.bundle + "/cgroup.subtree_control") == "+memory +pids")
        #expect(kernel.text(Self.bundle + "/extension-1/memory.oom.group") == "1")
        withExtendedLifetime(running) {}
    }

    @Test("do without a limit of what is written out to the disk where the kernel writes nothing out")
    func noSwap() throws {
        let kernel = try FolderOfGroups(missing: ["memory.swap.max"])
        let group = try Self.begin(try kernel.take())
        #expect(kernel.text(Self.bundle + "/extension-1/memory.max") == "1073741824")
        withExtendedLifetime(group) {}
    }

    @Test("are not done without where a limit does not take: nothing is started")
    func limitsThatDoNotTake() throws {
        let kernel = try FolderOfGroups(missing: ["pids.max"])
        let groups = try kernel.take()
        #expect(throws: ProtocolError.self) { try Self.begin(groups) }
        #expect(!kernel.exists(Self.bundle))
    }

    // MARK: - Programs in them

    @Test("hold a program from its first instruction on, and go with it", .timeLimit(.minutes(2)))
    func joined() async throws {
        let kernel = try FolderOfGroups()
        let group = try Self.begin(try kernel.take())
        let place = "\(kernel.root)/\(Self.bundle)/extension-1"
        #expect(try await Self.output(of: "cat \(place)/cgroup.procs", in: group) == "0")
        #expect(!kernel.exists(Self.bundle))
    }

    @Test("leave a program nothing open but what it is given", .timeLimit(.minutes(2)))
    func descriptors() async throws {
        let group = try Self.begin(try FolderOfGroups().take())
        let script = "exec 5</proc/self/fd; echo /proc/self/fd/*"
        // The shell has opened one more to look.
        let open = try await Self.output(of: script, in: group).split { $0 == " " || $0 == "\n" }
        #expect(open.compactMap { $0.split(separator: "/").last } == ["0", "1", "2", "3", "5"])
    }

    @Test("keep a program from starting that cannot be put there")
    func notJoined() throws {
        let kernel = try FolderOfGroups(missing: [])
        let group = try Self.begin(try kernel.take())
        unlink("\(kernel.root)/\(Self.bundle)/extension-1/cgroup.procs")
        let error = #expect(throws: ProtocolError.self) {
            try GroupedProcess(in: group) { (folder) throws(ProtocolError) in
                try ChildProcess(path: "/bin/true", environment: [:], controlGroup: folder)
            }
        }
        #expect(error?.code == .system)
        #expect(!kernel.exists(Self.bundle))
    }

    @Test("say that a program is not there as it is said without them")
    func noProgram() throws {
        let group = try Self.begin(try FolderOfGroups().take())
        let error = #expect(throws: ProtocolError.self) {
            try GroupedProcess(in: group) { (folder) throws(ProtocolError) in
                try ChildProcess(path: "/nowhere", environment: [:], controlGroup: folder)
            }
        }
        #expect(error?.message.contains(SystemCall.describe(ENOENT)) == true)
    }

    @Test("are ended whole when their program is killed", .timeLimit(.minutes(2)))
    func killed() async throws {
        let kernel = try FolderOfGroups()
        let group = try Self.begin(try kernel.take())
        let place = "\(kernel.root)/\(Self.bundle)/extension-1"
        kernel.busy.withLock { $0 = [place] }
        let process = try GroupedProcess(in: group) { (folder) throws(ProtocolError) in
            try ChildProcess(path: "/bin/sleep", arguments: ["3600"], environment: [:], controlGroup: folder)
        }
        process.send(signal: SIGKILL)
        #expect(kernel.text(Self.bundle + "/extension-1/cgroup.kill") == "1")
        await withCheckedContinuation { continuation in process.onExit { _ in continuation.resume() } }
        kernel.busy.withLock { $0 = [] }
    }

    @Test("are ended whole when their program ends by itself: what it left runs no longer", .timeLimit(.minutes(2)))
    func ended() async throws {
        let kernel = try FolderOfGroups()
        let group = try Self.begin(try kernel.take())
        let place = "\(kernel.root)/\(Self.bundle)/extension-1"
        kernel.busy.withLock { $0 = [place] }
        _ = try await Self.output(of: "true", in: group)
        #expect(kernel.text(Self.bundle + "/extension-1/cgroup.kill") == "1")
        kernel.busy.withLock { $0 = [] }
    }

    @Test("of other programs of the bundle stay")
    func others() throws {
        let kernel = try FolderOfGroups()
        let groups = try kernel.take()
        let (first, second) = (try Self.begin(groups), try Self.begin(groups))
        first.end()
        #expect(!kernel.exists(Self.bundle + "/extension-1"))
        #expect(kernel.text(Self.bundle + "/extension-2/cgroup.kill") == "")
        second.end()
        #expect(!kernel.exists(Self.bundle))
    }

    // MARK: - What is said

    @Test(
        "say what a program took too much of",
        arguments: [
            (
                ["memory.events": "oom 1\noom_kill 3\n", "memory.events.local": "oom 1\n"],
                "used more than 1024 MiB of memory in all its processes together"
            ),
            (
                ["memory.events": "oom 0\noom_kill 3\n", "memory.events.local": "oom 0\n"],
                "was ended as memory ran out, that of all processes of its provider (6144 MiB) or that of the machine"
            ),
            (["pids.events": "max 7\n"], "needed more than 264 processes and threads at a time"),
            (["memory.events": "oom 0\noom_kill 0\n", "pids.events": "max 0\n"], nil),
        ] as [([String: String], String?)])
    func excess(_ files: [String: String], _ text: String?) throws {
        let kernel = try FolderOfGroups()
        let group = try Self.begin(try kernel.take())
        for (name, content) in files { try kernel.write(content, to: "\(Self.bundle)/extension-1/\(name)") }
        #expect(group.excess == text)
        group.end()
        #expect(group.excess == text, "also when the group is gone")
    }
}
