import AutoFillProtocol
import BrokerTestSupport
import Glibc
import Synchronization
import Testing

@testable import BrokerBase
@testable import ProviderHosting

/// What of a provider's output comes to the log.
@Suite(.timeLimit(.minutes(1))) struct OutputLinesTests {
    @Test func linesAreTakenHoweverTheyArrive() {
        var lines = OutputLines()
        #expect(lines.take("one\ntw".utf8, second: 1) == ["one"])
        #expect(lines.take("o\n\nthree".utf8, second: 1) == ["two"])
        #expect(lines.rest() == "three")
        #expect(lines.rest() == nil)
    }

    @Test func aLongLineIsCut() {
        var lines = OutputLines()
        let taken = lines.take((String(repeating: "a", count: 100_000) + "\nb\n").utf8, second: 1)
        #expect(taken.count == 2 && taken.last == "b")
        #expect(taken.allSatisfy { $0.utf8.count <= OutputLines.maximumBytes })
    }

    @Test func controlCharactersAreTakenOut() {
        var lines = OutputLines()
        #expect(
            lines.take("a\u{1B}]0;x\u{7}b\r\u{202E}c\n".utf8, second: 1).allSatisfy { line in
                line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E }
            })
    }

    @Test func aFloodIsCountedAndNotWritten() {
        var lines = OutputLines()
        let flood = String(repeating: "x\n", count: OutputLines.eachSecond + 30)
        #expect(lines.take(flood.utf8, second: 1).count == OutputLines.eachSecond)
        #expect(lines.take("y\n".utf8, second: 2) == ["(30 lines more)", "y"])
    }

    @Test func aProcessWritesSoMuchAndNoMore() {
        var lines = OutputLines()
        let flood = String(repeating: "x\n", count: OutputLines.eachSecond)
        let taken = (1...1000).flatMap { lines.take(flood.utf8, second: $0) }
        #expect(taken.count == OutputLines.inAll)
        #expect(taken.last?.contains("nothing more") == true)
    }

    @Test func eachLineSaysWhoWroteIt() async throws {
        let heard = Mutex<[String]>([])
        let end = try ProviderOutput.begin(
            "test.vault extension wrote", log: EventLog { line in heard.withLock { $0.append(line) } })
        let text = "keywayd: all is well\nand so on"
        _ = text.withCString { write(end.rawValue, $0, text.utf8.count) }
        try await eventually { heard.withLock { $0 } == ["test.vault extension wrote: keywayd: all is well"] }
    }
}
