import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import ServiceMatching
import Vault

/// Passwords that come from forms: they find the item of their account, or make one, and destroy nothing.
extension VaultService {
    /// Marks an item whose account may never come to be: its password stands in a form that was not sent yet.
    static let pendingTag = "generated"

    /// Keeps the password of an account.
    ///
    /// The item is that of the same user name at the same site, the best place first. A generated password that was kept
    /// before its form was sent becomes the account's as soon as that has a name: one item, never two.
    ///
    /// - Throws: `refused` for anybody but the extension; `exists` where another password would have to go and
    ///   `replaces` is false; `invalidParameters`; `locked`.
    func keep(
        _ parameters: KeepPassword.Parameters, for client: ServiceClient
    ) async throws(ProtocolError) -> KeepPassword.Result {
        try requireExtension(client)
        let user = Self.name(parameters.user)
        let password = try SecretBytes(parameters.password, "password", limit: ItemBounds.passwordBytes)
        guard !password.isEmpty else { throw ProtocolError(.invalidParameters, "The password is empty.") }
        let draft = try draft(parameters, user, password)
        let vault = try await vaultToChange(for: client)
        let services = ServiceAddress.expanded(parameters.service, suffixes: .system)
        let here = try Self.passwords(of: services, in: vault).map(\.item)
        // What is for HTTP's own sign-in has nothing to do with a form.
        // An item without a user name is known by its title.
        let account = here.first {
            ($0.userName == user || ($0.userName.isEmpty && Self.name($0.title) == user)) && !$0.isPending
                && $0.marks.use != .basic
        }
        let pending = try pending(of: here, with: password, in: vault)
        if let account, try self.password(of: account, in: vault) == password {
            if let pending { try await remove(pending, from: vault) }
            return .init(outcome: .unchanged)
        }
        if parameters.isPending {
            // What nobody has sent takes no other password's place, and is kept once.
            if pending != nil { return .init(outcome: .unchanged) }
            try await add(draft, to: vault)
            return .init(outcome: .added)
        }
        if let pending, let account, !parameters.replaces, !isSamePlace(account, draft) {
            // The generated password was kept for this place, and that account is another host's.
            return try await adopt(pending, user, in: vault)
        }
        if let account {
            guard parameters.replaces || !account.hasPassword else {
                throw ProtocolError(.exists, "There is another password for this account.")
            }
            try await change(account, in: vault, ItemChanges(password: password))
            if let pending { try await remove(pending, from: vault) }
            return .init(outcome: .changed)
        }
        if let pending { return try await adopt(pending, user, in: vault) }
        try await add(draft, to: vault)
        return .init(outcome: .added)
    }

    /// Makes an item that keeps a generated password the account's own.
    private func adopt(
        _ pending: StoredSummary, _ user: String, in vault: UnlockedVault
    ) async throws(ProtocolError) -> KeepPassword.Result {
        let tags = pending.tags.filter { $0 != Self.pendingTag }
        try await change(pending, in: vault, ItemChanges(userName: user, tags: tags))
        return .init(outcome: .changed)
    }

    /// Whether an item is for the very host that a new one would be for.
    private func isSamePlace(_ item: StoredSummary, _ draft: ItemDraft) -> Bool {
        func hosts(_ addresses: [String]) -> Set<String> {
            Set(addresses.compactMap { WrittenAddress($0, suffixes: .system)?.address.host.text })
        }
        return !hosts(item.addresses).isDisjoint(with: hosts(draft.addresses))
    }

    /// The item that keeps a generated password whose account has no name yet.
    private func pending(
        of items: [StoredSummary], with password: SecretBytes, in vault: UnlockedVault
    ) throws(ProtocolError) -> StoredSummary? {
        for item in items where item.isPending {
            if try self.password(of: item, in: vault) == password { return item }
        }
        return nil
    }

    /// A new item for it: called like its site, and found there.
    private func draft(
        _ parameters: KeepPassword.Parameters, _ user: String, _ password: SecretBytes
    ) throws(ProtocolError) -> ItemDraft {
        guard let address = ServiceAddress(parameters.service, suffixes: .system) else {
            throw ProtocolError(.invalidParameters, "The password is for no site.")
        }
        let title = Self.name(parameters.title ?? "")
        return ItemDraft(
            title: title.isEmpty ? address.host.displayed : title, userName: user, password: password,
            addresses: [parameters.service.kind == .url ? address.origin : address.host.written],
            tags: parameters.isPending ? [Self.pendingTag] : [])
    }

    private func password(of item: StoredSummary, in vault: UnlockedVault) throws(ProtocolError) -> SecretBytes? {
        guard item.hasPassword else { return nil }
        return try answering { () throws(VaultError) in try vault.body(of: item.id) }.password
    }

    private func add(_ draft: ItemDraft, to vault: UnlockedVault) async throws(ProtocolError) {
        guard !Task.isCancelled else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        let item = try answering { () throws(VaultError) in try vault.summary(of: try vault.add(draft)) }
        await changed(in: vault, from: nil, to: item)
    }

    private func remove(_ item: StoredSummary, from vault: UnlockedVault) async throws(ProtocolError) {
        await changeEnd()
        try answering { () throws(VaultError) in try vault.remove(item.id) }
        await changed(in: vault, from: item, to: nil)
    }
}

extension StoredSummary {
    /// Whether its account may never come to be.
    fileprivate var isPending: Bool { tags.contains(VaultService.pendingTag) }
}
