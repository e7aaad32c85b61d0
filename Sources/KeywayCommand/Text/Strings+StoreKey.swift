import AutoFillProtocol

/// What is said of the key of the identity stores.
extension Strings {
    static let storeKeyInTPM =
        "sealed by the TPM 2: a stolen disk tells nothing of the accounts that are suggested; the whole machine, started "
        + "from another system, could"
    static let storeKeyInKeyring =
        "in the login keyring: a stolen disk tells nothing of the accounts that are suggested without the password of the "
        + "login"
    static let storeKeyInFile =
        "in a file: a stolen disk tells for which sites there are accounts, their user names and when they were used, but "
        + "no password"
    static let storeKeyNotThere = "the broker has no key for the identity stores yet"
    static func storeKeyClosed(_ source: BrokerStatus.StoreKeyState.Source?) -> String {
        let state =
            switch source {
            case .tpm2: "is in the TPM 2 and not open"
            case .keyring: "is in the login keyring and not open"
            case .file: "is in a file and not open"
            case nil: "cannot be had"
            }
        return "nothing can be suggested now: the key of the identity stores \(state)"
    }
    static func betterStoreKey(_ folder: String) -> String {
        "Encrypt the disk; or have a login keyring, or join the group tss for the TPM, and start anew: \(removal(folder))"
    }
    static func newStoreKey(_ folder: String) -> String {
        "It is asked again; if it never opens, start anew: \(removal(folder))"
    }
    static func inBackups(_ path: String) -> String { "\(path) has no CACHEDIR.TAG: backups take it along" }
    static func notInBackups(_ path: String) -> String {
        "\(path) is left out of backups by programs that heed CACHEDIR.TAG"
    }
    private static func removal(_ folder: String) -> String {
        "end keywayd, then rm -r \(folder). Providers send everything again; what you said to programs and set, which "
            + "providers are on and the history are written under that key too, and are lost with it"
    }
}
