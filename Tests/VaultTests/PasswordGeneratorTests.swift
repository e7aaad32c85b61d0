import KeywayCrypto
import Testing

@testable import Vault

@Suite struct PasswordGeneratorTests {
    private func text(_ password: SecretBytes) -> [UInt8] { password.withUnsafeBytes { Array($0) } }

    @Test(arguments: [1, 2, 4, 20, 1024])
    func hasTheLengthAndEveryClassOfItsRule(length: Int) throws {
        for classes in Self.subsets where classes.count <= length {
            let generator = PasswordGenerator(length: length, classes: classes)
            for _ in 0..<5 {
                let password = text(try generator.generate())
                #expect(password.count == length)
                let present = Self.sets.filter { !$0.value.isDisjoint(with: password) }.map(\.key)
                #expect(Set(present) == classes)
            }
        }
    }

    private static let sets = Dictionary(
        uniqueKeysWithValues: CharacterClass.allCases.map { ($0, Set($0.characters)) })

    static let subsets: [Set<CharacterClass>] = (1..<16).map { bits in
        Set(CharacterClass.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
    }

    @Test(arguments: [(0, 4), (3, 4), (-1, 1), (0, 1), (1025, 4), (5, 0)])
    func refusesARuleThatNothingCanFollow(length: Int, classes: Int) {
        let generator = PasswordGenerator(length: length, classes: Set(CharacterClass.allCases.prefix(classes)))
        #expect(code { _ = try generator.generate() } == .invalid)
    }

    @Test func leavesOutWhatLooksAlike() throws {
        let generator = PasswordGenerator(length: 1000, avoidsAmbiguous: true)
        let password = text(try generator.generate())
        #expect(!password.contains { CharacterClass.ambiguous.contains($0) })
        for kind in CharacterClass.allCases { #expect(password.contains { kind.characters.contains($0) }) }
    }

    /// T36: Pearson's chi-square over single characters. The bound is the 1 - 10^-9 quantile for 93 degrees of freedom.
    @Test func favoursNoCharacter() throws {
        var counts = [Int](repeating: 0, count: 128)
        let generator = PasswordGenerator(length: 1024)
        let rounds = 100
        for _ in 0..<rounds { for byte in text(try generator.generate()) { counts[Int(byte)] += 1 } }
        let expected = Double(rounds * 1024) / 94
        let square = (33...126).reduce(0.0) { sum, byte in
            let difference = Double(counts[byte]) - expected
            return sum + difference * difference / expected
        }
        #expect(square < 190)
        #expect(square > 40, "nor is it more even than chance would be")
    }

    /// Over all passwords of a small rule: a repair of missing classes would show here.
    @Test func favoursNoPassword() throws {
        let generator = PasswordGenerator(length: 2, classes: [.digits, .lowercase])
        var counts: [[UInt8]: Int] = [:]
        let random = TestRandom(seed: 6)
        for _ in 0..<26_000 { counts[text(try generator.generate(random: random)), default: 0] += 1 }
        #expect(counts.count == 2 * 10 * 26)
        let square = counts.values.reduce(0.0) { $0 + (Double($1) - 50) * (Double($1) - 50) / 50 }
        #expect(square < 735, "519 degrees of freedom")
    }

    @Test(arguments: [1, 2, 3, 6, 7, 94, 1000, 1 << 31, (1 << 31) + 1, .max] as [UInt32])
    func drawsNumbersBelowTheirBound(bound: UInt32) {
        let random = TestRandom(seed: UInt64(bound))
        var (low, high) = (UInt32.max, UInt32.min)
        for _ in 0..<2000 {
            let number = random.number(below: bound)
            low = min(low, number)
            high = max(high, number)
        }
        #expect(high < bound)
        #expect(low <= bound / 100 && high >= bound - 1 - bound / 100)
    }

    @Test func drawsAgainWhatWouldFavourLowNumbers() {
        // 2^32 mod 6 is 4: the candidates 0 to 3 are refused.
        let random = FixedRandom([0, 1, 2, 3, 4])
        #expect(random.number(below: 6) == 4)
        #expect(random.drawn.withLock { $0 } == 5)
    }
}
