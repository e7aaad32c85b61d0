import AutoFillProtocol

/// What is said of the key of the identity stores.
extension Strings {
    static let storeKeyInTPM =
        "sealed by the TPM 2: a stolen disk alone doesn't reveal which accounts you have; the whole computer, started "
        + "from another system, could"
    static let storeKeyInKeyring =
        "in the login keyring: without your login password, a stolen disk doesn't reveal which accounts you have"
    static let storeKeyInFile =
        "in a file: a stolen disk reveals which sites you have accounts for, their user names and when you used them, "
        + "but no passwords"
    static let storeKeyNotThere = "Keyway has no key for its suggestions yet"
    static func storeKeyClosed(_ source: BrokerStatus.StoreKeyState.Source?) -> String {
        let state =
            switch source {
            case .tpm2: "is in the TPM 2 and can't be opened"
            case .keyring: "is in the login keyring and can't be opened"
            case .file: "is in a file and can't be opened"
            case nil: "is not available"
            }
        return "Keyway can't suggest accounts now: the key for its suggestions \(state)"
    }
    static func betterStoreKey(_ folder: String) -> String {
        "Encrypt the disk. Or set up a login keyring, or join the group tss to use the TPM, and start over: \(removal(folder))"
    }
    static func newStoreKey(_ folder: String) -> String {
        "Keyway tries again. If it never opens, start over: \(removal(folder))"
    }
    static func inBackups(_ path: String) -> String { "\(path) has no CACHEDIR.TAG, so backups include it" }
    static func notInBackups(_ path: String) -> String {
        "backup programs that respect CACHEDIR.TAG now leave out \(path)"
    }
    private static func removal(_ folder: String) -> String {
        "end keywayd, then rm -r \(folder). Providers send their suggestions again. You lose the history, your decisions "
            + "about programs, your settings and which providers are on, because they are encrypted with that key too"
    }
}
