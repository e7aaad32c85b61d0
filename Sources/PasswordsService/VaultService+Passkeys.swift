import Authenticator
import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault

/// Passkeys: here, and in no other process, a private key is opened.
extension VaultService {
    /// The passkeys of a relying party that can be offered.
    func find(
        _ parameters: FindPasskeys.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> MatchItems.Result {
        let vault = try await vault(for: client, toName: gate)
        let allowed = Set(parameters.allowedCredentials.map { Array($0) })
        let found = try visible(of: parameters.relyingParty, in: vault).filter { item in
            allowed.isEmpty || allowed.contains(item.passkey?.credentialID ?? [])
        }
        let sorted = found.sorted { $0.userName < $1.userName }
        return .init(items: sorted.prefix(200).map { PasswordsProtocol.ItemSummary($0) })
    }

    /// Signs with the passkey of one item.
    ///
    /// - Throws: `refused` for anybody but the extension; `notFound` where the passkey is not there, hidden, another
    ///   relying party's or not allowed; `notVerified`; `invalidParameters`; `locked`.
    func sign(
        _ parameters: SignWithPasskey.Parameters, for client: ServiceClient
    ) async throws(ProtocolError) -> PasskeyAssertionCredential {
        try requireExtension(client)
        let vault = try vault(for: client)
        let asked = parameters.request
        guard let id = ItemID(parameters.item) else { throw ProtocolError(.notFound, "The passkey is gone.") }
        let item = try answering { () throws(VaultError) in try vault.summary(of: id) }
        // What a site reported as gone is not used until the person offers it again.
        guard item.hidden == nil, let record = item.passkey(for: asked) else {
            throw ProtocolError(.notFound, "The passkey is gone.")
        }
        let passkey = try answering { () throws(VaultError) in try vault.passkey(record.credentialID, of: id) }
        let assertion: Assertion
        do throws(AuthenticatorError) {
            assertion = try PasskeyAuthenticator().sign(
                try AssertionRequest(asked), with: passkey,
                person: asked.isPersonVerified == true ? .verified : .present, isBackedUp: false)
        } catch {
            throw ProtocolError(error)
        }
        var wasBlobStored = false
        if let blob = assertion.newLargeBlob {
            wasBlobStored = (try? await store(blob, for: record.credentialID, of: item, in: vault)) != nil
        }
        return try PasskeyAssertionCredential(
            assertion, clientDataHash: asked.assertion.clientDataHash, relyingParty: asked.relyingParty,
            wasBlobStored: wasBlobStored)
    }

    /// Stores what a site gives to be kept with a passkey: in the item that it is, or in its section.
    private func store(
        _ blob: SecretBytes, for credentialID: [UInt8], of item: StoredSummary, in vault: UnlockedVault
    ) async throws(ProtocolError) {
        guard let number = item.sections.first(where: { PasskeyRecord($0)?.credentialID == credentialID })?.number,
            item.passkey?.credentialID != credentialID
        else {
            try await change(item, in: vault, ItemChanges(largeBlob: blob))
            return
        }
        await changeEnd()
        var section = try answering { () throws(VaultError) in try vault.section(number, of: item.id) }
        section.members.removeAll { $0.name == "largeBlob" }
        section.members.append(SectionMember("largeBlob", .bytes, blob))
        try await change(item, in: vault, ItemChanges(sections: [.replace(number, section)]))
    }

    /// Makes a passkey; it is stored, durably, when this returns.
    ///
    /// - Throws: `refused` for anybody but the extension, and where a conditional one is not due; `exists` where an
    ///   excluded one is there; `notVerified`; `invalidParameters`; `locked`; `cancelled`, and nothing was stored.
    func make(
        _ parameters: MakePasskey.Parameters, for client: ServiceClient
    ) async throws(ProtocolError) -> PasskeyRegistrationCredential {
        try requireExtension(client)
        let vault = try await vaultToChange(for: client)
        let asked = parameters.registration
        // A new one that the person wants stands beside one that they do not see. One that nobody is asked for does not:
        // what was hidden is what was taken back, or what a site gave up.
        let existing =
            parameters.isConditional
            ? try all(of: asked.relyingParty, in: vault) : try visible(of: asked.relyingParty, in: vault)
        if parameters.isConditional { try requireUpgradable(asked, existing, in: vault) }
        let made: Registration
        do throws(AuthenticatorError) {
            let isVerified = asked.isPersonVerified == true
            made = try PasskeyAuthenticator().register(
                try RegistrationRequest(asked, isConditional: parameters.isConditional),
                existing: Set(existing.compactMap(\.passkey?.credentialID)),
                person: parameters.isConditional ? .absent : isVerified ? .verified : .present, backup: .eligible)
        } catch {
            throw ProtocolError(error)
        }
        guard !Task.isCancelled else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        let draft = ItemDraft(
            title: asked.relyingParty, userName: Self.name(asked.userName), addresses: [asked.relyingParty],
            passkey: made.passkey)
        let item = try answering { () throws(VaultError) in try vault.summary(of: try vault.add(draft)) }
        surroundings.log("made a passkey")
        await changed(in: vault, from: nil, to: item)
        return try PasskeyRegistrationCredential(made, for: asked)
    }

    /// A name that a page gives, as it can be kept and shown.
    static func name(_ text: String) -> String {
        DisplayText.line(String(text.prefix(ItemBounds.userCharacters))).trimmed
    }

    /// The passkeys of a relying party that are not hidden.
    private func visible(of relyingParty: String, in vault: UnlockedVault) throws(ProtocolError) -> [StoredSummary] {
        try all(of: relyingParty, in: vault).filter { $0.hidden == nil }
    }

    /// The passkeys of a relying party, hidden ones too. An item that has several stands there once for each.
    private func all(of relyingParty: String, in vault: UnlockedVault) throws(ProtocolError) -> [StoredSummary] {
        try answering { () throws(VaultError) in try vault.passkeys(of: relyingParty) }.flatMap {
            $0.eachPasskey(of: relyingParty)
        }
    }

    /// The extension answers for what the broker checked: who asks, and whether the person was verified. A terminal has
    /// nobody to answer for it.
    func requireExtension(_ client: ServiceClient) throws(ProtocolError) {
        if case .terminal = client {
            throw ProtocolError(.refused, "This is for pages and apps, through the provider's extension.")
        }
    }

    // MARK: - The automatic upgrade

    /// Refuses a passkey that nobody was asked for, unless the account has a password here, and no passkey,
    /// not even one that is hidden.
    private func requireUpgradable(
        _ asked: PasskeyRegistration, _ existing: [StoredSummary], in vault: UnlockedVault
    ) throws(ProtocolError) {
        let handle = Array(asked.userHandle)
        let accounts = try Self.passwords(
            of: [ServiceIdentifier(asked.relyingParty, kind: .domain)], in: vault
        ).map(\.item)
        guard accounts.contains(where: { $0.hasPassword && $0.userName == asked.userName }) else {
            throw ProtocolError(.refused, "There is no password of that user name for this site.")
        }
        let name = Self.name(asked.userName)
        guard !existing.contains(where: { $0.passkey?.userHandle == handle || $0.userName == name }) else {
            throw ProtocolError(.refused, "The account has a passkey already.")
        }
    }
}
