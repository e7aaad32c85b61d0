import Glibc

/// Whole small files.
package enum FileContents {
    /// What can be read from `file`, `limit` bytes at most.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    package static func read(_ file: OwnedDescriptor, limit: Int) throws(ProtocolError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < limit {
            let count = Glibc.read(file.rawValue, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .system("read", errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// What is on the disk when a file was replaced.
    package enum Durability {
        /// Perhaps nothing: after a power cut there may be the old file, the new one, or one that holds nothing.
        case none
        /// The new contents: after a power cut there is the old file or the new one.
        case contents
        /// The new contents and their name: after a power cut there is the new file.
        case whole
    }

    /// Puts `bytes` in the place of the file at `path`: all of them or none. Each step of `durability` waits for the disk
    /// once more.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`; the file is then what it was.
    package static func replace(
        _ path: String, with bytes: [UInt8], durability: Durability = .whole
    ) throws(ProtocolError) {
        let temporary = path + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let file = OwnedDescriptor(
            try SystemCall.check("open \(temporary)") { open(temporary, flags, mode_t(0o600)) })
        do throws(ProtocolError) {
            guard bytes.withUnsafeBytes({ WholeTransfer.write($0, to: file.rawValue) }) else {
                throw ProtocolError.system("write \(temporary)", errno)
            }
            if durability != .none { try SystemCall.check("fsync \(temporary)") { fsync(file.rawValue) } }
            try SystemCall.check("rename \(temporary)") { rename(temporary, path) }
        } catch {
            unlink(temporary)
            throw error
        }
        if durability == .whole { flushName(of: path) }
    }

    /// Waits until the name of the file at `path` is on the disk. Where that can't be had, a power cut may take the name;
    /// the file is there all the same.
    package static func flushName(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
