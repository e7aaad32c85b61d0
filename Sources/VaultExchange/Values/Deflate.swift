package import KeywayCrypto

/// Raw DEFLATE (RFC 1951), in which documents have what sites store with passkeys: 16 KiB at most when it is unpacked.
package enum Deflate {
    /// Unpacks `packed`; nil for what is none, for more than `limit` bytes, and where something follows.
    package static func unpack(_ packed: SecretBytes, limit: Int) -> SecretBytes? {
        let output = SecretBuffer(capacity: min(limit, 4096))
        let isWhole = packed.withUnsafeBytes { bytes in
            var reader = DeflateReader(bytes, output, limit: limit)
            return reader.read()
        }
        return isWhole ? output.finish() : nil
    }

    /// Packs `bytes` as they are, in blocks that are stored: nothing of them shows in how long they come out.
    package static func pack(_ bytes: SecretBytes) -> SecretBytes {
        let output = SecretBuffer(capacity: bytes.count + 16)
        bytes.withUnsafeBytes { bytes in
            var start = 0
            repeat {
                let count = min(bytes.count - start, 0xFFFF)
                output.append(start + count == bytes.count ? 1 : 0)
                for number in [UInt16(count), ~UInt16(count)] {
                    output.append(UInt8(truncatingIfNeeded: number))
                    output.append(UInt8(truncatingIfNeeded: number >> 8))
                }
                output.append(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
                start += count
            } while start < bytes.count
        }
        return output.finish()
    }
}

/// Reads the blocks of a stream, and stops at the first thing that is wrong.
private struct DeflateReader {
    private let input: UnsafeRawBufferPointer
    private let output: SecretBuffer
    private let limit: Int
    private var position = 0
    private var bits = UInt32(0)
    private var bitCount = 0

    init(_ input: UnsafeRawBufferPointer, _ output: SecretBuffer, limit: Int) {
        self.input = input
        self.output = output
        self.limit = limit
    }

    /// Whether all of it was read.
    mutating func read() -> Bool {
        while true {
            guard let isLast = take(1), let kind = take(2) else { return false }
            let isRead =
                switch kind {
                case 0: stored()
                case 1: compressed(.fixedLengths, .fixedDistances)
                case 2: dynamic()
                default: false
                }
            guard isRead else { return false }
            if isLast == 1 { return position == input.count }
        }
    }

    // MARK: - Blocks

    private mutating func stored() -> Bool {
        (bits, bitCount) = (0, 0)
        guard position + 4 <= input.count else { return false }
        let count = Int(input[position]) | Int(input[position + 1]) << 8
        let check = Int(input[position + 2]) | Int(input[position + 3]) << 8
        position += 4
        guard count ^ check == 0xFFFF, position + count <= input.count, output.count + count <= limit else {
            return false
        }
        output.append(UnsafeRawBufferPointer(rebasing: input[position..<position + count]))
        position += count
        return true
    }

    private mutating func dynamic() -> Bool {
        guard let lengths = take(5), let distances = take(5), let codes = take(4), lengths <= 29, distances <= 29 else {
            return false
        }
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(codes + 4) {
            guard let length = take(3) else { return false }
            codeLengths[place] = UInt8(length)
        }
        guard let table = HuffmanTable(codeLengths[...]) else { return false }
        let total = lengths + 257 + distances + 1
        var all: [UInt8] = []
        while all.count < total {
            guard let symbol = symbol(table) else { return false }
            let (value, count): (UInt8, Int)
            switch symbol {
            case 0...15: (value, count) = (UInt8(symbol), 1)
            case 16:
                guard let last = all.last, let more = take(2) else { return false }
                (value, count) = (last, 3 + more)
            case 17:
                guard let more = take(3) else { return false }
                (value, count) = (0, 3 + more)
            default:
                guard let more = take(7) else { return false }
                (value, count) = (0, 11 + more)
            }
            guard all.count + count <= total else { return false }
            all += [UInt8](repeating: value, count: count)
        }
        guard let literals = HuffmanTable(all[..<(lengths + 257)]), let places = HuffmanTable(all[(lengths + 257)...])
        else { return false }
        return compressed(literals, places)
    }

    private static let lengths: [(base: Int, extra: Int)] = table(
        [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
            227,
            258,
        ],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0])
    private static let distances: [(base: Int, extra: Int)] = table(
        [
            1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
            6145, 8193, 12289, 16385, 24577,
        ],
        [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13])

    private static func table(_ bases: [Int], _ extras: [Int]) -> [(base: Int, extra: Int)] {
        zip(bases, extras).map { (base: $0, extra: $1) }
    }

    private mutating func compressed(_ literals: HuffmanTable, _ places: HuffmanTable) -> Bool {
        while true {
            guard let symbol = symbol(literals) else { return false }
            if symbol == 256 { return true }
            if symbol < 256 {
                guard output.count < limit else { return false }
                output.append(UInt8(symbol))
                continue
            }
            guard symbol - 257 < Self.lengths.count, let length = number(Self.lengths[symbol - 257]),
                let place = self.symbol(places), place < Self.distances.count,
                let distance = number(Self.distances[place]), distance <= output.count,
                output.count + length <= limit
            else { return false }
            for _ in 0..<length {
                output.append(output.withUnsafeBytes { $0[$0.count - distance] })
            }
        }
    }

    private mutating func number(_ code: (base: Int, extra: Int)) -> Int? { take(code.extra).map { code.base + $0 } }

    // MARK: - Bits

    private mutating func take(_ count: Int) -> Int? {
        while bitCount < count {
            guard position < input.count else { return nil }
            bits |= UInt32(input[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        let value = bits & (1 << UInt32(count) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func symbol(_ table: HuffmanTable) -> Int? {
        var (code, first, index) = (0, 0, 0)
        for count in table.counts.dropFirst() {
            guard let bit = take(1) else { return nil }
            code |= bit
            if code - count < first { return table.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }
}

/// A canonical Huffman code (RFC 1951, section 3.2.2).
private struct HuffmanTable {
    /// How many codes there are of each length; of length 0, none.
    let counts: [Int]
    /// The symbols in the order of their codes.
    let symbols: [Int]

    static let fixedLengths = HuffmanTable(
        counting: [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
            + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8))
    static let fixedDistances = HuffmanTable(counting: [UInt8](repeating: 5, count: 30))

    /// The code with these lengths; nil where there are more codes than their lengths allow.
    init?(_ lengths: ArraySlice<UInt8>) {
        self.init(counting: Array(lengths))
        var left = 1
        for count in counts.dropFirst() {
            left = left << 1 - count
            guard left >= 0 else { return nil }
        }
    }

    private init(counting lengths: [UInt8]) {
        var counts = [Int](repeating: 0, count: 16)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        self.counts = counts
        symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
}
