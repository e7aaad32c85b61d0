import Testing

@testable import CredentialExchange

/// A document with what is in its files behind it: found by its hash, and refused where it doesn't lie within.
@Suite struct ExchangeBundleTests {
    private static let document = Array("{}".utf8)
    private static let files: [(hash: [UInt8], bytes: [UInt8])] = [
        ([UInt8](repeating: 1, count: 32), [10, 11, 12]), ([UInt8](repeating: 2, count: 32), []),
        ([UInt8](repeating: 3, count: 32), [13]),
    ]

    /// A bundle of these, with a gap behind the document.
    private static func bundle(gap: Int = 5) -> [UInt8] {
        var bytes = document + [UInt8](repeating: 0, count: gap)
        var places: [(hash: [UInt8], place: Range<Int>)] = []
        for file in files {
            places.append((file.hash, bytes.count..<bytes.count + file.bytes.count))
            bytes += file.bytes
        }
        return bytes + ExchangeBundle.end(document: document.count, table: bytes.count, places)
    }

    private func read<Result>(_ bytes: [UInt8], _ body: (ExchangeBundle) throws -> Result) throws -> Result {
        try bytes.withUnsafeBytes { try body(ExchangeBundle($0)) }
    }

    @Test(arguments: [0, 5, 1000]) func findsEveryFileByItsHash(gap: Int) throws {
        try read(Self.bundle(gap: gap)) { bundle in
            #expect(Array(bundle.document) == Self.document && bundle.count == 3)
            for file in Self.files { #expect(bundle[file.hash].map { Array($0) } == file.bytes) }
            #expect(bundle[[UInt8](repeating: 9, count: 32)] == nil)
            #expect(Set(bundle.hashes) == Set(Self.files.map(\.hash)))
        }
    }

    @Test(arguments: ["", "{}", "{\"accounts\":[]}\n"]) func aDocumentByItselfHasNoFiles(text: String) throws {
        try read(Array(text.utf8)) { bundle in
            #expect(Array(bundle.document) == Array(text.utf8) && bundle.count == 0)
        }
    }

    /// Whatever is changed, no file lies outside of the bundle, and none within the document.
    @Test func noChangeLeadsOutside() throws {
        let sound = Self.bundle()
        for bit in 0..<sound.count * 8 {
            var bytes = sound
            bytes[bit / 8] ^= 1 << (bit % 8)
            bytes.withUnsafeBytes { bytes in
                guard let bundle = try? ExchangeBundle(bytes) else { return }
                #expect(bundle.document.count <= bytes.count)
                for hash in bundle.hashes { #expect((bundle[hash]?.count ?? 0) <= bytes.count) }
            }
        }
        for count in 0..<sound.count {
            Array(sound[..<count]).withUnsafeBytes { bytes in
                // Cut off, it is a document without files, and none.
                #expect((try? ExchangeBundle(bytes))?.count ?? 0 == 0)
            }
        }
    }

    private static func number(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// The numbers of a file: where it begins, how long it is.
    @Test(arguments: [(0, 3), (7, 1 << 40), (.max, 1), (7, .max), (1 << 62, 1 << 62), (11, 1)] as [(UInt64, UInt64)])
    func aFileThatLiesElsewhereIsRefused(start: UInt64, count: UInt64) throws {
        var bytes = Self.document + [0, 0, 0, 0, 0, 10, 11, 12]
        let table = bytes.count
        bytes += [UInt8](repeating: 1, count: 32) + Self.number(start) + Self.number(count)
        bytes += Self.number(2) + Self.number(UInt64(table)) + Self.number(1) + Array("\0KWFILES".utf8)
        #expect(throws: ExchangeError.self) { try read(bytes) { _ in } }
    }

    @Test(arguments: [(3, 10, 0), (2, 9, 0), (2, 10, 1), (2, 10, .max), (.max, 10, 0)] as [(UInt64, UInt64, UInt64)])
    func aTableThatIsNotThereIsRefused(document: UInt64, table: UInt64, count: UInt64) throws {
        var bytes = [UInt8](repeating: 0, count: 2)
        bytes += Self.number(document) + Self.number(table) + Self.number(count) + Array("\0KWFILES".utf8)
        #expect(throws: ExchangeError.self) { try read(bytes) { _ in } }
    }
}
