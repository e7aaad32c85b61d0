import AutoFillProtocol
import CodeLinks
import PasswordsProtocol
import Vault

extension StoredSummary {
    /// What the system may suggest of its one-time codes: one identity for each code and address; none while the item is
    /// hidden, or without a code.
    var codeIdentities: [CredentialIdentity] {
        guard hidden == nil else { return [] }
        return namedCodes.flatMap { code in
            services.map { service in
                CredentialIdentity(
                    kind: .oneTimeCode, service: service, user: code.label,
                    recordIdentifier: CodeRecordName(item: id.description, section: code.section).record,
                    period: code.period.map(Int.init))
            }
        }
    }

    /// The item once for each of its codes, for a list of codes.
    func eachCode(place: String?) -> [PasswordsProtocol.ItemSummary] {
        namedCodes.map { code in
            guard let section = code.section else { return PasswordsProtocol.ItemSummary(self, place: place) }
            var item = self
            item.userName = code.label
            return PasswordsProtocol.ItemSummary(item, place: place, code: section)
        }
    }

    /// What each of its codes is called, and where it is, if there are several: the account's name, and behind it in
    /// brackets what tells the codes apart.
    private var namedCodes: [(label: String, section: Int?, period: UInt32?)] {
        let codes = codes
        func name(_ code: CodeRecord) -> String { [userName, code.account, title].first { !$0.isEmpty } ?? "" }
        guard codes.count > 1 else { return codes.map { (name($0.code), nil, $0.code.period) } }
        let ways: [(CodeRecord) -> String] = [
            { $0.issuer }, { $0.account },
            { $0.issuer.isEmpty || $0.account.isEmpty ? "" : "\($0.issuer): \($0.account)" },
        ]
        let told = ways.lazy.map { codes.map(\.code).map($0) }.first { texts in
            Set(texts).count == texts.count && !texts.contains("")
        }
        let details = told ?? codes.indices.map { "\($0 + 1)" }
        return zip(codes, details).map { code, detail in
            let base = userName.isEmpty ? title : userName
            return (base.isEmpty ? detail : "\(base) (\(detail))", Int(code.section), code.code.period)
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
