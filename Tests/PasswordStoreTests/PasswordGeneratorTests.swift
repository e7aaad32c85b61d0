import Testing

@testable import PasswordStore

@Suite("Generated passwords")
struct PasswordGeneratorTests {
    private let generator = PasswordGenerator(length: 25)

    private func passwords(_ rules: String, symbols: Bool = true) -> [String] {
        var random = SystemRandomNumberGenerator()
        return (0..<50).compactMap { _ in
            generator.password(PasswordRules(rules), symbols: symbols, using: &random)
        }
    }

    @Test("without rules they are as those of pass: 25 characters of letters, digits and punctuation")
    func plain() {
        let all = passwords("")
        #expect(all.count == 50)
        #expect(all.allSatisfy { $0.count == 25 && $0.allSatisfy { $0.isASCII && $0 > " " && $0 <= "~" } })
        #expect(Set(all).count == 50)
        #expect(Set(all.joined()).count > 80, "all of the alphabet comes")
        #expect(passwords("", symbols: false).allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber } })
    }

    @Test("lengths", arguments: [("minlength: 40;", 40), ("maxlength: 8", 8), ("maxlength: 12; maxlength: 10", 10)])
    func lengths(rules: String, count: Int) {
        #expect(passwords(rules).count == 50)
        #expect(passwords(rules).allSatisfy { $0.count == count })
    }

    @Test("what must be there is there, and nothing that may not")
    func required() {
        let all = passwords("required: upper; required: digit; allowed: [-];maxlength:6")
        #expect(all.count == 50)
        for password in all {
            #expect(password.contains(where: \.isUppercase) && password.contains(where: \.isNumber))
            #expect(password.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "-" })
        }
    }

    @Test("whatever a page sends as its rules is answered soon")
    func anything() {
        let words = [
            "required:", "allowed:", "minlength:", "maxlength:", "max-consecutive:", "upper", "[", "]", ";", ",", "-1",
            "99999999999999999999", "9", " ", "é", "special",
        ]
        for _ in 0..<40 {
            _ = passwords((0..<40).map { _ in words.randomElement() ?? "" }.joined())
        }
        #expect(
            passwords(String(repeating: "required: [a], ascii-printable;", count: 5000)).allSatisfy { $0.count >= 25 })
    }

    @Test("brackets hold characters, among them `]` and `;`")
    func brackets() {
        #expect(Set(passwords("allowed: []];").joined()) == ["]"])
        #expect(Set(passwords("allowed: [;,], digit;").joined()).isSubset(of: Set(";,0123456789")))
    }

    @Test("runs are bounded")
    func runs() {
        for password in passwords("allowed: [ab]; max-consecutive: 2; maxlength: 9") {
            #expect(!password.contains("aaa") && !password.contains("bbb"))
        }
    }

    @Test(
        "impossible rules give none",
        arguments: ["minlength: 30; maxlength: 10", "maxlength: 0", "required: upper; required: digit; maxlength: 1"])
    func impossible(rules: String) {
        #expect(passwords(rules).isEmpty)
    }
}
