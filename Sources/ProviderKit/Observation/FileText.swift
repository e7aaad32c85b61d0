import Glibc
import KeywaySystem

/// Whole files as bytes.
enum FileText {
    /// What the file holds, `limit` bytes of it at most; nil when it cannot be read.
    static func bytes(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        return try? FileContents.read(OwnedDescriptor(descriptor), limit: limit)
    }
}
