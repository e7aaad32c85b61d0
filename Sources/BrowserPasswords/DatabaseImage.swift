import Importing
import KeywaySQLite

/// A database of SQLite as it is in memory: the file, and what its write-ahead log holds that is committed.
enum DatabaseImage {
    /// The bytes that a file of SQLite begins with.
    static let signature = Array("SQLite format 3\0".utf8)

    /// Opens the database `name` in a profile; the browser may be running.
    ///
    /// - Returns: nil where there is none.
    /// - Throws: ``ImportError``.
    static func open(_ name: String, in profile: ProfileFolder) throws(ImportError) -> Database? {
        let files = try profile.together([name, "\(name)-wal", "\(name)-journal"])
        guard let file = files[0] else { return nil }
        guard !isHot(files[2] ?? []) else {
            throw ImportError(.failed, "the browser is writing to \(name) in the profile, or ended while it did")
        }
        do {
            return try Database(image: whole(file, log: files[1] ?? []))
        } catch {
            throw ImportError(.damaged, "\(name) in the profile is no database, or is damaged")
        }
    }

    /// Whether a journal has something in it to be undone: its header is overwritten with zeros when it has not.
    static func isHot(_ journal: [UInt8]) -> Bool {
        journal.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    }

    /// The file with what is committed in its log (https://sqlite.org/fileformat2.html, section 4). A log of another file,
    /// and what is in it behind the first frame that is not right, does not count.
    static func whole(_ file: [UInt8], log: [UInt8]) -> [UInt8] {
        var image = file
        if let log = WriteAheadLog(log), file.isEmpty || log.pageSize == pageSize(file) { log.apply(to: &image) }
        // In memory there is no log: what is in it is in the pages now.
        if image.count > 19, image.starts(with: signature) { (image[18], image[19]) = (1, 1) }
        return image
    }

    private static func pageSize(_ file: [UInt8]) -> Int {
        guard file.count > 17 else { return 0 }
        let size = Int(file[16]) << 8 | Int(file[17])
        return size == 1 ? 1 << 16 : size
    }
}

/// A write-ahead log of SQLite.
struct WriteAheadLog {
    private static let headerCount = 32
    private static let frameHeaderCount = 24

    /// The length of each page in bytes.
    let pageSize: Int
    private let bytes: [UInt8]
    private let isBigEndian: Bool

    /// Reads the header; nil where that is none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerCount else { return nil }
        self.bytes = bytes
        let magic = Self.number(bytes, 0)
        guard magic & ~1 == 0x377F_0682, Self.number(bytes, 4) == 3_007_000 else { return nil }
        isBigEndian = magic & 1 == 1
        pageSize = Int(Self.number(bytes, 8))
        guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
        let sums = sum(0..<24, (0, 0))
        guard sums == (Self.number(bytes, 24), Self.number(bytes, 28)) else { return nil }
    }

    /// Puts the pages of all transactions that are committed into `image`, and gives it the length that it has then.
    func apply(to image: inout [UInt8]) {
        var pages: [Int: Int] = [:]
        var (pending, size) = ([Int: Int](), 0)
        var sums = (Self.number(bytes, 24), Self.number(bytes, 28))
        var offset = Self.headerCount
        while offset + Self.frameHeaderCount + pageSize <= bytes.count {
            let page = offset + Self.frameHeaderCount
            guard bytes[offset + 8..<offset + 16] == bytes[16..<24] else { break }
            sums = sum(page..<page + pageSize, sum(offset..<offset + 8, sums))
            guard sums == (Self.number(bytes, offset + 16), Self.number(bytes, offset + 20)) else { break }
            pending[Int(Self.number(bytes, offset))] = page
            let committed = Int(Self.number(bytes, offset + 4))
            if committed > 0 {
                pages.merge(pending) { $1 }
                (pending, size) = ([:], committed)
            }
            offset = page + pageSize
        }
        guard size > 0, size <= ProfileFolder.longestFile / pageSize else { return }
        if image.count < size * pageSize { image += [UInt8](repeating: 0, count: size * pageSize - image.count) }
        image.removeLast(image.count - size * pageSize)
        for (number, start) in pages where number > 0 && number <= size {
            image.replaceSubrange((number - 1) * pageSize..<number * pageSize, with: bytes[start..<start + pageSize])
        }
    }

    private func sum(_ range: Range<Int>, _ start: (UInt32, UInt32)) -> (UInt32, UInt32) {
        var (first, second) = start
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            let (one, two) = (Self.number(bytes, offset), Self.number(bytes, offset + 4))
            first &+= (isBigEndian ? one : one.byteSwapped) &+ second
            second &+= (isBigEndian ? two : two.byteSwapped) &+ first
        }
        return (first, second)
    }

    /// 32 bits, the highest first.
    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
