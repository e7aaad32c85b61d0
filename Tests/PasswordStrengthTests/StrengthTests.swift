import KeywayCrypto
import PasswordStrength
import Testing

@Suite
struct StrengthTests {
    private func strength(_ text: String) -> Strength { Strength(of: SecretBytes(copyingUTF8Of: text)) }

    @Test(arguments: ["", "password", "123456", "qwertyuiop", "2024-05-17", "keyway", "Passwords1", "P4ssw0rd!"])
    func whatEverybodyTriesFirstIsVeryWeak(text: String) {
        #expect(strength(text).level == .veryWeak)
        #expect(strength(text).isWeak)
    }

    @Test(arguments: ["correct horse battery staple purple", "vK9#mQ2$xL7!pR4t", "gigantic-otter-waffle-nebula-42"])
    func whatIsLongAndRandomIsStrong(text: String) {
        #expect(strength(text).level == .strong)
        #expect(!strength(text).isWeak)
    }

    @Test func namesOfKeywayItselfAreGuessedFirst() {
        #expect(strength("keyway").bits < strength("kwyeay").bits)
    }

    @Test func whatIsBehindAZeroByteIsNotLookedAt() {
        let hidden = SecretBytes(copying: Array("password\0vK9#mQ2$xL7!pR4t".utf8))
        #expect(Strength(of: hidden).bits == strength("password").bits)
    }

    @Test func aVeryLongPasswordIsJudgedSoonAndWell() {
        let clock = ContinuousClock()
        let long = String(repeating: "qzvxkwjy", count: 512)
        #expect(clock.measure { _ = strength(long) } < .seconds(5))
    }

    @Test(arguments: [
        (0.0, Strength.Level.veryWeak), (29.9, .veryWeak), (30, .weak), (39.9, .weak), (40, .fair), (49.9, .fair),
        (50, .strong), (1000, .strong),
    ])
    func levelsBeginAtTheirBits(bits: Double, level: Strength.Level) {
        #expect(Strength(bits: bits).level == level)
        #expect(Strength(bits: bits).isWeak == (level < .fair))
    }

    @Test func guessesAreBitsInDecimal() {
        #expect(abs(Strength(bits: 40).guessesLog10 - 12.0412) < 0.0001)
    }
}
