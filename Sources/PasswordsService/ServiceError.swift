import KeywaySystem
import Vault

extension ProtocolError {
    /// What a client learns of a failure of the vault: what happened, to which file, and what to do.
    init(_ error: VaultError) {
        let file = error.place.map { "The vault file \($0)" } ?? "The vault"
        switch error.code {
        case .wrongPassword:
            self.init(.wrongPassword, "The master password is wrong. \(error.advice)")
        case .locked:
            self.init(.locked, "The vault is locked. Run: keyway passwords unlock")
        case .damaged:
            self.init(
                .damaged,
                "\(file) is damaged (\(error.detail)). Nothing was changed. Keep the file, and put your newest backup in its "
                    + "place.")
        case .rolledBack:
            self.init(
                .refused,
                "\(file) is an older copy: \(error.detail). Find out who put it there. If it was you, run: "
                    + "keyway passwords unlock --accept-older-copy")
        case .unsupported, .weakDerivation, .excessiveDerivation:
            self.init(.refused, "\(file) wasn't opened (\(error.detail)). \(error.advice)")
        case .notFound: self.init(.notFound, "\(error.detail). \(error.advice)")
        case .exists:
            self.init(.exists, "\(file) already exists. Unlock it, or move it away to create another.")
        case .invalid: self.init(.invalidParameters, "\(error.detail). \(error.advice)")
        case .conflict: self.init(.busy, "\(file): \(error.detail). \(error.advice)")
        case .storageFull, .storage, .outOfMemory:
            self.init(.system, "\(file): \(error.detail). \(error.advice)")
        }
    }
}

/// Runs `body` and tells a failure of the vault in the words of the protocol.
func answering<Result>(_ body: () throws(VaultError) -> Result) throws(ProtocolError) -> Result {
    do {
        return try body()
    } catch {
        throw ProtocolError(error)
    }
}
