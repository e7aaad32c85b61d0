import KeywayCrypto

/// What is in a database once it is decrypted and unpacked: the document, and in version 4 before it a header of its own.
final class Content: ContentSink {
    private enum State {
        case itemStart
        case item(number: UInt8, left: Int)
        case file(left: Int)
        /// The flags of a file: what is in it begins behind them.
        case fileStart(left: Int)
        case document
    }

    /// The numbers of what stands in the inner header.
    enum Item: UInt8 {
        case end = 0
        case stream = 1
        case streamKey = 2
        case file = 3
    }

    /// The longest item that is no file, in bytes.
    private static let longestItem = 1 << 12
    private static let startCount = 5

    /// The document.
    let document = SecretBuffer(capacity: 1 << 16)
    /// The cipher of the stream over protected values.
    private(set) var streamKind: UInt32?
    /// Its key.
    private(set) var streamKey: SecretBytes?
    private let longestDocument: Int
    private let files: (any KeePassFileTaker)?
    private var state: State
    private let waiting = SecretBuffer(capacity: 128)

    init(hasHeader: Bool, longestDocument: Int, files: (any KeePassFileTaker)? = nil) {
        self.files = files
        state = hasHeader ? .itemStart : .document
        self.longestDocument = longestDocument
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(KeePassError) {
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .itemStart:
                guard collect(Self.startCount, from: &rest) else { continue }
                try begin()
            case .item(let number, let left):
                guard collect(left, from: &rest) else { continue }
                finish(number)
            case .fileStart(let left):
                rest = UnsafeRawBufferPointer(rebasing: rest[1...])
                goOn(left - 1)
            case .file(let left):
                let count = min(left, rest.count)
                files?.add(UnsafeRawBufferPointer(rebasing: rest[..<count]))
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                goOn(left - count)
            case .document:
                guard document.count + rest.count <= longestDocument else {
                    throw KeePassError(.tooLarge, "the database has more than \(longestDocument >> 20) MiB of text")
                }
                document.append(rest)
                return
            }
        }
    }

    /// Goes on with a file of which so much is left.
    private func goOn(_ left: Int) {
        state = left == 0 ? .itemStart : .file(left: left)
        if left == 0 { files?.end() }
    }

    private func collect(_ count: Int, from rest: inout UnsafeRawBufferPointer) -> Bool {
        let part = rest.prefix(count - waiting.count)
        waiting.append(UnsafeRawBufferPointer(rebasing: part))
        rest = UnsafeRawBufferPointer(rebasing: rest[part.endIndex...])
        return waiting.count == count
    }

    private func begin() throws(KeePassError) {
        let (number, size) = try waiting.withUnsafeBytes { (bytes) throws(KeePassError) in
            var reader = ByteReader(bytes)
            return (try reader.number(UInt8.self), Int(try reader.number(UInt32.self)))
        }
        waiting.removeAll()
        if number == Item.file.rawValue {
            files?.begin()
            // One without flags is none; it has its number all the same.
            if size == 0 { goOn(0) } else { state = .fileStart(left: size) }
            return
        }
        guard size <= Self.longestItem else { throw .damaged }
        state = .item(number: number, left: size)
        if size == 0 { finish(number) }
    }

    private func finish(_ number: UInt8) {
        switch Item(rawValue: number) {
        case .end: state = .document
        case .stream: streamKind = waiting.withUnsafeBytes { UInt32(littleEndianBytes: Array($0)) }
        case .streamKey: streamKey = waiting.withUnsafeBytes { SecretBytes(copying: $0) }
        case .file, nil: break
        }
        if number != Item.end.rawValue { state = .itemStart }
        waiting.removeAll()
    }

    func end() throws(KeePassError) {
        guard case .document = state else { throw .cut }
    }
}
