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

    @Test("All that comes in time is read, and half of it is nothing")
    func readToEnd() throws {
        func said(_ count: Int, closing: Bool, room: Int = 100, within patience: Duration = .seconds(60)) throws -> Int?
        {
            let (out, into) = try LocalSocket.pair()
            #expect([UInt8](repeating: 1, count: count).withUnsafeBytes { WholeTransfer.write($0, to: into.rawValue) })
            if closing { #expect(shutdown(into.rawValue, CInt(SHUT_WR)) == 0) }
            var bytes = [UInt8](repeating: 0, count: room)
            return bytes.withUnsafeMutableBytes {
                WholeTransfer.readToEnd(into: $0, from: out.rawValue, within: patience)
            }
        }
        #expect(try said(24, closing: true) == 24)
        #expect(try said(0, closing: true) == 0)
        #expect(try said(100, closing: true) == nil, "it fills the room: more may have come")
        #expect(try said(24, closing: false, within: .milliseconds(20)) == nil, "the end did not come")
        #expect(try said(24, closing: true, within: .zero) == nil, "there was no time at all")
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
