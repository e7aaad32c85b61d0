import Glibc
import KeywayCrypto
import Testing

@testable import ClipboardService

/// When a secret goes from the clipboard.
struct ClipboardStayTests {
    /// A clipboard that remembers what was offered, and when; something else is copied after so many calls to work.
    private final class Clipboard: ClipboardOwner {
        let connection: CInt = -1
        let pipes: [CInt] = []
        var isOurs = false
        var offers: [(types: [String], at: ContinuousClock.Instant)] = []
        var losesIn: Int?
        var refuses = false

        init(losesIn: Int? = nil) { self.losesIn = losesIn }

        func offer(_ text: OfferedText) throws(ClipboardError) {
            guard !refuses else { throw ClipboardError(.tooLong, "") }
            offers.append((text.types, .now))
            isOurs = true
        }

        func work() throws(ClipboardError) {
            if let left = losesIn { losesIn = left - 1 }
            if losesIn == 0 { isOurs = false }
        }
    }

    private let secret = SecretBytes(copyingUTF8Of: "s")

    @Test func itIsReplacedByAnEmptyTextThatStaysForAWhile() throws {
        let clipboard = Clipboard()
        var isSaid = false
        try ClipboardStay(owner: clipboard).run(secret, milliseconds: 200) {
            isSaid = true
            #expect(clipboard.offers.count == 1)
        }
        let end = ContinuousClock.now
        #expect(isSaid)
        #expect(clipboard.offers.map { $0.types.contains(OfferedText.mark) } == [true, false])
        #expect(clipboard.offers[1].at - clipboard.offers[0].at >= .milliseconds(190))
        #expect(end - clipboard.offers[1].at >= .milliseconds(1900))
    }

    @Test func whatWasCopiedSinceIsNotReplaced() throws {
        let clipboard = Clipboard(losesIn: 1)
        let start = ContinuousClock.now
        try ClipboardStay(owner: clipboard).run(secret, milliseconds: 600_000) {}
        #expect(clipboard.offers.count == 1)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func nothingIsSaidWhenItIsNotTaken() {
        let clipboard = Clipboard()
        clipboard.refuses = true
        #expect(throws: ClipboardError(.tooLong, "")) {
            try ClipboardStay(owner: clipboard).run(secret, milliseconds: 200) { Issue.record("said") }
        }
    }
}
