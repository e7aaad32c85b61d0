import Glibc
import KeywaySystem

/// What the kernel does with folders of control groups that it does with no others. A seam: tests put a folder of
/// ordinary files there.
protocol ControlGroupKernel: Sendable {
    /// Makes a group; its files are there at once.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`, unless the group is there already.
    func make(_ folder: String) throws(ProtocolError)
    /// Removes a group in which nothing runs; false while something does.
    func remove(_ folder: String) -> Bool
    /// Whether whoever manages the groups of the system has handed this one over.
    func isHandedOver(_ folder: String) -> Bool
}

/// The kernel that runs.
struct SystemControlGroups: ControlGroupKernel {
    func make(_ folder: String) throws(ProtocolError) {
        guard mkdir(folder, 0o755) != 0, errno != EEXIST else { return }
        throw .system("mkdir \(folder)", errno)
    }

    func remove(_ folder: String) -> Bool { rmdir(folder) == 0 || errno == ENOENT }

    /// The unit whose file says `Delegate=`.
    private static let unit = "keywayd.service"

    /// The system's manager says so by an attribute of the folder, for those that `Delegate=` names. A user's manager
    /// (systemd 252) says it nowhere: there it is the group of our own unit, and the user's. Any other group it may change
    /// at any time, and moves processes as it likes.
    func isHandedOver(_ folder: String) -> Bool {
        if FileAttribute.value(of: folder, "user.delegate") == Array("1".utf8) { return true }
        var facts = stat()
        return folder.hasSuffix("/\(Self.unit)") && lstat(folder, &facts) == 0 && facts.st_uid == getuid()
    }
}

/// Files of control groups: one value each, written at once.
enum ControlGroupFile {
    private static let limit = 1 << 16

    /// - Throws: ``ProtocolError`` with the code `system`.
    static func write(_ text: String, to path: String) throws(ProtocolError) {
        let file = OwnedDescriptor(
            try SystemCall.check("open \(path)") { open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW) })
        let bytes = Array(text.utf8)
        guard Glibc.write(file.rawValue, bytes, bytes.count) == bytes.count else {
            throw .system("write \(path)", errno)
        }
    }

    /// Nothing where it cannot be read.
    static func read(_ path: String) -> String {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0, let bytes = try? FileContents.read(OwnedDescriptor(number), limit: limit) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number behind `name` in a file of such lines; 0 where there is none.
    static func count(_ name: String, in path: String) -> UInt64 {
        for line in read(path).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, words[0] == name { return UInt64(words[1]) ?? 0 }
        }
        return 0
    }
}
