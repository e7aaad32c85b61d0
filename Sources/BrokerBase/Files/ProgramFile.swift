import Glibc
import KeywayCrypto
package import KeywaySystem

/// The file of a program at one moment: which one, its owner, and its time of change. Cheap, because the content isn't
/// read.
package struct ProgramFile: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let modified: [Int]
    private let changed: [Int]
    private let mode: mode_t
    /// The user that the file belongs to.
    package let owner: UInt32

    /// The open file `file`; nil when the kernel says nothing about it.
    package init?(_ file: OwnedDescriptor) {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file at `path`; nil when there is none.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        mode = status.st_mode
        owner = status.st_uid
    }

    /// Whether both are the same file, whatever became of it between.
    package func isSameFile(as other: ProgramFile) -> Bool { device == other.device && inode == other.inode }

    /// Whether users may change it that it does not belong to.
    package var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// Why the file cannot count as an app, in a clause; nil when it can.
    package var problem: String? {
        guard mode & S_IFMT == S_IFREG else { return "it isn't a regular file" }
        guard mode & 0o111 != 0 else { return "it isn't executable" }
        guard owner == 0 || owner == geteuid(), !isWritableByOthers else { return "other users can change it" }
        return nil
    }
}

/// What a program's file holds, told in 32 bytes.
package enum ProgramDigest {
    private static let piece = 1 << 20

    /// The digest of all that `file` holds: BLAKE2b of each mebibyte behind the digest of all before it.
    ///
    /// - Parameter mustBeBinary: whether a script is refused.
    /// - Throws: ``ProtocolError``: `refused` when it is no binary for this machine's kernel, `system` when it cannot be
    ///   read.
    package static func make(of file: OwnedDescriptor, mustBeBinary: Bool = true) throws(ProtocolError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var room = [UInt8](repeating: 0, count: digest.count + piece)
        var offset = 0
        while true {
            let count = try read(file, at: offset, into: &room)
            if offset == 0 && mustBeBinary { try checkIsBinary(room[digest.count...].prefix(count)) }
            guard count > 0 else { return digest }
            room.replaceSubrange(..<digest.count, with: digest)
            digest = room.withUnsafeBytes { bytes in
                Digest.blake2b(UnsafeRawBufferPointer(rebasing: bytes[..<(32 + count)]), count: 32)
            }
            offset += count
        }
    }

    /// One piece behind the place for the digest: as much as there is.
    private static func read(
        _ file: OwnedDescriptor, at offset: Int, into room: inout [UInt8]
    ) throws(ProtocolError) -> Int {
        let count = room.withUnsafeMutableBytes { bytes in
            WholeTransfer.read(
                into: UnsafeMutableRawBufferPointer(rebasing: bytes[32..<(32 + piece)]), from: file.rawValue, at: offset
            )
        }
        guard let count else { throw .system("read", errno) }
        return count
    }

    /// A script runs as its interpreter, which runs everybody's scripts.
    private static func checkIsBinary(_ start: ArraySlice<UInt8>) throws(ProtocolError) {
        guard start.starts(with: [0x7F] + Array("ELF".utf8)) else {
            throw ProtocolError(.refused, "it is a script, which Keyway can't tell from other scripts")
        }
    }
}
