import Testing

@testable import ProviderKit

struct RuleTableTests {
    @Test func namesAreUnique() {
        let names = RuleTable.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: RuleTable.all.map(\.name))
    func everyRuleSaysWhatItIsWhyAndWhatToDo(name: String) throws {
        let rule = try #require(RuleTable.all.first { $0.name == name })
        #expect(rule.name.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
        for sentence in [rule.says, rule.why, rule.remedy] {
            #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true)
        }
    }

    @Test func listsEveryRuleOnce() {
        #expect(Judge.ruleList.map(\.name) == RuleTable.all.map(\.name))
    }
}
