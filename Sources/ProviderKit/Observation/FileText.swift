import Glibc
import KeywaySystem

/// Whole files as bytes.
enum FileText {
    /// What the file holds, `limit` bytes of it at most; nil when it cannot be read.
    static func bytes(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = OwnedDescriptor(descriptor)
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while result.count < limit {
            let count = read(file.rawValue, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            result += part[..<count]
        }
        return result.count > limit ? Array(result[..<limit]) : result
    }
}
