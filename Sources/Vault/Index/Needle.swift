import Glibc

/// A folded word to look for, prepared once for many texts.
struct Needle {
    /// The word.
    let bytes: [UInt8]
    /// The byte of the word that is the rarest in titles, names and addresses, and where it stands in the word.
    private let rare: (byte: Int32, place: Int)

    /// - Precondition: the word is not empty.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let place = bytes.indices.max { Self.rarity[Int(bytes[$0])] < Self.rarity[Int(bytes[$1])] } ?? 0
        rare = (Int32(bytes[place]), place)
    }

    /// Where the word stands first in a text, from a place on.
    func find(in text: UnsafeRawBufferPointer, from offset: Int = 0) -> Int? {
        guard let start = text.baseAddress else { return nil }
        var from = offset + rare.place
        // The C library finds one byte many at a time; the rarer it is, the fewer places are compared in full.
        while from < text.count, let hit = memchr(start + from, rare.byte, text.count - from) {
            let candidate = UnsafeRawPointer(hit) - start - rare.place
            guard candidate + bytes.count <= text.count else { return nil }
            if memcmp(start + candidate, bytes, bytes.count) == 0 { return candidate }
            from = candidate + rare.place + 1
        }
        return nil
    }

    /// How rare a byte is: its place in a row from the most frequent on; what is not listed is rarer than all.
    private static let rarity: [UInt8] = {
        var rarity = [UInt8](repeating: .max, count: 256)
        for (place, byte) in "etoa.nsirmc/hlw:pudg@-0123456789 ybfvkxjzq_?=&".utf8.enumerated() {
            rarity[Int(byte)] = UInt8(place)
        }
        return rarity
    }()
}
