import Glibc
import KeywaySystem

/// The machine that this process runs on.
package struct SystemMachine: Machine {
    package let home: String

    /// The machine, with the home folder of `environment`.
    package init(environment: [String: String]) {
        home = environment["HOME"] ?? "/"
    }

    package var user: UInt32 { geteuid() }

    package func facts(_ path: String) -> FileFacts? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let kind: FileFacts.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .folder
            case S_IFREG: .file
            case S_IFLNK: .link
            default: .other
            }
        return FileFacts(kind: kind, mode: status.st_mode & 0o7777, owner: status.st_uid)
    }

    package func read(_ path: String, limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = min(Int(status.st_size), limit)
        return [UInt8](unsafeUninitializedCapacity: size) { room, count in
            count = WholeTransfer.read(into: UnsafeMutableRawBufferPointer(room), from: file) ?? 0
        }
    }

    package func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package func isWritableFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && access(path, W_OK | X_OK) == 0
    }

    package func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    package func makeFolder(_ path: String) throws(CommandError) {
        var parent = ""
        for part in path.split(separator: "/") {
            parent += "/" + part
            guard mkdir(parent, 0o700) != 0, errno != EEXIST else { continue }
            throw failure("mkdir \(parent)")
        }
    }

    package func setMode(_ path: String, _ mode: UInt32) throws(CommandError) {
        guard chmod(path, mode) == 0 else { throw failure("chmod \(path)") }
    }

    package func replace(_ path: String, with text: String, mode: UInt32) throws(CommandError) {
        let new = "\(path).\(getpid()).new"
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
        guard file >= 0 else { throw failure("open \(new)") }
        defer { close(file) }
        do throws(CommandError) {
            try DescriptorSink(file).write(text)
            // The mode that is asked for, whatever the umask took away.
            guard fchmod(file, mode) == 0, fsync(file) == 0, rename(new, path) == 0 else {
                throw failure("rename \(path)")
            }
        } catch {
            unlink(new)
            throw error
        }
    }

    package var limits: ProcessLimits {
        ProcessLimits(
            coreDump: Self.limit(Int32(RLIMIT_CORE.rawValue)),
            lockedMemory: Self.limit(Int32(__RLIMIT_MEMLOCK.rawValue)))
    }

    package var program: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    private static func limit(_ resource: Int32) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
        return UInt64(limit.rlim_cur)
    }

    private func failure(_ call: String) -> CommandError {
        CommandError(.failure, "\(call): \(SystemCall.describe(errno))")
    }
}
