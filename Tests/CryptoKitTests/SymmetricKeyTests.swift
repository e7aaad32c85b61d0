import CryptoKit
import Testing

@Suite("Symmetric keys")
struct SymmetricKeyTests {
    private func bytes(_ key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }

    @Test(arguments: [(SymmetricKeySize.bits128, 16), (.bits192, 24), (.bits256, 32), (.init(bitCount: 8), 1)])
    func aNewKeyHasTheLengthAskedFor(size: SymmetricKeySize, count: Int) {
        let key = SymmetricKey(size: size)
        #expect(key.bitCount == count * 8)
        #expect(bytes(key).count == count)
    }

    @Test func newKeysAreRandom() {
        let keys = (0..<100).map { _ in bytes(SymmetricKey(size: .bits256)) }
        #expect(Set(keys).count == 100)
        // Every bit of every byte is drawn: the chance that one is never set in 100 keys is 2^-100.
        for index in 0..<32 { #expect(keys.reduce(UInt8(0)) { $0 | $1[index] } == 0xFF) }
    }

    @Test(arguments: [[], [7], Array(UInt8.min...UInt8.max), [UInt8](repeating: 1, count: 5000)] as [[UInt8]])
    func aKeyHoldsWhatItWasGiven(content: [UInt8]) {
        let key = SymmetricKey(data: content)
        #expect(bytes(key) == content)
        #expect(key.bitCount == content.count * 8)
        #expect(SymmetricKey(data: Data(content)) == key)
        #expect(SymmetricKey(data: key) == key)
    }

    @Test(
        arguments: [([1, 2, 3], [1, 2, 4]), ([1, 2, 3], [0, 2, 3]), ([1, 2], [1, 2, 3]), ([], [0])]
            as [([UInt8], [UInt8])])
    func keysDifferWhenAnyByteDoes(left: [UInt8], right: [UInt8]) {
        #expect(SymmetricKey(data: left) != SymmetricKey(data: right))
        #expect(SymmetricKey(data: left) == SymmetricKey(data: left))
    }

    @Test func noDescriptionShowsTheBytes() {
        let key = SymmetricKey(data: Data("canary".utf8))
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "SymmetricKey(48 bits)")
        for text in [dumped, "\(key)", String(reflecting: key), "\([key])"] {
            #expect(!text.contains("canary") && !text.contains("99, 97") && !text.contains("LockedMemory"))
        }
    }

    @Test func theBytesAreLockedAndOutOfCoreDumps() throws {
        let key = SymmetricKey(data: Data(repeating: 0xA5, count: 32))
        let address = key.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let maps = String(decoding: try #require(try file.readToEnd()), as: UTF8.self).split(separator: "\n")
        let index = try #require(
            maps.lastIndex { line in
                let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                return range.count == 2 && range[0] <= address && address < range[1]
            })
        let flags = try #require(maps[index...].first { $0.hasPrefix("VmFlags:") })
        #expect(flags.contains(" dd"), "not dumped")
        #expect(flags.contains(" wf"), "wiped in children")
        #expect(flags.contains(" lo"), "locked")
    }
}
