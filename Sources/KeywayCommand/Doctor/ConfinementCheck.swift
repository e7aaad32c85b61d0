import AutoFillProtocol

/// How far this machine confines providers.
struct ConfinementCheck {
    /// What the broker says; nil where it is of a release that says nothing.
    let state: BrokerStatus.ConfinementState?
    /// What it says of limits; nil likewise.
    let limits: BrokerStatus.SharedLimitsState?

    func run() -> [Check] { strength() + sharedLimits() }

    private func strength() -> [Check] {
        guard let state else { return [] }
        switch state.strength {
        case .full: return [Check("sandbox", .ok, Strings.confined)]
        case .partial: return [check(Strings.partlyConfined, .warning, state.detail)]
        case .none: return [check(Strings.notConfined, .failed, state.detail)]
        }
    }

    private func check(_ text: String, _ verdict: Check.Status, _ detail: String?) -> Check {
        Check("sandbox", verdict, detail.map { "\(text). \($0)" } ?? text, remedy: Strings.confineAgain)
    }

    private func sharedLimits() -> [Check] {
        guard let limits else { return [] }
        guard !limits.hold else { return [Check("limits", .ok, Strings.limitedTogether)] }
        return [Check("limits", .warning, limits.detail ?? Strings.limits(limits), remedy: Strings.letSystemdStart)]
    }
}
