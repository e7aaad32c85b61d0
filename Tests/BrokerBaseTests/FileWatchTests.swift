import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import BrokerBase

/// What the kernel tells of files: no change of what an answer was made from may be missed.
struct FileWatchTests {
    /// A way to change what is found at `here/there/file`, in a folder of the test.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let prepare: @Sendable (TemporaryFolder) throws -> Void
        let make: @Sendable (TemporaryFolder) throws -> Void

        init(
            _ name: String, after prepare: @escaping @Sendable (TemporaryFolder) throws -> Void = { _ in },
            _ make: @escaping @Sendable (TemporaryFolder) throws -> Void
        ) {
            (testDescription, self.prepare, self.make) = (name, prepare, make)
        }
    }

    private static let path = "here/there/file"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("text", to: Self.path)
    }

    private static func call(_ name: String, _ result: CInt) throws {
        try #require(result == 0, "\(name): \(String(cString: strerror(errno)))")
    }

    /// Writes into the file that is there.
    private static func write(_ folder: TemporaryFolder, _ name: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        try file.write(contentsOf: Data("more".utf8))
        try file.close()
    }

    private static let changes = [
        Change("write") { try write($0, path) },
        Change("truncate") { try call("truncate", truncate("\($0.path)/\(path)", 1)) },
        Change("permissions of the file") { try call("chmod", chmod("\($0.path)/\(path)", 0o644)) },
        Change("permissions of a folder above") { try call("chmod", chmod("\($0.path)/here", 0o755)) },
        Change("times of the file") { try call("utimes", utimes("\($0.path)/\(path)", nil)) },
        Change("remove") { try call("unlink", unlink("\($0.path)/\(path)")) },
        Change("rename") { try call("rename", rename("\($0.path)/\(path)", "\($0.path)/elsewhere")) },
        Change("another file in its place") {
            try $0.write("other", to: "other")
            try call("rename", rename("\($0.path)/other", "\($0.path)/\(path)"))
        },
        Change("rename of its folder") { try call("rename", rename("\($0.path)/here/there", "\($0.path)/gone")) },
        Change("rename of the folder above") { try call("rename", rename("\($0.path)/here", "\($0.path)/gone")) },
        Change("write through another name", after: { try call("link", link("\($0.path)/\(path)", "\($0.path)/name")) })
        {
            try write($0, "name")
        },
        Change(
            "permissions through another name",
            after: { try call("link", link("\($0.path)/\(path)", "\($0.path)/name")) }
        ) { try call("chmod", chmod("\($0.path)/name", 0o640)) },
        Change("through a mapping, once it is closed") { folder in
            let file = open("\(folder.path)/\(path)", O_RDWR)
            let memory = mmap(nil, 4, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            close(file)
            memory?.storeBytes(of: 0, as: UInt8.self)
            munmap(memory, 4)
        },
        Change("link instead of the folder") {
            try call("rename", rename("\($0.path)/here/there", "\($0.path)/real"))
            try call("symlink", symlink("\($0.path)/real", "\($0.path)/here/there"))
        },
        Change(
            "link that leads elsewhere",
            after: {
                try $0.write("second", to: "second/file")
                try call("rename", rename("\($0.path)/here/there", "\($0.path)/first"))
                try call("symlink", symlink("../first", "\($0.path)/here/there"))
            }
        ) {
            try call("symlink", symlink("../second", "\($0.path)/link"))
            try call("rename", rename("\($0.path)/link", "\($0.path)/here/there"))
        },
        Change(
            "link on the way of a link",
            after: {
                try $0.write("second", to: "second/file")
                try call("rename", rename("\($0.path)/here/there", "\($0.path)/first"))
                try call("symlink", symlink("first", "\($0.path)/inner"))
                try call("symlink", symlink("\($0.path)/inner", "\($0.path)/here/there"))
            }
        ) {
            try call("unlink", unlink("\($0.path)/inner"))
            try call("symlink", symlink("second", "\($0.path)/inner"))
        },
        Change("where nothing was", after: { try call("unlink", unlink("\($0.path)/\(path)")) }) {
            try $0.write("new", to: path)
        },
        Change(
            "where no folder was",
            after: { try FileManager.default.removeItem(atPath: "\($0.path)/here") }
        ) { try call("mkdir", mkdir("\($0.path)/here", 0o700)) },
        Change(
            "where a link led nowhere",
            after: {
                try call("unlink", unlink("\($0.path)/\(path)"))
                try call("symlink", symlink("../../target", "\($0.path)/\(path)"))
            }
        ) { try $0.write("new", to: "target") },
    ]

    @Test(arguments: changes) func everyChangeIsToldBeforeTheNextQuestion(change: Change) throws {
        try change.prepare(folder)
        let trace = FileWatch().trace()
        trace.add(["\(folder.path)/\(Self.path)"])
        #expect(trace.isUnchanged)
        #expect(trace.isUnchanged)
        try change.make(folder)
        #expect(!trace.isUnchanged)
        #expect(!trace.isUnchanged)
    }

    @Test func emptyFolderThatSomebodyHoldsOpenIsGoneAllTheSame() throws {
        try folder.folder("empty")
        let held = open("\(folder.path)/empty", O_RDONLY)
        defer { close(held) }
        let trace = FileWatch().trace()
        trace.addNames(in: "\(folder.path)/empty")
        #expect(trace.isUnchanged)
        rmdir("\(folder.path)/empty")
        #expect(!trace.isUnchanged)
    }

    @Test func newNameInAFolderCountsOnlyWhereItsNamesDo() throws {
        let watch = FileWatch()
        let (one, all) = (watch.trace(), watch.trace())
        one.add(["\(folder.path)/here/there/file", "\(folder.path)/here"])
        all.addNames(in: "\(folder.path)/here/there")
        try folder.write("new", to: "here/there/new")
        try folder.write("new", to: "here/new")
        #expect(one.isUnchanged)
        #expect(!all.isUnchanged)
    }

    @Test func readingIsNoChange() throws {
        let trace = FileWatch().trace()
        trace.addNames(in: "\(folder.path)/here/there")
        trace.add(["\(folder.path)/\(Self.path)"])
        #expect(try folder.read(Self.path) == "text")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/here/there") == ["file"])
        #expect(trace.isUnchanged)
    }

    @Test func whatChangedBeforeATraceIsNoneOfItsOwn() throws {
        let watch = FileWatch()
        let before = watch.trace()
        before.add(["\(folder.path)/\(Self.path)"])
        try Self.write(folder, Self.path)
        let after = watch.trace()
        after.add(["\(folder.path)/\(Self.path)"])
        #expect(after.isUnchanged)
        #expect(!before.isUnchanged)
    }

    @Test func traceHearsOnWhenAnotherOneOfTheSameFileIsGone() throws {
        let watch = FileWatch()
        let kept = watch.trace()
        kept.add(["\(folder.path)/\(Self.path)"])
        for _ in 0..<3 { watch.trace().add(["\(folder.path)/\(Self.path)"]) }
        #expect(kept.isUnchanged)
        try Self.write(folder, Self.path)
        #expect(!kept.isUnchanged)
    }

    @Test func onlyANewPathIsNew() {
        let trace = FileWatch().trace()
        #expect(trace.add(["\(folder.path)/a", "\(folder.path)/b"]))
        #expect(!trace.add(["\(folder.path)/b"]))
        #expect(trace.add(["\(folder.path)/b", "\(folder.path)/c"]))
    }

    // MARK: - Where the kernel cannot tell

    @Test func whatTheKernelLeftOutMayHaveBeenAnything() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        try folder.folder("noise")
        let trace = FileWatch().trace()
        trace.add(["\(folder.path)/noise/file"])
        // None of it is about that file, and the queue is full.
        for _ in 0..<count / 2 + 2 {
            close(open("\(folder.path)/noise/x", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
            unlink("\(folder.path)/noise/x")
        }
        #expect(!trace.isUnchanged)
    }

    @Test func withoutNotificationsEverythingMayHaveChanged() {
        let trace = FileWatch(open: { -1 }).trace()
        trace.add([folder.path])
        #expect(!trace.isUnchanged)
    }

    @Test func fileThatTheKernelDoesNotWatchMayHaveChanged() {
        // No descriptor of inotify: whatever is added fails.
        let trace = FileWatch(open: { open("/dev/null", O_RDONLY | O_CLOEXEC) }).trace()
        trace.add([folder.path])
        #expect(!trace.isUnchanged)
    }

    @Test func fileThatOthersChangeBehindTheKernelMayHaveChanged() {
        let there = "\(folder.path)/here/there"
        let watch = FileWatch(isLocal: { !$0.hasPrefix(there) })
        let (near, far) = (watch.trace(), watch.trace())
        near.add(["\(folder.path)/here"])
        far.add(["\(folder.path)/\(Self.path)"])
        #expect(near.isUnchanged)
        #expect(!far.isUnchanged)
    }

    @Test(arguments: ["/proc/self", "/sys/kernel", "/nowhere/at/all"])
    func onlyFileSystemsOfThisMachineAreLocal(path: String) {
        #expect(!LocalFileSystem.holds(path))
    }
}
