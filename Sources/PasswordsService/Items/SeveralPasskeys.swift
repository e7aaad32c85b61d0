import AutoFillProtocol
import FoundationEssentials
import Vault

extension StoredSummary {
    /// The item once for each of its passkeys, of this relying party if one is named: each time as if it were that passkey
    /// and had its user name.
    func eachPasskey(of relyingParty: String?) -> [StoredSummary] {
        func isWanted(_ passkey: PasskeyRecord) -> Bool { relyingParty.map { $0 == passkey.relyingParty } ?? true }
        let own = passkey.map(isWanted) == true ? [self] : []
        return own
            + sections.compactMap { head in
                guard let passkey = PasskeyRecord(head), isWanted(passkey) else { return nil }
                var item = self
                item.passkey = passkey
                item.formerName = nil
                let user = head.text("username") ?? ""
                if !user.isEmpty { item.userName = user }
                return item
            }
    }

    /// The passkey that can answer a request; the first one where several can.
    func passkey(for asked: PasskeyRequestParameters) -> PasskeyRecord? {
        let allowed = Set(asked.assertion.allowedCredentials.map { Array($0) })
        let fitting = passkeys.filter { $0.relyingParty == asked.relyingParty }
        // None fits: the authenticator says of the first what is wrong with it.
        return fitting.first { allowed.isEmpty || allowed.contains($0.credentialID) } ?? passkeys.first
    }
}
