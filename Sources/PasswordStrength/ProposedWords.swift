package import KeywayCrypto

/// Some words drawn at random, as a master password that can be remembered: the EFF's list of 7,776, every one as likely as
/// the other (12.9 bits each).
package struct ProposedWords: Sendable {
    /// How many are proposed.
    package static let count = 4

    /// The words with a space between each two.
    package let text: SecretBytes

    /// Draws `count` words.
    package init(count: Int = Self.count, randomness: some RandomSource = SystemRandomSource()) {
        let list = WordList.shared
        let text = SecretBuffer(capacity: count * (WordList.longest + 1))
        for index in 0..<count {
            if index > 0 { text.append(UInt8(ascii: " ")) }
            list.word(Int(randomness.number(below: UInt32(list.count)))).withUnsafeBytes { text.append($0) }
        }
        self.text = text.finish()
    }

    /// How hard they are to guess for somebody who knows the list, and that they were drawn from it.
    package static var strength: Strength { Strength(bits: Double(count) * 12.924_812_503_605_781) }
}

/// The words that are drawn from, read once.
struct WordList: Sendable {
    /// The list of this module.
    static let shared = WordList(PackageResources.words_txt)
    /// The most letters of a word.
    static let longest = 9

    private let bytes: [UInt8]
    /// Where each word begins; behind the last, where one more would.
    private let starts: [Int]

    /// The lines of `bytes`, each with its end.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// How many there are.
    var count: Int { starts.count - 1 }

    /// The word at `index`, without the end of its line.
    func word(_ index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<starts[index + 1] - 1] }
}
