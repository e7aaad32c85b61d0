package import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol
import ServiceMatching
package import Vault

extension VaultService {
    /// A page of the items that hold all the words.
    func search(
        _ parameters: SearchItems.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> SearchItems.Result {
        let vault = try await vault(for: client, toName: gate)
        guard (1...1000).contains(parameters.limit), parameters.offset >= 0, parameters.text.utf8.count <= 4000 else {
            throw ProtocolError(
                .invalidParameters, "A search can have at most 4,000 bytes of text and a limit of 1 to 1,000.")
        }
        let services = parameters.services ?? []
        try Self.check(services)
        var kinds: ItemKinds =
            switch parameters.kind {
            case .password: [.passwords, .hidden]
            case .passkey: [.passkeys, .hidden]
            case nil: .all
            }
        if parameters.leavesOutHidden == true { kinds.remove(.hidden) }
        let page = try answering { () throws(VaultError) in
            try vault.search(parameters.text, of: kinds, offset: parameters.offset, limit: parameters.limit)
        }
        let ranking = ItemRanking(services)
        return .init(
            items: page.items.map { PasswordsProtocol.ItemSummary($0, place: ranking.place(of: $0.addresses)) },
            total: page.total)
    }

    /// The items of some services, best first, 200 at most.
    func match(
        _ parameters: MatchItems.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> MatchItems.Result {
        let vault = try await vault(for: client, toName: gate)
        try Self.check(parameters.services)
        let items = try Self.passwords(of: parameters.services, in: vault)
        return .init(items: items.prefix(200).map { PasswordsProtocol.ItemSummary($0.item, place: $0.place) })
    }

    /// All items of some services that are no passkeys and not hidden, best first, each with the place that it was found
    /// for.
    static func passwords(
        of services: [ServiceIdentifier], in vault: UnlockedVault
    ) throws(ProtocolError) -> [(item: StoredSummary, place: String)] {
        try items(.passwords, of: ItemRanking(services), in: vault)
    }

    /// All items of these kinds that are ranked and not hidden, best first, each with the place that it was found for.
    static func items(
        _ kinds: ItemKinds, of ranking: ItemRanking, in vault: UnlockedVault
    ) throws(ProtocolError) -> [(item: StoredSummary, place: String)] {
        var ranked: [ItemID: (rank: Int, item: StoredSummary, place: String)] = [:]
        for text in ranking.searchTexts {
            for item in try answering({ () throws(VaultError) in try vault.search(text, of: kinds) }) {
                if let best = ranking.best(of: item.addresses) {
                    ranked[item.id] = (best.rank, item, best.address.place)
                }
            }
        }
        let best = ranked.values.sorted {
            ($0.rank, $0.item.title, $0.item.userName) < ($1.rank, $1.item.title, $1.item.userName)
        }
        return best.map { ($0.item, $0.place) }
    }

    /// One item with the secrets that were asked for.
    func show(
        _ parameters: ShowItem.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> ShowItem.Result {
        let item = try await item(parameters.item, for: client, gate)
        if parameters.parts.isEmpty { try await gate.names() } else { try await gate.secrets(of: item) }
        // It may have been locked while the person was asked.
        let vault = try vault(for: client)
        let body = try answering { () throws(VaultError) in try vault.body(of: item.id) }
        var result = try ShowItem.Result(item, body, parameters.parts)
        if parameters.parts.contains(.sections) {
            let taken = 2 + result.fields.count + result.history.count
            result.sections = try contents(of: item, beside: taken, in: vault)
        }
        return result
    }

    /// Stores a new item.
    func add(
        _ parameters: AddItem.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> AddItem.Result {
        _ = try vault(for: client)
        try await gate.use()
        let vault = try await vaultToChange(for: client)
        var draft = try ItemDraft(parameters.item)
        if let code = parameters.item.code { draft.sections.append(try Self.section(ofCode: code)) }
        let item = try answering { () throws(VaultError) in try vault.summary(of: try vault.add(draft)) }
        await changed(in: vault, from: nil, to: item)
        return .init(item: PasswordsProtocol.ItemSummary(item), unusableAddresses: Self.unusable(item.addresses))
    }

    /// Changes an item.
    func edit(
        _ parameters: EditItem.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> AddItem.Result {
        _ = try vault(for: client)
        var changes = try ItemChanges(parameters.change)
        let (before, vault) = try await named(parameters.item, for: client, gate)
        for number in parameters.change.removedSections ?? []
        where !before.sections.contains(where: { Int($0.number) == number }) {
            throw ProtocolError(.notFound, "The item has no section \(number).")
        }
        if before.passkey != nil {
            guard changes.password == nil, changes.addresses == nil else {
                throw ProtocolError(
                    .invalidParameters, "A passkey has no password, and you can't change its site.")
            }
            if changes.userName != nil { changes.isNamedByPerson = true }
        }
        if let code = parameters.change.code {
            try Self.put(
                code: code, into: &changes, of: before, adds: parameters.change.addsCode == true,
                removing: parameters.change.removedSections ?? [])
        }
        let after = try await change(before, in: vault, changes)
        return .init(item: PasswordsProtocol.ItemSummary(after), unusableAddresses: Self.unusable(after.addresses))
    }

    /// Removes an item.
    func remove(
        _ parameters: RemoveItem.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> AddItem.Result {
        let (item, _) = try await named(parameters.item, for: client, gate)
        let vault = try await vaultToChange(for: client)
        try answering { () throws(VaultError) in try vault.remove(item.id) }
        await changed(in: vault, from: item, to: nil)
        return .init(item: PasswordsProtocol.ItemSummary(item))
    }

    /// Takes back what a site reported of an item: it is offered again where it was hidden, and else gets back the name
    /// that the person knows it by, which its site then no longer changes.
    func restore(
        _ parameters: RemoveItem.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> AddItem.Result {
        let (before, vault) = try await named(parameters.item, for: client, gate)
        let changes: ItemChanges
        if before.hidden != nil {
            changes = ItemChanges(isHidden: false)
        } else if let name = before.formerName {
            changes = ItemChanges(userName: name, isNamedByPerson: true)
        } else {
            throw ProtocolError(.invalidParameters, "The item isn't hidden, and its site hasn't renamed it.")
        }
        let after = try await change(before, in: vault, changes)
        return .init(item: PasswordsProtocol.ItemSummary(after))
    }

    // MARK: - What is handed out

    /// The vault, for names that are handed out.
    func vault(for client: ServiceClient, toName gate: HandoutGate) async throws(ProtocolError) -> UnlockedVault {
        _ = try vault(for: client)
        try await gate.names()
        // It may have been locked while the person was asked.
        return try vault(for: client)
    }

    /// The item that `name` names, for an answer that describes it, and the vault as it is then.
    func named(
        _ name: ItemName, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> (StoredSummary, UnlockedVault) {
        let vault = try await vault(for: client, toName: gate)
        return (try ItemLookup(vault: vault).item(name), vault)
    }

    /// The item that `name` names; tells nothing of it yet. That there is none names others.
    func item(
        _ name: ItemName, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> StoredSummary {
        do throws(ProtocolError) {
            return try ItemLookup(vault: try vault(for: client)).item(name)
        } catch {
            guard [.notFound, .ambiguous].contains(error.code) else { throw error }
            try await gate.names()
            throw error
        }
    }

    /// Changes an item, once its vault's key is not being renewed, and tells the identity store.
    @discardableResult
    func change(
        _ before: StoredSummary, in vault: UnlockedVault, _ changes: ItemChanges
    ) async throws(ProtocolError) -> StoredSummary {
        await changeEnd()
        let after = try answering { () throws(VaultError) in
            try vault.edit(before.id, changes)
            return try vault.summary(of: before.id)
        }
        await changed(in: vault, from: before, to: after)
        return after
    }

    private static func check(_ services: [ServiceIdentifier]) throws(ProtocolError) {
        guard services.count <= 16 else {
            throw ProtocolError(.invalidParameters, "There are more than 16 services.")
        }
    }

    private static func unusable(_ addresses: [String]) -> [String] {
        addresses.filter { WrittenAddress($0, suffixes: .system) == nil }
    }

    /// Tells the identity store of a change that is durable now, and waits for it: who has stored an account finds it
    /// suggested, even where the vault is locked right after.
    func changed(in vault: UnlockedVault, from before: StoredSummary?, to after: StoredSummary?) async {
        guard let mark = mark(of: vault) else { return }
        let change = IdentityChange(
            from: before?.everyIdentity ?? [], to: after?.everyIdentity ?? [], mark: mark)
        surroundings.onIdentityJob(.change(change))
        await surroundings.identitiesTold()
    }
}

// MARK: - For the identity store

extension VaultService: IdentitySource {
    func mark(of vault: UnlockedVault) -> IdentityMark? {
        guard let epoch = try? vault.epoch else { return nil }
        return IdentityMark(vault: vault.id.description, epoch: epoch)
    }

    package func identityMark() -> IdentityMark? { open.flatMap { mark(of: $0.vault) } }

    package func itemIdentifiers() -> [ItemID]? {
        guard let open else { return nil }
        var items: [ItemID] = []
        let isRead = (try? open.vault.forEachSummary { items.append($0.id) }) != nil
        return isRead ? items : nil
    }

    package func identities(of items: ArraySlice<ItemID>) -> [CredentialIdentity]? {
        guard let open else { return nil }
        // An item that is gone by now has a change of its own among the jobs.
        return items.flatMap { (try? open.vault.summary(of: $0))?.everyIdentity ?? [] }
    }
}
