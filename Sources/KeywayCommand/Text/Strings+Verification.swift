import AutoFillProtocol
import AutoFillWire

/// What `keyway verification` says.
extension Strings {
    static func methodWords(_ method: VerificationMethod) -> String {
        switch method {
        case .fingerprint: "fingerprint"
        case .pin: "PIN"
        case .system: "system"
        case .loginPassword: "login password"
        case .masterPassword: "master password"
        case .providerInterface: "provider"
        }
    }
    static let isReady = "ready"
    static let isNotReady = "not ready"
    static let asked = "asked"
    static func graceLasts(_ seconds: Int) -> String {
        seconds == 0 ? "every time" : "not again for \(duration(Double(seconds)))"
    }

    /// How the rules are spelled, with what `--provider` takes besides.
    static let rules: [(name: String, rule: VerificationSettings.Rule)] = [
        ("when-set-up", .whenSetUp), ("always", .always), ("never", .never),
    ]
    static func rule(spelled name: String) -> VerificationSettings.Rule? { rules.first { $0.name == name }?.rule }
    static func rule(_ rule: VerificationSettings.Rule) -> String { rules.first { $0.rule == rule }?.name ?? "" }

    static let nothingToSet = "Use --rule or --grace to say what to change; for one provider, use --rule."
    static let newPIN = "New PIN"
    static func pinLength(_ lengths: ClosedRange<Int>) -> String {
        "A PIN must have \(lengths.lowerBound) to \(lengths.upperBound) bytes."
    }
    static let pinIsSet = "The PIN is set."
    static let pinIsAlone =
        "Only the PIN can verify you on this computer. After 10 wrong PINs, or if you forget it, you can't set a new one. "
        + "Set up a second method; `keyway verification` shows what each one needs."
    static let pinIsRemoved = "The PIN is removed."
}
