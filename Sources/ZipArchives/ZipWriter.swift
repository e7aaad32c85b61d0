import CZip
import Glibc

/// Writes a zip archive in memory, of members that are no secret, as they are encrypted.
package final class ZipWriter {
    private let source: OpaquePointer
    private let archive: OpaquePointer
    private var isClosed = false

    /// An empty archive.
    ///
    /// - Throws: ``ZipError``: `failed`.
    package init() throws(ZipError) {
        guard let source = zip_source_buffer_create(nil, 0, 0, nil) else { throw Self.failure }
        // The archive frees it when it is closed; here it is read afterwards.
        zip_source_keep(source)
        guard let archive = zip_open_from_source(source, CInt(ZIP_TRUNCATE), nil) else {
            zip_source_free(source)
            zip_source_free(source)
            throw Self.failure
        }
        self.source = source
        self.archive = archive
    }

    deinit {
        if !isClosed { zip_discard(archive) }
        zip_source_free(source)
    }

    /// Adds a member, which is packed. When it was made is not noted.
    ///
    /// - Throws: ``ZipError``: `failed`, also for a name that is there.
    package func add(_ name: String, _ content: [UInt8]) throws(ZipError) {
        // The library frees it once it was written.
        guard let copy = malloc(max(content.count, 1)) else { throw Self.failure }
        content.withUnsafeBytes { bytes in _ = bytes.baseAddress.map { memcpy(copy, $0, bytes.count) } }
        guard let member = zip_source_buffer(archive, copy, UInt64(content.count), 1) else {
            free(copy)
            throw Self.failure
        }
        let index = zip_file_add(archive, name, member, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(member)
            throw Self.failure
        }
        zip_file_set_mtime(archive, UInt64(index), Self.earliestTime, 0)
    }

    /// Ends the archive.
    ///
    /// - Returns: its bytes.
    /// - Throws: ``ZipError``: `failed`, also for one without members.
    package func finish() throws(ZipError) -> [UInt8] {
        precondition(!isClosed, "an archive was ended twice")
        guard zip_close(archive) == 0 else { throw Self.failure }
        isClosed = true
        guard zip_source_open(source) == 0 else { throw Self.failure }
        defer { zip_source_close(source) }
        guard zip_source_seek(source, 0, SEEK_END) == 0 else { throw Self.failure }
        let count = zip_source_tell(source)
        guard count > 0, zip_source_seek(source, 0, SEEK_SET) == 0 else { throw Self.failure }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard zip_source_read(source, &bytes, UInt64(count)) == count else { throw Self.failure }
        return bytes
    }

    /// The first second of 1980: the earliest that an archive can say.
    private static let earliestTime = time_t(315_532_800)

    private static var failure: ZipError { ZipError(.failed, "the zip archive couldn't be written") }
}
