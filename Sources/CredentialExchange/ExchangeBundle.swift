import SecretDocuments

/// A document with what is in the files that it names, as both travel between Keyway's programs: the document first, what is
/// in files behind it, found by its SHA-256, and a table of that at the end. A document by itself is one without files.
///
///     document | … what is in files … | table: hash (32), offset (8), length (8) each | length of the document (8) |
///     offset of the table (8) | number of files (8) | mark (8)
///
/// Numbers are little-endian. Nothing is believed of it: whoever stores what is in a file compares its hash.
package struct ExchangeBundle {
    /// The document.
    package let document: UnsafeRawBufferPointer
    /// How many files there are.
    package var count: Int { places.count }
    private let places: [[UInt8]: Range<Int>]
    private let bytes: UnsafeRawBufferPointer

    /// What a bundle with files ends with. No JSON has a zero in it.
    private static let mark = Array("\0KWFILES".utf8)
    /// How long a hash is.
    package static let hashCount = 32
    private static let entryCount = hashCount + 16
    private static let endCount = 24 + mark.count
    /// The most bytes of a file: 64 MiB.
    package static let largestFile = 64 << 20
    /// The most bytes of all files together: 256 MiB.
    package static let mostBytes = 256 << 20
    /// The most files.
    package static let mostFiles = 100_000
    /// Where what is in files begins in a bundle that is written while the document grows: behind the longest one. The gap
    /// is a hole, which takes no memory.
    package static let contentsStart = DocumentLimits.longestDocument + 1 << 20
    /// The most bytes of a bundle, with its gap.
    package static let longest = contentsStart + mostBytes + mostFiles * entryCount + endCount

    /// Reads it; the bytes must stay.
    ///
    /// - Throws: ``ExchangeError``: `unreadable` for one that is none.
    package init(_ bytes: UnsafeRawBufferPointer) throws(ExchangeError) {
        self.bytes = bytes
        guard bytes.count >= Self.endCount, bytes.suffix(Self.mark.count).elementsEqual(Self.mark) else {
            (document, places) = (bytes, [:])
            return
        }
        let end = bytes.count - Self.endCount
        func number(_ offset: Int) throws(ExchangeError) -> Int {
            let value = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            guard let number = Int(exactly: value), number <= bytes.count else { throw Self.damaged }
            return number
        }
        let (length, table, count) = (try number(end), try number(end + 8), try number(end + 16))
        guard count <= Self.mostFiles, length <= table, table + count * Self.entryCount == end else {
            throw Self.damaged
        }
        var places: [[UInt8]: Range<Int>] = [:]
        for index in 0..<count {
            let entry = table + index * Self.entryCount
            let start = try number(entry + Self.hashCount)
            let size = try number(entry + Self.hashCount + 8)
            guard size <= Self.largestFile, start >= length, start + size <= table else { throw Self.damaged }
            places[Array(bytes[entry..<entry + Self.hashCount])] = start..<start + size
        }
        document = UnsafeRawBufferPointer(rebasing: bytes[..<length])
        self.places = places
    }

    private static let damaged = ExchangeError(.unreadable, "what is in the files of the document can't be found")

    /// What is in the file with that hash; nil where it isn't here. Whether it has that hash is for the caller to see.
    package subscript(hash: [UInt8]) -> UnsafeRawBufferPointer? {
        places[hash].map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
    }

    /// The hashes of all files, in the order in which they lie.
    package var hashes: [[UInt8]] { places.sorted { $0.value.lowerBound < $1.value.lowerBound }.map(\.key) }

    /// The end of a bundle.
    ///
    /// - Parameters:
    ///   - document: the length of the document.
    ///   - table: where the end will stand.
    ///   - files: what is where.
    package static func end(
        document: Int, table: Int, _ files: [(hash: [UInt8], place: Range<Int>)]
    ) -> [UInt8] {
        var end: [UInt8] = []
        func append(_ number: Int) {
            withUnsafeBytes(of: UInt64(number).littleEndian) { end.append(contentsOf: $0) }
        }
        for file in files {
            end += file.hash
            append(file.place.lowerBound)
            append(file.place.count)
        }
        append(document)
        append(table)
        append(files.count)
        return end + mark
    }
}
