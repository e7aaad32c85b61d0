import AutoFillProtocol

/// What is said of how far providers are confined.
extension Strings {
    static let nothingElse = "nothing besides its own folders"
    static let readableMemory =
        "your other programs could read its memory, because it runs programs or uses sockets or the network"
    static let mayRunUnconfined = "you let it run even if this computer can't sandbox it fully"
    static let confined =
        "full: a provider sees only its own folders and what you approved"
    static let partlyConfined =
        "partial (Landlock and a system call filter): a provider can't open other files, but it can reach other programs' "
        + "sockets and list processes"
    static let notConfined = "none: a provider can read and change everything that you can"
    static let limitedTogether = "each provider has one limit on memory and processes for all its processes together"
    static func limits(_ state: BrokerStatus.SharedLimitsState) -> String {
        state.hold ? limitedTogether : "each process of a provider has its own limits"
    }
    static let letSystemdStart =
        "Let systemd start Keyway: systemctl --user enable --now keywayd.socket, then log out and in again"
    static let confineAgain =
        "Until then, a provider runs only if you allow it: keyway providers enable --unconfined PROVIDER"
    static func willNotRun(_ provider: ProviderReference, _ state: BrokerStatus.ConfinementState) -> String {
        "\(provider.name) is on but won't run, because this computer can't sandbox it fully. \(state.detail ?? "") To let it "
            + "run anyway: keyway providers enable --unconfined \(provider.identifier)"
    }
    static func runsUnconfined(_ provider: ProviderReference, _ state: BrokerStatus.ConfinementState) -> String {
        let how = state.strength == .partial ? partlyConfined : notConfined
        return "Sandbox of \(provider.name) on this computer: \(how). \(state.detail ?? "")"
    }
}
