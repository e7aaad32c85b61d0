import AutoFillProtocol
import Glibc
import KeywayCrypto
import KeywaySystem

/// The least of the sources: a file that only the person may read. Whoever has the disk has the key.
struct KeyFile: KeySource {
    let folder: String

    var kind: BrokerStatus.StoreKeyState.Source { .file }

    var name: String { "A file" }

    var obstacle: String? { nil }

    private var path: String { "\(folder)/store-key.bin" }

    func keep(_ key: SecretKey, identifier: String) throws(KeySourceError) -> String? {
        try key.bytes.withUnsafeBytes { (bytes) throws(KeySourceError) in try Self.replace(path, with: bytes) }
        return nil
    }

    func open(_ record: KeyRecord) throws(KeySourceError) -> SecretKey {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            throw errno == ENOENT
                ? KeySourceError(.lost, "The file of the store key is gone.")
                : KeySourceError(.unavailable, "Couldn't open \(path): \(SystemCall.describe(errno)).")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw KeySourceError(.unavailable, "Other users have access to \(path). Run: chmod 600 \(path)")
        }
        guard status.st_size == SecretKey.count else {
            throw KeySourceError(.lost, "The file of the store key is damaged.")
        }
        return SecretKey(
            try SecretBytes(count: SecretKey.count) { (room) throws(KeySourceError) in
                guard WholeTransfer.read(into: room, from: file) == room.count else {
                    throw KeySourceError(.unavailable, "Couldn't read \(path): \(SystemCall.describe(errno)).")
                }
            })
    }

    /// Overwrites and removes a key that is used no longer.
    static func remove(in folder: String) {
        let path = "\(folder)/store-key.bin"
        let file = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return }
        _ = [UInt8](repeating: 0, count: SecretKey.count).withUnsafeBytes { WholeTransfer.write($0, to: file) }
        fsync(file)
        close(file)
        unlink(path)
    }

    /// What is in a small file; nil where there is none.
    ///
    /// - Throws: ``KeySourceError``: `unavailable` where there is one, or may be, that cannot be read.
    static func read(_ path: String, limit: Int) throws(KeySourceError) -> [UInt8]? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("open", path)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        guard let count = bytes.withUnsafeMutableBytes({ WholeTransfer.read(into: $0, from: file) }) else {
            throw failure("read", path)
        }
        return Array(bytes[..<count])
    }

    /// Puts bytes in the place of a file, mode 0600: all or none, on the disk when this returns.
    static func replace(_ path: String, with bytes: UnsafeRawBufferPointer) throws(KeySourceError) {
        let temporary = path + ".new"
        unlink(temporary)
        let file = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        guard file >= 0 else { throw failure("open", temporary) }
        let isWritten = WholeTransfer.write(bytes, to: file) && fsync(file) == 0
        close(file)
        guard isWritten, rename(temporary, path) == 0 else {
            let error = failure("write", path)
            unlink(temporary)
            throw error
        }
        FileContents.flushName(of: path)
    }

    private static func failure(_ step: String, _ path: String) -> KeySourceError {
        KeySourceError(.unavailable, "\(step) \(path): \(SystemCall.describe(errno)).")
    }
}
