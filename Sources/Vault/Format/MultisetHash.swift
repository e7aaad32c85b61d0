import KeywayCrypto

/// A hash over a set of records that a change updates without reading the others: the sum, modulo 2^256, of a keyed hash
/// of each record. Without the key nobody can find other records with the same sum (Clarke et al., ASIACRYPT 2003,
/// MSet-Add-Hash); a record that is there twice counts twice.
struct MultisetHash: Equatable, Sendable {
    /// The sum, least significant word first.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The hash of no records.
    init() {}

    /// Takes the stored form, 32 bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 32)
        func word(_ index: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// The stored form: 32 bytes, least significant first.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: words.0)
        bytes.append(number: words.1)
        bytes.append(number: words.2)
        bytes.append(number: words.3)
        return bytes
    }

    /// Adds the element of one record, or a sum of several.
    mutating func add(_ other: MultisetHash) {
        var carry: UInt64 = 0
        words.0 = Self.sum(words.0, other.words.0, &carry)
        words.1 = Self.sum(words.1, other.words.1, &carry)
        words.2 = Self.sum(words.2, other.words.2, &carry)
        words.3 = Self.sum(words.3, other.words.3, &carry)
    }

    /// Takes an element away again.
    mutating func remove(_ other: MultisetHash) {
        // a - b = a + not(b) + 1
        var carry: UInt64 = 1
        words.0 = Self.sum(words.0, ~other.words.0, &carry)
        words.1 = Self.sum(words.1, ~other.words.1, &carry)
        words.2 = Self.sum(words.2, ~other.words.2, &carry)
        words.3 = Self.sum(words.3, ~other.words.3, &carry)
    }

    static func == (left: MultisetHash, right: MultisetHash) -> Bool { left.words == right.words }

    private static func sum(_ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
        let (partial, first) = left.addingReportingOverflow(right)
        let (total, second) = partial.addingReportingOverflow(carry)
        carry = first || second ? 1 : 0
        return total
    }
}
