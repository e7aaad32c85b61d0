import AutoFillProtocol
import AutoFillWire

/// What is said of the administrator's settings.
extension Strings {
    static func policy(_ setting: PolicyState.Setting) -> String {
        DisplayText.line("\(setting.name) = \(setting.value)") + ", \(setByAdministrator(setting.files))"
    }
    static func setByAdministrator(_ files: [String]) -> String {
        "set by the administrator (\(files.map(DisplayText.line).joined(separator: ", ")))"
    }
    static func policyHolds(_ policy: PolicyState) -> String {
        "The administrator has set " + policy.settings.map(\.name).joined(separator: ", ")
            + ". `keyway status` shows the values."
    }
    static let askAdministrator = "Ask the administrator to correct the file: keyway(5) says what it may contain."
    static func limits(_ limits: VerificationState.Limits) -> String {
        let parts = [
            limits.rule.map { "at least \(rule($0))" }, limits.grace.map { "for \($0) s at most" },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}
