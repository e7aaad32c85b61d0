import Glibc
import KeywaySystem
import Testing

@Suite("Reads and writes that do everything")
struct WholeTransferTests {
    @Test("What a socket takes only in pieces goes through whole")
    func pieces() async throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let (out, into) = try LocalSocket.pair()
        let writer = Task.detached { bytes.withUnsafeBytes { WholeTransfer.write($0, to: into.rawValue) } }
        var room = [UInt8](repeating: 0, count: bytes.count)
        let count = room.withUnsafeMutableBytes { WholeTransfer.read(into: $0, from: out.rawValue) }
        #expect(await writer.value)
        #expect(count == bytes.count && room == bytes)
    }

    @Test("Reading ends where nothing comes any more")
    func end() throws {
        let (out, into) = try LocalSocket.pair()
        #expect([UInt8](1...24).withUnsafeBytes { WholeTransfer.write($0, to: into.rawValue) })
        #expect(shutdown(into.rawValue, CInt(SHUT_WR)) == 0)
        var room = [UInt8](repeating: 0, count: 100)
        #expect(room.withUnsafeMutableBytes { WholeTransfer.read(into: $0, from: out.rawValue) } == 24)
    }

    @Test("In a file, both begin at the place that was named")
    func offset() throws {
        let file = try ReturnedMemory().descriptor
        #expect([UInt8](1...10).withUnsafeBytes { WholeTransfer.write($0, to: file.rawValue, at: 5) })
        var room = [UInt8](repeating: 9, count: 12)
        let count = room.withUnsafeMutableBytes { WholeTransfer.read(into: $0, from: file.rawValue, at: 4) }
        #expect(count == 11)
        #expect(room == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9])
    }

    @Test("What cannot be done is said, with the error's number")
    func failure() {
        let onlyRead = OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
        let onlyWritten = OwnedDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
        var room: [UInt8] = [0]
        #expect(!room.withUnsafeBytes { WholeTransfer.write($0, to: onlyRead.rawValue) })
        #expect(errno == EBADF)
        #expect(room.withUnsafeMutableBytes { WholeTransfer.read(into: $0, from: onlyWritten.rawValue) } == nil)
        #expect(errno == EBADF)
    }
}
