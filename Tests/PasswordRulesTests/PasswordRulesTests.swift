import KeywayCrypto
import Testing

@testable import PasswordRules

@Suite struct PasswordRulesTests {
    private static func characters(_ text: String) -> PasswordCharacters { PasswordCharacters(text.utf8) }

    /// What the rules of the language come to, in the words of Apple's documentation and tools.
    private static let readings: [(text: String, rules: PasswordRules)] = [
        ("", PasswordRules()),
        ("minlength: 8;", PasswordRules(minimumLength: 8)),
        (" MinLength :8 ; MAXLENGTH: 16", PasswordRules(minimumLength: 8, maximumLength: 16)),
        ("minlength: 8; minlength: 12; maxlength: 20; maxlength: 15", .init(minimumLength: 12, maximumLength: 15)),
        ("max-consecutive: 3; max-consecutive: 2;", PasswordRules(maximumRun: 2)),
        ("required: upper; required: digit;", PasswordRules(required: [.upper, .digits])),
        ("required: upper, lower;", PasswordRules(required: [.upper.union(.lower)])),
        ("required: special;", PasswordRules(required: [.special])),
        ("allowed: lower; allowed: [-_];", PasswordRules(allowed: .lower.union(characters("-_")))),
        ("allowed: ascii-printable", PasswordRules(allowed: .printable)),
        ("allowed: unicode", PasswordRules(allowed: .printable)),
        // A `;` in a class separates no rules.
        ("required: [!;:]; minlength: 9", PasswordRules(required: [characters("!;:")], minimumLength: 9)),
        // A `]` is a member where it is last, a `-` where it is first.
        ("allowed: [ab]];", PasswordRules(allowed: characters("ab]"))),
        ("allowed: []];", PasswordRules(allowed: characters("]"))),
        ("allowed: [-ab];", PasswordRules(allowed: characters("-ab"))),
        ("allowed: [a-b];", PasswordRules(allowed: characters("ab"))),
        ("allowed: [a]b]; minlength: 5", PasswordRules(allowed: characters("a"), minimumLength: 5)),
        // What is not ASCII is no member.
        ("allowed: [a£’b];", PasswordRules(allowed: characters("ab"))),
        // What is not understood says nothing, and costs nothing beside itself.
        ("allowed: vowel, lower; minlength: 7", PasswordRules(allowed: .lower, minimumLength: 7)),
        ("required: ; colour: red; minlength: many; maxlength: 9", PasswordRules(maximumLength: 9)),
        ("minlength: 8px; minlength: -3; minlength: 99999999999999999999; maxlength: 12", .init(maximumLength: 12)),
        ("required: []; required: [ab", PasswordRules()),
        ("minlength 8; : ; ;; maxlength: 9", PasswordRules(maximumLength: 9)),
        ("colour: [a; minlength: 40;]; maxlength: 11", PasswordRules(maximumLength: 11)),
        ("nothing; required: upper", PasswordRules(required: [.upper])),
    ]

    @Test(arguments: readings.indices)
    func readsTheLanguage(index: Int) {
        let (text, rules) = Self.readings[index]
        #expect(PasswordRules(parsing: text) == rules, "\(text)")
    }

    @Test func readsNoMoreThanABoundedText() {
        let text = String(repeating: "required: lower; ", count: 1000) + "maxlength: 5"
        #expect(PasswordRules(parsing: text) == PasswordRules(required: [.lower]))
    }

    /// Whatever is cut off or damaged: there are rules, and they stay within printable ASCII.
    @Test func survivesDamage() {
        let text = "minlength: 8; required: [-!;]]; allowed: lower,upper; max-consecutive: 2; maxlength: 30"
        var damaged: [[UInt8]] = text.utf8.indices.map { Array(text.utf8[..<$0]) }
        for place in text.utf8.count > 0 ? Array(0..<text.utf8.count) : [] {
            for bit in 0..<8 {
                var bytes = Array(text.utf8)
                bytes[place] ^= 1 << bit
                damaged.append(bytes)
            }
        }
        for bytes in damaged {
            let rules = PasswordRules(parsing: String(decoding: bytes, as: UTF8.self))
            #expect(rules.alphabet.isSubset(of: .printable))
            #expect(rules.minimumLength ?? 0 >= 0)
        }
    }

    @Test(arguments: [
        ("abcd", "minlength: 5", false), ("abcde", "minlength: 5", true), ("abcdef", "maxlength: 5", false),
        ("abC", "required: digit", false), ("ab1", "required: digit; allowed: lower", true),
        ("AB1", "required: digit; allowed: lower", false), ("aab", "max-consecutive: 2", true),
        ("aaab", "max-consecutive: 2", false), ("a b", "", true), ("aäb", "", false),
    ])
    func tellsWhatKeepsThem(password: String, rules: String, isKept: Bool) {
        #expect(PasswordRules(parsing: rules).isKept(by: Array(password.utf8)) == isKept)
    }

    @Test func bothFieldsCount() {
        let field = PasswordRules(parsing: "minlength: 8; required: upper; allowed: lower, [!]; max-consecutive: 3")
        let confirmation = PasswordRules(parsing: "maxlength: 12; required: digit; allowed: lower, upper")
        let both = PasswordRules.forForm(field: field, confirmation: confirmation, quirks: nil)
        #expect(both.minimumLength == 8 && both.maximumLength == 12 && both.maximumRun == 3)
        #expect(both.alphabet == .lower.union(.upper))
        // A digit is required by one, and not allowed by the other.
        #expect(both.required.contains([]))
    }

    @Test func thePageComesBeforeTheList() {
        let quirks = PasswordRules(parsing: "minlength: 10; maxlength: 12; required: digit; allowed: lower")
        let stated = PasswordRules(parsing: "required: upper; minlength: 6")
        #expect(PasswordRules.forForm(field: stated, confirmation: nil, quirks: quirks) == stated)
        let lengths = PasswordRules(parsing: "minlength: 14; maxlength: 16")
        let form = PasswordRules.forForm(field: lengths, confirmation: nil, quirks: quirks)
        #expect(form.alphabet == .lower.union(.digits) && form.minimumLength == 14 && form.maximumLength == 16)
        let least = PasswordRules.forForm(field: PasswordRules(minimumLength: 14), confirmation: nil, quirks: quirks)
        #expect(least.maximumLength == 14, "a list that is older than the page does not make it impossible")
        #expect(PasswordRules.forForm(field: nil, confirmation: nil, quirks: quirks) == quirks)
        #expect(PasswordRules.forForm(field: nil, confirmation: nil, quirks: nil) == PasswordRules())
    }
}
