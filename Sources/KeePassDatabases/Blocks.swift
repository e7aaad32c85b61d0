import KeywayCrypto
import PasskeySignatures

/// The blocks of version 4: each with a code, before anything of it is decrypted.
enum AuthenticatedBlocks {
    /// How much a writer puts into a block, in bytes.
    static let usualCount = 1 << 20

    /// Hands on what is in the blocks.
    static func read(
        _ reader: inout ByteReader, _ secrets: KeePassSecrets, to next: any ContentSink
    ) throws(KeePassError) {
        var number: UInt64 = 0
        while true {
            let code = SecretBytes(copying: try reader.take(KeePassSecrets.codeCount))
            let block = try reader.take(Int(reader.number(UInt32.self)))
            guard secrets.code(ofBlock: number, block) == code else {
                throw KeePassError(.damaged, "block \(number + 1) of the database is damaged")
            }
            if block.isEmpty { break }
            try next.take(block)
            number += 1
        }
        // What follows is of nobody who knows the key.
        guard reader.left == 0 else { throw KeePassError(.damaged, "something follows the end of the database") }
        try next.end()
    }

    /// What is in a file behind its header.
    static func write(_ content: UnsafeRawBufferPointer, _ secrets: KeePassSecrets) -> [UInt8] {
        var written: [UInt8] = []
        func add(_ number: UInt64, _ block: UnsafeRawBufferPointer) {
            secrets.code(ofBlock: number, block).withUnsafeBytes { written.append(contentsOf: $0) }
            written += UInt32(block.count).littleEndianBytes
            written.append(contentsOf: block)
        }
        var number: UInt64 = 0
        for start in stride(from: 0, to: content.count, by: usualCount) {
            let end = min(start + usualCount, content.count)
            add(number, UnsafeRawBufferPointer(rebasing: content[start..<end]))
            number += 1
        }
        add(number, UnsafeRawBufferPointer(start: nil, count: 0))
        return written
    }
}

/// The blocks of version 3, within what is decrypted: each with a hash, behind bytes that tell whether the key is right.
final class HashedBlocks: ContentSink {
    private enum State {
        case start
        case blockHeader(number: UInt32)
        case block(number: UInt32, hash: [UInt8], left: Int)
        case end
    }

    private static let hashCount = 32
    private static let headerCount = 40

    private let start: [UInt8]
    private let next: any ContentSink
    private var state = State.start
    private var hash = HashState(.sha256)
    /// What has come together of a start or a header.
    private var waiting: [UInt8] = []

    init(start: [UInt8], to next: any ContentSink) { (self.start, self.next) = (start, next) }

    func take(_ bytes: UnsafeRawBufferPointer) throws(KeePassError) {
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .start:
                guard collect(start.count, from: &rest) else { continue }
                guard waiting == start else { throw KeePassError(.wrongKey, "the password or the key file is another") }
                (state, waiting) = (.blockHeader(number: 0), [])
            case .blockHeader(let number):
                guard collect(Self.headerCount, from: &rest) else { continue }
                try begin(number)
            case .block(let number, let expected, let left):
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(left))
                rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
                hash.update(part)
                try next.take(part)
                state = .block(number: number, hash: expected, left: left - part.count)
                if part.count == left { try finish(number, expected) }
            case .end: throw .damaged
            }
        }
    }

    /// Moves bytes until there are that many, and returns whether there are.
    private func collect(_ count: Int, from rest: inout UnsafeRawBufferPointer) -> Bool {
        let part = rest.prefix(count - waiting.count)
        waiting += part
        rest = UnsafeRawBufferPointer(rebasing: rest[part.endIndex...])
        return waiting.count == count
    }

    private func begin(_ number: UInt32) throws(KeePassError) {
        let (found, expected, size) = try waiting.lend { (bytes) throws(KeePassError) in
            var reader = ByteReader(bytes)
            return (
                try reader.number(UInt32.self), Array(try reader.take(Self.hashCount)),
                Int(try reader.number(UInt32.self))
            )
        }
        waiting = []
        guard found == number else { throw KeePassError(.damaged, "a block of the database is missing") }
        if size == 0 {
            guard expected.allSatisfy({ $0 == 0 }) else { throw .damaged }
            state = .end
        } else {
            hash = HashState(.sha256)
            state = .block(number: number, hash: expected, left: size)
        }
    }

    private func finish(_ number: UInt32, _ expected: [UInt8]) throws(KeePassError) {
        var found = [UInt8](repeating: 0, count: Self.hashCount)
        found.withUnsafeMutableBytes { hash.finish(into: $0) }
        guard found == expected else {
            throw KeePassError(.damaged, "block \(number + 1) of the database is damaged")
        }
        state = .blockHeader(number: number + 1)
    }

    func end() throws(KeePassError) {
        if case .start = state { throw KeePassError(.wrongKey, "the password or the key file is another") }
        guard case .end = state else { throw .cut }
        try next.end()
    }
}
