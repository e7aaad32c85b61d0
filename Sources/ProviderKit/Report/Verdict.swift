import AutoFillWire

/// What came of one rule.
package struct Verdict: Sendable, Encodable {
    /// How it stands with the rule.
    package enum Status: String, Sendable, Encodable {
        /// It is kept.
        case pass
        /// It is broken.
        case fail
        /// It does not concern this provider.
        case notApplicable
        /// Nobody can say. Never a pass.
        case unchecked
    }

    /// The rule.
    package let rule: RuleDescription
    /// How it stands.
    package let status: Status
    /// What was seen, why the rule does not concern the provider, or why it could not be checked.
    package let detail: String?
    /// How long it took.
    package let seconds: Double

    init(_ rule: Rule, group: String, _ status: Status, _ detail: String?, _ duration: Duration = .zero) {
        self.rule = RuleDescription(rule, group: group)
        self.status = status
        self.detail = detail.map(DisplayText.line)
        seconds =
            Double(duration.components.seconds) + Double(duration.components.attoseconds / 1_000_000_000_000_000) / 1000
    }
}

/// A rule, for people and for programs.
package struct RuleDescription: Sendable, Encodable {
    /// Its name.
    package let name: String
    /// Its group.
    package let group: String
    /// What it says.
    package let says: String
    /// Why it is one.
    package let why: String
    /// What to do where it is broken.
    package let remedy: String

    init(_ rule: Rule, group: String) {
        name = rule.name
        self.group = group
        says = rule.says
        why = rule.why
        remedy = rule.remedy
    }
}
