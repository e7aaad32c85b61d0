import FoundationEssentials

/// How many wrong master passwords were given in a row, noted in a file: ending the service must not end the wait.
struct FailureCount: Sendable {
    private let path: String?

    /// The count in the file at `path`; one that is not kept where there is none.
    init(path: String?) {
        self.path = path
    }

    /// What was noted; 0 where nothing is, or nothing that is a number.
    func read() -> Int {
        guard let path, let data = FileManager.default.contents(atPath: path) else { return 0 }
        let digits = String(decoding: data, as: UTF8.self).prefix { $0.isASCII && $0.isNumber }
        return Int(digits) ?? (digits.isEmpty ? 0 : .max)
    }

    /// Notes `count`; removes the file for 0.
    ///
    /// - Throws: what the file system says.
    func write(_ count: Int) throws {
        guard let path else { return }
        if count > 0 {
            try Data("\(count)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        } else if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
