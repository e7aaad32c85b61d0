import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywaySystem
import PasswordsProtocol
import Vault

/// What sites report of their credentials: it renames, hides and offers again, and never destroys.
extension VaultService {
    /// How many reports are kept while the vault is locked; more are dropped, and sites report again.
    static let heldReports = 64

    /// Takes in a report; while the vault is locked it is held until it opens. No use of the vault: a page cannot keep it
    /// open.
    func hear(_ report: CredentialReport, from client: ServiceClient) async throws(ProtocolError) -> Nothing {
        try requireExtension(client)
        guard let open, !isIdle, grants.contains(client) else {
            if fileExists, reports.count < Self.heldReports, !reports.contains(report) { reports.append(report) }
            return Nothing()
        }
        try await apply(report, to: open.vault)
        return Nothing()
    }

    /// Takes in what was reported while the vault was locked.
    func applyHeldReports() async {
        guard let open else { return }
        let held = reports
        reports = []
        for report in held {
            do throws(ProtocolError) { try await apply(report, to: open.vault) } catch {
                surroundings.log("a report of a site was not taken in: \(error.message)")
            }
        }
    }

    private func apply(_ report: CredentialReport, to vault: UnlockedVault) async throws(ProtocolError) {
        switch report {
        case .passkeyUpdated(let party, let handle, let name):
            let name = Self.name(name)
            for (item, passkey) in try passkeys(of: party, handle, in: vault)
            where !passkey.isNamedByPerson && item.userName != name && !name.isEmpty {
                try await change(item, in: vault, ItemChanges(userName: name, isRenamedBySite: true))
            }
        case .passkeyUnknown(let party, let credential):
            for (item, passkey) in try passkeys(of: party, nil, in: vault)
            where passkey.credentialID == Array(credential) && !passkey.isWithheld {
                // It is also how the person takes back a passkey that they were not asked for, of which its site knows
                // nothing and which it goes on to list: so from here on they decide, and no list.
                try await change(item, in: vault, ItemChanges(isHidden: true, isWithheld: true))
            }
        case .passkeysAccepted(let party, let handle, let credentials):
            let accepted = Set(credentials.map { Array($0) })
            for (item, passkey) in try passkeys(of: party, handle, in: vault) {
                let isHidden = !accepted.contains(passkey.credentialID)
                guard isHidden != (item.hidden != nil), isHidden || !passkey.isWithheld else { continue }
                try await change(item, in: vault, ItemChanges(isHidden: isHidden))
            }
        case .passwordUnused(let domain, let user):
            let site = ItemRanking([ServiceIdentifier(domain, kind: .domain)])
            for (item, _) in try Self.passwords(of: [ServiceIdentifier(domain, kind: .domain)], in: vault)
            // What is used elsewhere, too, is not this site's to hide.
            where item.userName == user && item.addresses.allSatisfy({ site.best(of: [$0]) != nil }) {
                try await change(item, in: vault, ItemChanges(isHidden: true))
            }
        }
    }

    /// The passkeys of a relying party, of one account where a user handle is given; hidden ones too.
    private func passkeys(
        of relyingParty: String, _ userHandle: Data?, in vault: UnlockedVault
    ) throws(ProtocolError) -> [(item: StoredSummary, passkey: PasskeyRecord)] {
        let handle = userHandle.map { Array($0) }
        return try answering { () throws(VaultError) in try vault.passkeys(of: relyingParty) }.compactMap { item in
            guard let passkey = item.passkey, handle == nil || handle == passkey.userHandle else { return nil }
            return (item, passkey)
        }
    }
}
