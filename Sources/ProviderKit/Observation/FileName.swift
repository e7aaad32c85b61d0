import CObservation
import FoundationEssentials
import Glibc

/// The name that a call of a watched program has for a file.
struct FileName {
    private static let startFolder = FileManager.default.currentDirectoryPath
    private static let streams: [String: CInt] = ["/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2]

    /// The absolute path of the file, without links; for what has none, how the kernel calls it; nil when the name
    /// cannot be read.
    let path: String?

    /// The file that `name` is for the thread `caller`, which waits.
    init(_ name: cobservation_name, of caller: pid_t) {
        let text = name.address == 0 ? "" : ProcessMemory(caller).string(at: name.address)
        guard let text else {
            path = nil
            return
        }
        if let number = text.isEmpty ? name.folder : Self.descriptor(in: text, of: caller) {
            // There is no file without a name: the call fails.
            path = number == AT_FDCWD ? "" : Self.target(of: number, of: caller)
            return
        }
        let base: String?
        if text.hasPrefix("/") {
            base = ""
        } else {
            base = name.folder == AT_FDCWD ? Self.folder(of: caller) : Self.target(of: name.folder, of: caller)
        }
        path = base.map { PathName.destination(of: $0 + "/" + text, following: name.is_followed != 0) }
    }

    /// Where a program stands. That may be hidden: it was started here, and few ever go elsewhere.
    static func folder(of caller: pid_t) -> String {
        PathName.target(ofLink: "/proc/\(caller)/cwd") ?? startFolder
    }

    private static func target(of number: CInt, of caller: pid_t) -> String? {
        OtherProcess(of: caller)?.descriptor(number).flatMap {
            PathName.target(ofLink: "/proc/self/fd/\($0.rawValue)")
        }
    }

    /// The descriptor that a path names: what `self` is there, is somebody else here.
    private static func descriptor(in path: String, of caller: pid_t) -> CInt? {
        if let number = streams[path] { return number }
        let folders = ["/proc/self/fd/", "/proc/thread-self/fd/", "/proc/\(caller)/fd/", "/dev/fd/"]
        return folders.first { path.hasPrefix($0) }.flatMap { CInt(path.dropFirst($0.count)) }
    }
}
