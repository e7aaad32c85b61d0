import Glibc

/// A folder that goes with the test.
final class Folder {
    let path: String

    init() {
        var template = Array("/tmp/keyway-browser-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { start in
            start.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
        }
    }

    deinit {
        for name in ["data", "data-wal", "data-shm", "Login Data", "logins.json", "link"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// What is in a file.
    static func bytes(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Missing() }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard read(file, &bytes, bytes.count) == bytes.count else { throw Missing() }
        return bytes
    }

    /// Writes a file.
    func write(_ bytes: [UInt8], to name: String) {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    struct Missing: Error {}
}
