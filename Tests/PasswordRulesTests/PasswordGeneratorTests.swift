import FoundationEssentials
import KeywayCrypto
import Synchronization
import Testing

@testable import PasswordRules

/// SplitMix64: the same bytes for the same seed.
final class SeededRandom: RandomSource {
    private let state: Mutex<UInt64>

    init(seed: UInt64 = 1) { state = Mutex(seed) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        state.withLock { state in
            for start in stride(from: 0, to: buffer.count, by: 8) {
                state &+= 0x9e37_79b9_7f4a_7c15
                var word = state
                word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
                word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
                withUnsafeBytes(of: word ^ word >> 31) { bytes in
                    buffer[start...].copyBytes(from: bytes.prefix(buffer.count - start))
                }
            }
        }
    }
}

@Suite struct PasswordGeneratorTests {
    private func password(_ rules: PasswordRules, _ random: any RandomSource = SystemRandomSource()) throws -> [UInt8] {
        try PasswordGenerator(rules).generate(random: random).withUnsafeBytes { Array($0) }
    }

    private func code(_ rules: String) -> PasswordRulesError.Code? {
        do throws(PasswordRulesError) {
            _ = try PasswordGenerator(PasswordRules(parsing: rules)).generate()
            return nil
        } catch { return error.code }
    }

    // MARK: T36: right for every site

    private struct Site: Decodable {
        let rules: String

        enum CodingKeys: String, CodingKey { case rules = "password-rules" }
    }

    @Test func keepsTheRulesOfEverySiteInTheList() throws {
        let file = Quirks.folder + "/password-rules.json"
        let data = try #require(FileManager.default.contents(atPath: file))
        let sites = try JSONDecoder().decode([String: Site].self, from: data)
        #expect(sites.count == 434)
        let random = SeededRandom()
        for (name, site) in sites {
            let rules = PasswordRules(parsing: site.rules)
            // Each class that the text names was understood.
            let named = site.rules.components(ofRule: "required").count
            #expect(rules.required.count <= named && rules.required.isEmpty == (named == 0), "\(name)")
            for _ in 0..<20 {
                let made = try password(rules, random)
                #expect(rules.isKept(by: made), "\(name)")
                #expect(made.count == min(max(20, rules.minimumLength ?? 20), rules.maximumLength ?? 256), "\(name)")
                #expect(!made.contains(0x20), "a space is easily lost")
            }
        }
    }

    @Test func theUsualPasswordIsEasyToTypeElsewhere() throws {
        for _ in 0..<200 {
            let text = String(decoding: try password(PasswordRules()), as: UTF8.self)
            #expect(text.split(separator: "-").map(\.count) == [6, 6, 6], "\(text)")
            #expect(text.filter(\.isUppercase).count == 1 && text.filter(\.isNumber).count == 1, "\(text)")
            #expect(text.filter(\.isLowercase).count == 16, "\(text)")
        }
        #expect(try password(PasswordRules(minimumLength: 8, maximumLength: 64)).filter { $0 == 0x2d }.count == 2)
    }

    @Test(arguments: [
        ("minlength: 30", 30), ("maxlength: 12", 12), ("minlength: 8; maxlength: 30; required: digit", 20),
        ("maxlength: 4; required: digit; required: lower; required: upper; required: special", 4),
    ])
    func isAsLongAsTheRulesAllow(rules: String, length: Int) throws {
        #expect(try password(PasswordRules(parsing: rules)).count == length)
    }

    @Test(arguments: [
        "minlength: 20; maxlength: 10", "maxlength: 0", "max-consecutive: 0", "minlength: 257",
        "maxlength: 2; required: lower; required: upper; required: digit", "allowed: [a]; max-consecutive: 2",
    ])
    func refusesRulesThatNothingCanKeep(rules: String) { #expect(code(rules) == .impossible) }

    @Test func refusesWhatIsRequiredAndNotAllowed() {
        let rules = PasswordRules(parsing: "required: digit").and(PasswordRules(parsing: "allowed: lower"))
        #expect(throws: PasswordRulesError.self) { try PasswordGenerator(rules).generate() }
    }

    /// A page could ask for so much that drawing never ends.
    @Test func doesNotDrawForEver() {
        let singles = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { "required: [\(Character(Unicode.Scalar($0)))];" }
        #expect(code(singles.joined()) == .tooNarrow)
        #expect(code("allowed: [ab]; minlength: 200; max-consecutive: 1") == .tooNarrow)
    }

    // MARK: T36: no bias

    /// Pearson's chi-square over ten million characters; the bound is the 1 - 10^-9 quantile for 93 degrees of freedom.
    @Test func favoursNoCharacterOfTenMillion() throws {
        let length = 250
        let rounds = 10_000_000 / length
        let generator = PasswordGenerator(
            PasswordRules(allowed: .printable, minimumLength: length, maximumLength: length))
        var counts = [Int](repeating: 0, count: 128)
        let random = SeededRandom(seed: 36)
        for _ in 0..<rounds {
            try generator.generate(random: random).withUnsafeBytes { bytes in
                for byte in bytes { counts[Int(byte)] += 1 }
            }
        }
        #expect(counts.reduce(0, +) == 10_000_000)
        let expected = Double(rounds * length) / 94
        let square = (33...126).reduce(0.0) { sum, byte in
            let difference = Double(counts[byte]) - expected
            return sum + difference * difference / expected
        }
        #expect(square < 190)
        #expect(square > 40, "nor is it more even than chance would be")
    }

    /// Over all passwords of a small rule: a repair of missing classes would show here.
    @Test func favoursNoPassword() throws {
        let rules = PasswordRules(parsing: "maxlength: 2; required: digit; required: lower")
        var counts: [[UInt8]: Int] = [:]
        let random = SeededRandom(seed: 6)
        for _ in 0..<26_000 { counts[try password(rules, random), default: 0] += 1 }
        #expect(counts.count == 2 * 10 * 26)
        let square = counts.values.reduce(0.0) { $0 + (Double($1) - 50) * (Double($1) - 50) / 50 }
        #expect(square < 735, "519 degrees of freedom")
    }

    /// In the usual form: where the capital letter and the digit stand; 305 degrees of freedom.
    @Test func favoursNoPlaceOfTheUsualForm() throws {
        var counts: [[Int]: Int] = [:]
        let random = SeededRandom(seed: 7)
        let rounds = 18 * 17 * 50
        for _ in 0..<rounds {
            let made = try password(PasswordRules(), random)
            let capital = try #require(made.firstIndex { PasswordCharacters.upper.contains(byte: $0) })
            let digit = try #require(made.firstIndex { PasswordCharacters.digits.contains(byte: $0) })
            counts[[capital, digit], default: 0] += 1
        }
        #expect(counts.count == 18 * 17)
        #expect(counts.values.reduce(0.0) { $0 + (Double($1) - 50) * (Double($1) - 50) / 50 } < 477)
    }

    @Test func drawsTheSameFromTheSameBytes() throws {
        let rules = PasswordRules(parsing: "required: lower; required: special")
        #expect(try password(rules, SeededRandom(seed: 3)) == password(rules, SeededRandom(seed: 3)))
        #expect(try password(rules, SeededRandom(seed: 3)) != password(rules, SeededRandom(seed: 4)))
    }
}

extension String {
    /// The texts of all rules called `name`.
    fileprivate func components(ofRule name: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let found = rest.firstRange(of: name + ":") {
            rest = rest[found.upperBound...]
            parts.append(rest)
        }
        return parts
    }
}
