import AutoFillProtocol

/// Where the key of the identity stores comes from, and what a stolen disk would tell.
struct StoreKeyCheck {
    /// What the broker says; nil where it is of a release that says nothing.
    let state: BrokerStatus.StoreKeyState?
    /// The folder of the stores.
    let folder: String

    func run() -> [Check] {
        guard let state else { return [] }
        guard state.isOpen else { return [closed(state)] }
        switch state.source {
        case .tpm2: return [Check("store-key", .ok, sentence(Strings.storeKeyInTPM, state.detail))]
        case .keyring: return [Check("store-key", .ok, sentence(Strings.storeKeyInKeyring, state.detail))]
        case .file, nil:
            return [
                Check(
                    "store-key", .warning, sentence(Strings.storeKeyInFile, state.detail),
                    remedy: Strings.betterStoreKey(folder))
            ]
        }
    }

    /// Without a key nothing is suggested: while the session is locked that is as it should be.
    private func closed(_ state: BrokerStatus.StoreKeyState) -> Check {
        guard let detail = state.detail else { return Check("store-key", .warning, Strings.storeKeyNotThere) }
        return Check(
            "store-key", .warning, sentence(Strings.storeKeyClosed(state.source), detail),
            remedy: Strings.newStoreKey(folder))
    }

    private func sentence(_ start: String, _ detail: String?) -> String {
        detail.map { "\(start). \($0)" } ?? start
    }
}
