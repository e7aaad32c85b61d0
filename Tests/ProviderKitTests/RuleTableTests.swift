import Testing

@testable import ProviderKit

struct RuleTableTests {
    @Test func namesAreUnique() {
        let names = RuleTable.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
