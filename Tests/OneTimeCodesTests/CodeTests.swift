import FoundationEssentials
import KeywayCrypto
import Testing

@testable import CodeLinks
@testable import OneTimeCodes

/// The codes themselves: published values, and another program as judge.
@Suite struct CodeTests {
    private struct CounterVectors: Decodable {
        struct Value: Decodable {
            let count: UInt64
            let code: String
        }
        let secretBase32: String
        let values: [Value]
    }

    private struct TimeVector: Decodable {
        let time: UInt64
        let algorithm: String?
        let secretBase32: String
        let digits: Int?
        let period: UInt32?
        let code: String
    }

    @Test func countersAreThoseOfRFC4226() throws {
        let vectors = try Vectors.json("rfc4226-appendix-d.json", as: CounterVectors.self)
        #expect(vectors.values.count == 10)
        var recipe = try CodeRecipe(.counter(0), secret: base32(vectors.secretBase32))
        for value in vectors.values {
            #expect(recipe.kind == .counter(value.count))
            #expect(text(try recipe.code(at: 99)) == value.code)
            recipe = try recipe.advanced()
        }
    }

    @Test func timesAreThoseOfRFC6238() throws {
        let vectors = try Vectors.json("rfc6238-appendix-b.json", as: [TimeVector].self)
        #expect(vectors.count == 18)
        for vector in vectors {
            let algorithm = try #require(CodeAlgorithm(rawValue: vector.algorithm?.uppercased() ?? ""))
            let recipe = try CodeRecipe(
                .time(period: try #require(vector.period)), secret: base32(vector.secretBase32), algorithm: algorithm,
                digits: try #require(vector.digits))
            #expect(text(try recipe.code(at: vector.time)) == vector.code, "\(algorithm) at \(vector.time)")
        }
    }

    @Test func steamsCodesAreFiveLettersAndDigits() throws {
        let vectors = try Vectors.json("generated-steam-vectors.json", as: [TimeVector].self)
        #expect(vectors.count == 3)
        for vector in vectors {
            let recipe = try CodeRecipe(.steam, secret: base32(vector.secretBase32))
            #expect(text(try recipe.code(at: vector.time)) == vector.code)
        }
    }

    /// 10,000 secrets of all lengths from 1 to 64 bytes, each with another hash, number of digits, period or counter.
    @Test func codesAreThoseOfOathtool() throws {
        var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random() -> UInt64 {
            seed ^= seed << 13
            seed ^= seed >> 7
            seed ^= seed << 17
            return seed
        }
        var script = ""
        var ours: [String] = []
        for index in 0..<10_000 {
            let secret = (0...(index % 64)).map { _ in UInt8(truncatingIfNeeded: random() >> 24) }
            let hexadecimal = secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let digits = 6 + index % 3
            let moment = random() >> 30
            let bytes = SecretBytes(copying: secret)
            if index % 4 == 3 {
                let recipe = try CodeRecipe(.counter(moment), secret: bytes, digits: digits)
                ours.append(text(try recipe.code(at: 0)))
                script += "oathtool --hotp -c \(moment) -d \(digits) \(hexadecimal)\n"
            } else {
                let algorithm = CodeAlgorithm.allCases[index % 4]
                let period = UInt32([30, 60, 15, 1, 86_400][index % 5])
                let seconds = moment % 4_000_000_000
                let recipe = try CodeRecipe(
                    .time(period: period), secret: bytes, algorithm: algorithm, digits: digits)
                ours.append(text(try recipe.code(at: seconds)))
                script += "oathtool --totp=\(algorithm) -s \(period) -N @\(seconds) -d \(digits) \(hexadecimal)\n"
            }
        }
        let theirs = try Shell.lines(of: script)
        #expect(theirs.count == 10_000)
        #expect(theirs == ours)
    }

    @Test(arguments: [(UInt64(0), 30), (1, 29), (29, 1), (30, 30), (59, 1), (1_700_000_000, 10)])
    func aCodeSaysHowLongItIsGoodFor(seconds: UInt64, left: Int) throws {
        let recipe = try CodeRecipe(.time(period: 30), secret: base32("GEZDGNBV"))
        #expect(recipe.secondsLeft(at: seconds) == left)
        #expect(try recipe.code(at: seconds) == recipe.code(at: seconds + UInt64(left) - 1))
        #expect(try recipe.code(at: seconds) != recipe.code(at: seconds + UInt64(left)))
        #expect(try CodeRecipe(.counter(0), secret: base32("GEZDGNBV")).secondsLeft(at: seconds) == nil)
    }

    @Test func aCounterEndsInsteadOfBeginningAnew() throws {
        let last = try CodeRecipe(.counter(UInt64(Int64.max)), secret: base32("GEZDGNBV"))
        #expect(throws: OneTimeCodeError(.counterExhausted, "")) { try last.advanced() }
    }

    @Test(arguments: [0, 11, -1]) func noCodeHasSoManyDigits(digits: Int) throws {
        let secret = try base32("GEZDGNBV")
        #expect(throws: OneTimeCodeError(.invalidParameter, "")) {
            try CodeRecipe(.counter(0), secret: secret, digits: digits)
        }
    }

    @Test(arguments: [UInt32(0), 86_401]) func noCodeHasSuchAPeriod(period: UInt32) throws {
        let secret = try base32("GEZDGNBV")
        #expect(throws: OneTimeCodeError(.invalidParameter, "")) {
            try CodeRecipe(.time(period: period), secret: secret)
        }
    }

    @Test func neitherSecretNorCodeIsPrinted() throws {
        let setup = try setup("otpauth://totp/Example:ada?secret=GEZDGNBVGY3TQOJQ")
        var printed = "\(setup) \(setup.recipe) \(try setup.recipe.code(at: 59)) \(setup.link)"
        dump(setup, to: &printed)
        for word in ["GEZDGNBVGY3TQOJQ", "1234567890", text(try setup.recipe.code(at: 59))] {
            #expect(!printed.contains(word))
        }
    }
}
