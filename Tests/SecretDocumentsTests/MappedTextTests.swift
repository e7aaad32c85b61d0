import Glibc
import Testing

@testable import SecretDocuments

@Suite("documents that are mapped")
struct MappedTextTests {
    private struct Failure: Error {}

    /// A mapping of a file with so many pages, each with its number in every byte.
    private final class Mapping {
        let bytes: UnsafeRawBufferPointer

        init(pages: Int) throws {
            var path = Array("/tmp/keyway-test-XXXXXX".utf8CString)
            let file = mkstemp(&path)
            unlink(path)
            defer { close(file) }
            let content = (0..<pages * page).map { UInt8(truncatingIfNeeded: $0 / page + 1) }
            guard write(file, content, content.count) == content.count,
                let start = mmap(nil, content.count, PROT_READ, MAP_SHARED, file, 0), start != MAP_FAILED
            else { throw Failure() }
            bytes = UnsafeRawBufferPointer(start: start, count: content.count)
        }

        deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

        var sum: Int { bytes.reduce(0) { $0 + Int($1) } }

        /// Which pages this process has in its memory.
        func present() throws -> [Bool] {
            let file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            let first = try #require(bytes.baseAddress.map { Int(bitPattern: $0) / page })
            var entries = [UInt64](repeating: 0, count: bytes.count / page)
            let wanted = entries.count * 8
            let read = entries.withUnsafeMutableBytes { pread(file, $0.baseAddress, wanted, off_t(first * 8)) }
            try #require(read == wanted)
            return entries.map { $0 >> 63 == 1 }
        }
    }

    @Test func pagesThatWereLetGoOfAreNoMemoryOfThisProcessAndCanBeReadAgain() throws {
        let mapping = try Mapping(pages: 64)
        let sum = mapping.sum
        #expect(try mapping.present().allSatisfy { $0 })
        // Of the pages at both ends only a part was passed.
        MappedText.releasing(mapping.bytes)(page * 8 + 1..<page * 40 - 1)
        #expect(try mapping.present() == (0..<64).map { !(9..<39).contains($0) })
        #expect(mapping.sum == sum)
    }

    @Test(arguments: [(0, 0), (100, 200), (-4096, 4096), (0, 1 << 20)])
    func whatIsNoPartOfItIsLeftAlone(start: Int, end: Int) throws {
        let mapping = try Mapping(pages: 4)
        #expect(mapping.sum == page * 10)
        MappedText.releasing(mapping.bytes)(start..<end)
        #expect(try mapping.present().allSatisfy { $0 })
    }
}

private let page = Int(getpagesize())
