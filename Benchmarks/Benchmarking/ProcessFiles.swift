import Glibc

/// The files in which the kernel tells of processes.
enum ProcessFiles {
    /// All of a file; nil where it is not there, or empty.
    static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            guard count > 0 else { break }
            text += chunk[..<count]
        }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
