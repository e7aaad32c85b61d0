/// The entries of a store, decrypted, one after another in one stretch of memory: what the program that runs gpg hands to
/// the program that reads entries. Never a file.
public enum EntryBundle {
    /// What it begins with.
    public static let signature = Array("keyway: entries of pass, 1\n".utf8)
    /// How many bytes stand before the name of each entry.
    public static let headerCount = 12

    /// What became of an entry.
    public enum Kind: UInt32, Sendable {
        /// What is in it.
        case contents = 0
        /// Why it could not be read, in a sentence.
        case reason = 1
    }

    /// What stands before the name and the bytes of an entry: its kind and their numbers, 32 bits each, the lowest first.
    public static func header(_ kind: Kind, name: Int, bytes: Int) -> [UInt8] {
        [kind.rawValue, UInt32(clamping: name), UInt32(clamping: bytes)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }

    /// Where the parts of an entry stand.
    public struct Part: Sendable {
        /// What became of it.
        public let kind: Kind
        /// Its name.
        public let name: Range<Int>
        /// What is in it, or the reason.
        public let bytes: Range<Int>
    }

    /// The part at `offset`, where `bytes` hold a whole one; nil where they do not.
    public static func part(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Part? {
        guard offset >= 0, offset <= bytes.count, bytes.count - offset >= headerCount else { return nil }
        let numbers = (0..<3).map {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4 * $0, as: UInt32.self))
        }
        let start = offset + headerCount
        guard let kind = Kind(rawValue: numbers[0]), Int(numbers[1]) <= bytes.count - start,
            Int(numbers[2]) <= bytes.count - start - Int(numbers[1])
        else { return nil }
        let end = start + Int(numbers[1])
        return Part(kind: kind, name: start..<end, bytes: end..<end + Int(numbers[2]))
    }
}
