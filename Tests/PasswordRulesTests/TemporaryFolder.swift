import FoundationEssentials
import Glibc

/// A folder that is gone with this value.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/quirks-XXXXXX".utf8CString)
        path = try template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, mkdtemp(start) != nil else { throw CocoaError(.fileWriteUnknown) }
            return String(cString: start)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }
}
