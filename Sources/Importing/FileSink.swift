import CredentialExchange
import KeywayCrypto

/// A file that is attached to an entry: what it is called, and what is in it, which lies in a ``FileSink``.
package struct ImportedFile: Sendable, Equatable {
    /// What is in a file, without its bytes.
    package struct Mark: Sendable, Hashable {
        /// The SHA-256.
        package let hash: [UInt8]
        /// How many bytes there are.
        package let size: Int
    }

    /// The longest name, in bytes.
    private static let longestName = 255

    /// Its name: a label, never a path.
    package let name: String
    /// What is in it.
    package let mark: Mark

    /// A file. What is too long of its name is cut off.
    package init(name: String, _ mark: Mark) {
        var name = name.isEmpty ? "file" : name
        while name.utf8.count > Self.longestName { name.removeLast() }
        self.name = name
        self.mark = mark
    }
}

/// Takes what is in files that are attached to entries, wherever a reader finds it, piece by piece: so no reader keeps it
/// until it knows whose it is.
package final class FileSink {
    private let write: (UnsafeRawBufferPointer, Int) -> Bool
    private let largest: Int
    private let mostBytes: Int
    /// Where the next file begins.
    private var next: Int
    private let start: Int
    private var files: [(hash: [UInt8], place: Range<Int>)] = []
    private var known: Set<ImportedFile.Mark> = []
    /// The file that is being taken: how much of it there is, and its hash; nil for none.
    private var open: (size: Int, hash: SHA256Stream)?

    /// A sink.
    ///
    /// - Parameters:
    ///   - start: where the first file begins.
    ///   - write: puts bytes somewhere, and says whether it could.
    package init(
        start: Int = ExchangeBundle.contentsStart, largest: Int = ExchangeBundle.largestFile,
        mostBytes: Int = ExchangeBundle.mostBytes, _ write: @escaping (UnsafeRawBufferPointer, Int) -> Bool
    ) {
        self.write = write
        self.largest = largest
        self.mostBytes = mostBytes
        self.start = start
        next = start
    }

    /// Begins a file.
    package func begin() { open = (0, SHA256Stream()) }

    /// Takes the next bytes of the file that was begun. Of a file that is too large nothing is kept.
    ///
    /// - Throws: ``ImportError``: `failed`.
    package func add(_ bytes: UnsafeRawBufferPointer) throws(ImportError) {
        guard var (size, hash) = open else { return }
        guard size <= largest, next - start + size + bytes.count <= mostBytes else {
            open = (largest + 1, hash)
            return
        }
        hash.update(bytes)
        guard write(bytes, next + size) else { throw ImportError(.failed, "what was read couldn't be written") }
        size += bytes.count
        open = (size, hash)
    }

    /// Ends the file that was begun.
    ///
    /// - Returns: what is in it; nil where it, or all of them, are larger than what is kept.
    package func end() -> ImportedFile.Mark? {
        guard let (size, state) = open else { return nil }
        var hash = state
        open = nil
        guard size <= largest, files.count < ExchangeBundle.mostFiles else { return nil }
        let mark = ImportedFile.Mark(hash: hash.finish(), size: size)
        // What is there already takes no more room.
        guard known.insert(mark).inserted else { return mark }
        files.append((mark.hash, next..<next + size))
        next += size
        return mark
    }

    /// Takes a whole file.
    ///
    /// - Returns: as ``end()``.
    /// - Throws: as ``add(_:)``.
    package func take(_ bytes: UnsafeRawBufferPointer) throws(ImportError) -> ImportedFile.Mark? {
        begin()
        try add(bytes)
        return end()
    }

    /// Notes that what is in a file lies elsewhere already.
    package func note(_ hash: [UInt8], size: Int) { known.insert(ImportedFile.Mark(hash: hash, size: size)) }

    /// Whether it has what is in such a file.
    package func has(_ hash: [UInt8], size: Int) -> Bool { known.contains(ImportedFile.Mark(hash: hash, size: size)) }

    /// Ends it, where there is any file.
    ///
    /// - Parameter count: the length of the document.
    /// - Throws: as ``add(_:)``.
    package func finish(document count: Int) throws(ImportError) {
        guard !files.isEmpty else { return }
        let end = ExchangeBundle.end(document: count, table: next, files)
        guard end.withUnsafeBytes({ write($0, next) }) else {
            throw ImportError(.failed, "what was read couldn't be written")
        }
    }

    /// What is told of a file that isn't kept.
    package static func notice(tooLarge name: String) -> String {
        "Its file “\(name)” is left out: files of up to \(ExchangeBundle.largestFile >> 20) MiB are kept, "
            + "and \(ExchangeBundle.mostBytes >> 20) MiB of one import."
    }
}
