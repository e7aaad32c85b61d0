import Foundation
import PassEntries

/// The file of an entry.
struct EntryFile: Sendable {
    /// Where it lies.
    let path: String
    private let umask: mode_t

    /// The file of the entry `name`.
    init(_ name: EntryName, _ settings: StoreSettings) {
        path = "\(settings.folder)/\(name.text).gpg"
        umask = settings.umask
    }

    /// Whether it is there, as a file that is not larger than an encrypted entry can be.
    ///
    /// - Throws: ``StoreError``: `notFound` or `tooLarge`.
    func check() throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notFound }
        guard status.st_size <= EntryContents.maximumBytes * 2 else { throw .tooLarge }
    }

    /// Whether anything has that name.
    var exists: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Makes the folders above it, readable by whom the umask lets read.
    ///
    /// - Returns: those that were not there, the outermost first.
    /// - Throws: ``StoreError/failed(_:)``.
    @discardableResult
    func makeFolders() throws(StoreError) -> [String] {
        var missing: [String] = []
        var folder = (path as NSString).deletingLastPathComponent
        while access(folder, F_OK) != 0, folder.count > 1 {
            missing.append(folder)
            folder = (folder as NSString).deletingLastPathComponent
        }
        for folder in missing.reversed() {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .failed("\(folder) cannot be made.") }
            chmod(folder, 0o777 & ~umask)
        }
        return missing.reversed()
    }

    /// Writes a new file, whole or not at all.
    ///
    /// - Throws: ``StoreError``: `exists`, also when it came about in the meantime, or `failed`.
    func create(_ bytes: SecretBuffer) throws(StoreError) {
        let temporary = try write(bytes, beside: path)
        defer { unlink(temporary) }
        if link(temporary, path) == 0 { return }
        guard errno != EEXIST, !exists else { throw .exists }
        // A file system without hard links.
        guard rename(temporary, path) == 0 else { throw .failed("\(path) cannot be written.") }
    }

    /// Writes other contents into a file that is there, or into the one that a link leads to.
    ///
    /// - Throws: ``StoreError/failed(_:)``; then the old file is still there.
    func replace(_ bytes: SecretBuffer) throws(StoreError) {
        guard let target = realpath(path, nil) else { throw .notFound }
        defer { free(target) }
        let place = String(cString: target)
        let temporary = try write(bytes, beside: place)
        guard rename(temporary, place) == 0 else {
            unlink(temporary)
            throw .failed("\(path) cannot be written.")
        }
    }

    /// Writes the bytes into a file beside `path`, with a name that `pass` does not take for an entry.
    private func write(_ bytes: SecretBuffer, beside path: String) throws(StoreError) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        let temporary = "\(folder)/.tmp.\(UInt64.random(in: 0 ... .max)).--"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .failed("\(folder) cannot be written.") }
        defer { close(file) }
        let isWritten = bytes.withBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count > 0 || errno == EINTR else { return false }
                rest = rest.dropFirst(max(count, 0))
            }
            return true
        }
        guard isWritten, fchmod(file, 0o666 & ~umask) == 0, fsync(file) == 0 else {
            unlink(temporary)
            throw .failed("\(folder) cannot be written.")
        }
        return temporary
    }
}
