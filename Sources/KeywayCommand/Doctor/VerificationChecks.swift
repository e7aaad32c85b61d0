import AutoFillProtocol

/// How the person can be verified, each method with its state. One that is missing is no fault: another may be there.
struct VerificationChecks {
    /// What the broker says.
    let state: VerificationState.Result

    func run() -> [Check] {
        state.methods.map { method in
            Check("verification:\(method.method.rawValue)", .ok, Self.sentence(method))
        }
    }

    private static func sentence(_ state: VerificationMethodState) -> String {
        let start = state.isAvailable ? Strings.canVerify(state.method) : Strings.cannotVerify(state.method)
        return state.detail.map { "\(start): \($0)" } ?? start
    }
}

extension Strings {
    static func canVerify(_ method: VerificationMethod) -> String { "Keyway can verify you by \(name(method))" }
    static func cannotVerify(_ method: VerificationMethod) -> String { "Keyway can't verify you by \(name(method))" }

    private static func name(_ method: VerificationMethod) -> String {
        switch method {
        case .fingerprint: "your fingerprint"
        case .pin: "the Keyway PIN"
        case .system: "polkit"
        case .loginPassword: "your login password"
        case .masterPassword: "a master password"
        case .providerInterface: "a provider"
        }
    }
}
