import FoundationEssentials
import KeywayCrypto
import Testing

@testable import ZipArchives

/// An archive, put together by hand: what is said of a member, and what it holds, are two things.
struct Archive {
    struct Entry {
        var name: String
        var content: [UInt8]
        var statedSize: Int?
        /// The mode that a Unix gave it.
        var mode: UInt32 = 0o100600
        var isEncrypted = false
    }

    /// The bytes of an archive whose members are not packed.
    static func bytes(_ entries: [Entry]) -> [UInt8] {
        var (file, directory) = ([UInt8](), [UInt8]())
        for entry in entries {
            let start = file.count
            file += local(entry)
            directory += central(entry, start)
        }
        let end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + le(entries.count, 2) + le(entries.count, 2)
        return file + directory + end + le(directory.count, 4) + le(file.count, 4) + [0, 0]
    }

    private static func common(_ entry: Entry) -> [UInt8] {
        let size = entry.statedSize ?? entry.content.count
        return [20, 0, entry.isEncrypted ? 1 : 0, 0, 0, 0, 0, 0, 0, 0] + le(Int(crc(entry.content)), 4)
            + le(entry.content.count, 4) + le(size, 4) + le(entry.name.utf8.count, 2) + [0, 0]
    }

    private static func local(_ entry: Entry) -> [UInt8] {
        [0x50, 0x4B, 3, 4] + common(entry) + Array(entry.name.utf8) + entry.content
    }

    private static func central(_ entry: Entry, _ start: Int) -> [UInt8] {
        [0x50, 0x4B, 1, 2, 20, 3] + common(entry) + [0, 0, 0, 0, 0, 0] + le(Int(entry.mode) << 16, 4) + le(start, 4)
            + Array(entry.name.utf8)
    }

    private static func le(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}

@Suite("zip archives")
struct ZipArchiveTests {
    private func content(_ name: String, of entries: [Archive.Entry]) throws -> String? {
        try Archive.bytes(entries).withUnsafeBytes { bytes in
            let archive = try ZipArchive(bytes)
            guard let member = try archive.member(named: name) else { return nil }
            return try archive.content(of: member).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func failure(_ entries: [Archive.Entry]) -> ZipError.Code? {
        do {
            _ = try content("a", of: entries)
            return nil
        } catch {
            return (error as? ZipError)?.code
        }
    }

    private let plain = Archive.Entry(name: "a", content: Array("hello".utf8))

    @Test func aMemberIsReadByItsName() throws {
        #expect(try content("a", of: [plain, .init(name: "b/../../c", content: [1])]) == "hello")
        #expect(try content("b", of: [plain]) == nil)
    }

    @Test func aMemberThatStandsTwiceIsRefused() {
        #expect(failure([plain, plain]) == .forbidden)
    }

    @Test func aLinkIsRefused() {
        var link = plain
        link.mode = 0o120777
        #expect(failure([link]) == .forbidden)
    }

    @Test func anEncryptedMemberIsRefused() {
        var entry = plain
        entry.isEncrypted = true
        #expect(failure([entry]) == .unsupported)
    }

    @Test func aSizeThatIsNotTrueIsRefused() {
        for size in [3, 7] {
            var entry = plain
            entry.statedSize = size
            #expect(failure([entry]) == .damaged, "\(size)")
        }
    }

    @Test func aBombIsRefusedBeforeItIsUnpacked() {
        var entry = plain
        entry.statedSize = 100 << 20
        #expect(failure([entry]) == .tooLarge)
        entry.statedSize = 200 << 20
        #expect(failure([entry]) == .tooLarge)
    }

    @Test func membersThatAreTooLargeTogetherAreRefused() {
        let entries = (0..<3).map { Archive.Entry(name: "\($0)", content: [], statedSize: 60 << 20) }
        #expect(failure(entries) == .tooLarge)
    }

    @Test func tooManyMembersAreRefused() {
        let entries = (0...ZipArchive.mostMembers).map { Archive.Entry(name: "\($0)", content: []) }
        #expect(failure(entries) == .tooLarge)
    }

    @Test func aFlippedBitOfTheContentIsNoticed() throws {
        var bytes = Archive.bytes([plain])
        // After the header of 30 bytes and the name.
        bytes[31] ^= 1
        let damaged = bytes
        #expect(throws: ZipError.self) {
            try damaged.withUnsafeBytes { bytes in
                let archive = try ZipArchive(bytes)
                for member in archive.members { _ = try archive.content(of: member) }
            }
        }
    }

    @Test func noTruncatedArchiveIsRead() {
        let bytes = Archive.bytes([plain, .init(name: "b", content: Array("world".utf8))])
        for end in bytes.indices {
            #expect(throws: ZipError.self) { try Array(bytes[..<end]).withUnsafeBytes { _ = try ZipArchive($0) } }
        }
    }

    @Test func noFlippedBitCrashesTheReader() {
        var bytes = Archive.bytes([plain, .init(name: "b", content: Array("world".utf8))])
        for index in bytes.indices {
            for bit in 0..<8 {
                bytes[index] ^= 1 << bit
                bytes.withUnsafeBytes { bytes in
                    guard let archive = try? ZipArchive(bytes) else { return }
                    for member in archive.members { _ = try? archive.content(of: member) }
                }
                bytes[index] ^= 1 << bit
            }
        }
    }
}

@Suite("zip archives of our own")
struct ZipWriterTests {
    @Test func whatIsWrittenIsRead() throws {
        let members: [(String, [UInt8])] = [
            ("a.txt", Array("hello".utf8)), ("folder/b", [UInt8](repeating: 7, count: 100_000)), ("empty", []),
            ("ü", [1]),
        ]
        let writer = try ZipWriter()
        for (name, content) in members { try writer.add(name, content) }
        let bytes = try writer.finish()
        // It is packed.
        #expect(bytes.count < 10_000)
        try bytes.withUnsafeBytes { bytes in
            let archive = try ZipArchive(bytes)
            #expect(archive.members.map(\.name) == members.map(\.0))
            for (name, content) in members {
                let member = try #require(try archive.member(named: name))
                #expect(try archive.content(of: member) == SecretBytes(copying: content))
            }
        }
    }

    @Test func theSameMembersAreTheSameArchiveWheneverItIsWritten() throws {
        func archive() throws -> [UInt8] {
            let writer = try ZipWriter()
            try writer.add("a", [1, 2])
            return try writer.finish()
        }
        #expect(try archive() == archive())
    }

    @Test func aNameStandsThereOnce() throws {
        let writer = try ZipWriter()
        try writer.add("a", [1])
        #expect(throws: ZipError(.failed, "")) { try writer.add("a", [2]) }
    }

    @Test func moreMembersThanUsualAreReadWhereTheyAreExpected() throws {
        let writer = try ZipWriter()
        for number in 0...ZipArchive.mostMembers { try writer.add("\(number)", [1]) }
        let bytes = try writer.finish()
        #expect(throws: ZipError(.tooLarge, "")) { try bytes.withUnsafeBytes { _ = try ZipArchive($0) } }
        #expect(
            try bytes.withUnsafeBytes { try ZipArchive($0, mostMembers: 20_000).members.count }
                == ZipArchive.mostMembers + 1)
    }
}
