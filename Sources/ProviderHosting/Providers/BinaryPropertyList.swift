/// A look at a binary property list before it is decoded: the decoder believes what an object says of its length, and
/// reads on behind the end of the file.
struct BinaryPropertyList {
    private static let trailerCount = 32

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objects: Int
    private let table: Int

    /// Reads the trailer; nil when it cannot be one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 + Self.trailerCount else { return nil }
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerCount
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objects = Self.number(bytes[(trailer + 8)..<(trailer + 16)]),
            let table = Self.number(bytes[(trailer + 24)..<(trailer + 32)]),
            objects > 0, objects <= bytes.count, table >= 8, table + objects * offsetSize <= trailer
        else { return nil }
        self.objects = objects
        self.table = table
    }

    /// Whether every object lies between the header and the table of offsets.
    var isWhole: Bool {
        (0..<objects).allSatisfy { index in
            let entry = table + index * offsetSize
            guard let place = Self.number(bytes[entry..<(entry + offsetSize)]), place >= 8, place < table,
                let end = end(ofObjectAt: place)
            else { return false }
            return end <= table
        }
    }

    /// Where the object ends; nil for one of no known kind.
    private func end(ofObjectAt place: Int) -> Int? {
        let (kind, size) = (bytes[place] >> 4, Int(bytes[place] & 0x0F))
        switch kind {
        case 0x0: return place + 1
        case 0x1, 0x2: return size <= 4 ? place + 1 + (1 << size) : nil
        case 0x3: return place + 9
        case 0x8: return place + 2 + size
        case 0x4, 0x5: return end(of: 1, at: place, size)
        case 0x6: return end(of: 2, at: place, size)
        case 0xA, 0xC: return end(of: referenceSize, at: place, size)
        case 0xD: return end(of: 2 * referenceSize, at: place, size)
        default: return nil
        }
    }

    /// Where an object of `size` elements ends; 15 means that their number follows.
    private func end(of width: Int, at place: Int, _ size: Int) -> Int? {
        guard size == 0x0F else { return place + 1 + size * width }
        guard place + 1 < table, bytes[place + 1] >> 4 == 0x1, bytes[place + 1] & 0x0F <= 3 else { return nil }
        let first = place + 2
        let last = first + (1 << Int(bytes[place + 1] & 0x0F))
        guard last <= table, let count = Self.number(bytes[first..<last]), count <= bytes.count else { return nil }
        return last + count * width
    }

    /// A number, the most significant byte first; nil beyond what a file of ours can mean.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in bytes {
            guard number < 1 << 40 else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }
}
