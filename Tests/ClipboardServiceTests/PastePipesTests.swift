import Glibc
import KeywayCrypto
import KeywaySystem
import Testing

@testable import ClipboardService

/// Programs that read what they paste, and programs that don't.
struct PastePipesTests {
    private static func pipe() -> (reader: OwnedDescriptor, writer: OwnedDescriptor) {
        var ends: [CInt] = [-1, -1]
        _ = Glibc.pipe(&ends)
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }

    /// What can be read now.
    private static func read(_ descriptor: OwnedDescriptor) -> [UInt8] {
        _ = fcntl(descriptor.rawValue, F_SETFL, O_NONBLOCK)
        var (all, room) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        while true {
            let count = Glibc.read(descriptor.rawValue, &room, room.count)
            guard count > 0 else { return all }
            all += room[..<count]
        }
    }

    private static func text(_ count: Int) -> SecretBytes {
        SecretBytes(copying: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test func aShortTextIsThereAtOnce() {
        var pipes = PastePipes()
        let (reader, writer) = Self.pipe()
        pipes.write(Self.text(5), to: writer)
        #expect(pipes.descriptors.isEmpty)
        #expect(Self.read(reader) == [0, 1, 2, 3, 4])
    }

    @Test func aLongTextWaitsForItsReaderAlone() {
        var pipes = PastePipes()
        let (slow, slowWriter) = Self.pipe()
        let (fast, fastWriter) = Self.pipe()
        pipes.write(Self.text(200_000), to: slowWriter)
        pipes.write(Self.text(7), to: fastWriter)
        #expect(pipes.descriptors.count == 1)
        #expect(Self.read(fast) == Array(0..<7))
        var got: [UInt8] = []
        while !pipes.descriptors.isEmpty {
            let part = Self.read(slow)
            guard !part.isEmpty else { break }
            got += part
            pipes.work()
        }
        got += Self.read(slow)
        #expect(got == (0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test func whoGivesUpIsForgotten() {
        signal(SIGPIPE, SIG_IGN)
        var pipes = PastePipes()
        do {
            let (reader, writer) = Self.pipe()
            pipes.write(Self.text(200_000), to: writer)
            #expect(pipes.descriptors.count == 1)
            withExtendedLifetime(reader) {}
        }
        pipes.work()
        #expect(pipes.descriptors.isEmpty)
    }
}
