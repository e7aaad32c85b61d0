import AutoFillProtocol
import OneTimeCodes
import Vault

extension StoredSummary {
    /// What the system may suggest of its one-time code: one identity per address; none while the item is hidden, or
    /// without a code.
    var codeIdentities: [CredentialIdentity] {
        guard hidden == nil, let code = codes.first?.code else { return [] }
        let user = [userName, code.account, title].first { !$0.isEmpty } ?? ""
        return services.map { service in
            CredentialIdentity(
                kind: .oneTimeCode, service: service, user: user, recordIdentifier: id.description,
                period: code.period.map(Int.init))
        }
    }
}

extension CodeRecord {
    /// How long each code is good for, in seconds since 1970; nil for a counter's.
    fileprivate var period: UInt32? {
        switch kind {
        case .totp(let period): period
        case .steam: CodeRecipe.usualPeriod
        case .hotp: nil
        }
    }
}

extension StoredSummary {
    /// All that the system may suggest for this item.
    var everyIdentity: [CredentialIdentity] { identities + codeIdentities }
}
