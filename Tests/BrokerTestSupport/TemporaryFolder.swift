package import Foundation

/// A folder of one test, mode 0700, removed with this object.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    /// Makes it.
    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/keyway-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Makes the folder `name` in it.
    @discardableResult
    package func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        return "\(path)/\(name)"
    }

    /// Writes a file, and the folders above it.
    @discardableResult
    package func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(Data(text.utf8), to: name, mode: mode)
    }

    /// The same, of bytes.
    @discardableResult
    package func write(_ data: Data, to name: String, mode: Int = 0o600) throws -> String {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    /// The text of a file.
    package func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// Whether there is something called `name`.
    package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }
}

/// Files that tests share: `Tests/Vectors`.
package enum Vectors {
    /// The lines of one of them.
    package static func lines(_ name: String) throws -> [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: folder.appendingPathComponent("Vectors/\(name)"), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }
}
