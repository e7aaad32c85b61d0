import Glibc
import KeywayCrypto

/// Text of many items in a few large regions that never move, are left out of core dumps, and are wiped at the end.
final class TextArena {
    /// One region; texts lie in it one after another.
    final class Chunk {
        let memory: UnsafeMutableRawBufferPointer
        fileprivate(set) var used = 0
        /// Where each text starts, ascending, and to which entry it belonged when it was added.
        fileprivate(set) var starts: [UInt32] = []
        fileprivate(set) var owners: [UInt32] = []

        fileprivate init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

        var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<used]) }
    }

    private static let pageSize = 4096
    private let chunkSize: Int
    private let keepsOwners: Bool
    private(set) var chunks: [Chunk] = []
    /// Bytes of texts that were taken away and whose room is not used again.
    private(set) var wasted = 0

    /// - Parameter keepsOwners: whether ``owner(at:in:)`` will be asked.
    init(keepsOwners: Bool, chunkSize: Int = 1 << 20) {
        self.keepsOwners = keepsOwners
        self.chunkSize = chunkSize
    }

    deinit {
        for chunk in chunks {
            wipe(UnsafeMutableRawBufferPointer(rebasing: chunk.memory[..<chunk.used]))
            free(chunk.memory.baseAddress)
        }
    }

    /// Copies text to a place where it stays.
    func append(_ text: UnsafeRawBufferPointer, owner: UInt32) -> UnsafeMutableRawBufferPointer {
        let chunk = chunk(with: text.count)
        let start = chunk.used
        let room = UnsafeMutableRawBufferPointer(rebasing: chunk.memory[start..<start + text.count])
        room.copyMemory(from: text)
        chunk.used += text.count
        if keepsOwners {
            chunk.starts.append(UInt32(start))
            chunk.owners.append(owner)
        }
        return room
    }

    /// Wipes a text; its room is lost until the arena goes away.
    func remove(_ text: UnsafeMutableRawBufferPointer) {
        wipe(text)
        wasted += text.count
    }

    /// The entry that the text around a place belonged to, and where that text starts.
    func owner(at offset: Int, in chunk: Chunk) -> (entry: UInt32, start: Int) {
        var (low, high) = (0, chunk.starts.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if chunk.starts[middle] <= offset { low = middle } else { high = middle - 1 }
        }
        return (chunk.owners[low], Int(chunk.starts[low]))
    }

    /// The newest chunk, or another one where it has no room for that many bytes.
    private func chunk(with needed: Int) -> Chunk {
        if let last = chunks.last, last.memory.count - last.used >= needed { return last }
        let size = max(chunkSize, (needed + Self.pageSize - 1) / Self.pageSize * Self.pageSize)
        var start: UnsafeMutableRawPointer?
        guard posix_memalign(&start, Self.pageSize, size) == 0, let start else {
            preconditionFailure("no memory for \(size) bytes of text")
        }
        madvise(start, size, MADV_DONTDUMP)
        let chunk = Chunk(UnsafeMutableRawBufferPointer(start: start, count: size))
        chunks.append(chunk)
        return chunk
    }
}
