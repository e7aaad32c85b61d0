import AutoFillProtocol

/// What is said of how far providers are confined.
extension Strings {
    static let nothingElse = "nothing beside its own folders"
    static let readableMemory =
        "other programs of yours could read it: this provider runs programs, or uses sockets or the network"
    static let mayRunUnconfined = "you let it run where this machine cannot confine it fully"
    static let confined =
        "fully: each process of a provider sees its own folders and what you approved, and nothing else"
    static let partlyConfined =
        "in part (Landlock and a filter of system calls): a provider reaches no other files, but sockets of other programs, "
        + "and sees which processes there are"
    static let notConfined = "not at all: a provider reaches everything that you do"
    static let limitedTogether = "memory and processes of a provider are limited together"
    static func limits(_ state: BrokerStatus.SharedLimitsState) -> String {
        state.hold ? limitedTogether : "each process of a provider alone"
    }
    static let letSystemdStart =
        "Let systemd start the broker: systemctl --user enable --now keywayd.socket, then log out and in again"
    static let confineAgain =
        "Until then a provider runs only if you let it: keyway providers enable --unconfined PROVIDER"
    static func willNotRun(_ provider: ProviderReference, _ state: BrokerStatus.ConfinementState) -> String {
        "\(provider.name) is on and will not run: this machine cannot confine it fully. \(state.detail ?? "") To let it run "
            + "all the same: keyway providers enable --unconfined \(provider.identifier)"
    }
    static func runsUnconfined(_ provider: ProviderReference, _ state: BrokerStatus.ConfinementState) -> String {
        let how = state.strength == .partial ? partlyConfined : notConfined
        return "This machine confines \(provider.name) \(how). \(state.detail ?? "")"
    }
}
