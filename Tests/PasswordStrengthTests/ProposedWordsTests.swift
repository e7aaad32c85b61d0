import KeywayCrypto
import Synchronization
import Testing

@testable import PasswordStrength

@Suite
struct ProposedWordsTests {
    /// Gives out numbers in order, as four bytes each.
    private final class Numbers: RandomSource {
        private let left: Mutex<[UInt32]>

        init(_ numbers: [UInt32]) { left = Mutex(numbers) }

        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            let number = left.withLock { $0.removeFirst() }
            buffer.storeBytes(of: number.littleEndian, as: UInt32.self)
        }
    }

    private func text(_ words: ProposedWords) -> String {
        words.text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theListHasSixToTheFifthWordsOfLettersAlone() {
        let list = WordList.shared
        let words = (0..<list.count).map { String(decoding: list.word($0), as: UTF8.self) }
        #expect(words.count == 7776)
        #expect(Set(words).count == 7776)
        #expect(words.map(\.count).max() == WordList.longest)
        #expect(
            words.allSatisfy {
                $0.count >= 3
                    && $0.utf8.allSatisfy {
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
                    }
            })
    }

    @Test func fourWordsAreDrawnWithASpaceBetweenEachTwo() {
        // 7776 divides 2^32 with a rest of 2560: numbers below that would favour the first words.
        let words = ProposedWords(randomness: Numbers([7776, 7776 + 1, 2 * 7776 - 1, 7776 + 2]))
        #expect(text(words) == "abacus abdomen zoom abdominal")
    }

    @Test func aNumberThatWouldFavourTheFirstWordsIsDrawnAgain() {
        let words = ProposedWords(count: 1, randomness: Numbers([0, 2559, 2560]))
        #expect(text(words) == String(decoding: WordList.shared.word(2560), as: UTF8.self))
    }

    @Test func twoProposalsDiffer() {
        #expect(ProposedWords().text != ProposedWords().text)
    }

    @Test func theirStrengthIsThatOfTheList() {
        #expect(abs(ProposedWords.strength.bits - 51.7) < 0.01)
        #expect(ProposedWords.strength.level == .strong)
    }
}
