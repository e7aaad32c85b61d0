import AutoFillProtocol
import AutoFillWire
import CodeLinks
import KeywayCrypto
import KeywaySystem
import OneTimeCodes
import PasswordsProtocol
import Vault
import VaultExchange

/// One-time codes: made here, where their secrets are.
extension VaultService {
    /// The items that make codes.
    func find(
        _ parameters: FindCodes.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> FindCodes.Result {
        let vault = try await vault(for: client, toName: gate)
        guard (1...1000).contains(parameters.limit), parameters.text.utf8.count <= 4000, parameters.services.count <= 16
        else {
            throw ProtocolError(
                .invalidParameters,
                "A search can have at most 16 services, 4,000 bytes of text and a limit of 1 to 1,000.")
        }
        let ranking = ItemRanking(parameters.services)
        let matches = try Self.items(.codes, of: ranking, in: vault)
        let page = try answering { () throws(VaultError) in
            try vault.search(parameters.text, of: .codes, offset: 0, limit: parameters.limit)
        }
        let items = page.items.flatMap { $0.eachCode(place: ranking.place(of: $0.addresses)) }
        return .init(
            matches: Array(matches.flatMap { $0.item.eachCode(place: $0.place) }.prefix(100)),
            items: Array(items.prefix(parameters.limit)), total: page.total + items.count - page.items.count)
    }

    /// The code of an item. A counter has moved on, durably, before anybody learns the code: no code is given twice,
    /// whoever asks at the same time, and whatever happens in between.
    func make(
        _ parameters: MakeCode.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> MakeCode.Result {
        let item = try ItemLookup(vault: try vault(for: client)).item(ItemName(parameters.item))
        guard item.id.description == parameters.item else {
            throw ProtocolError(.notFound, "The item no longer exists.")
        }
        try await gate.secrets(of: item)
        // It may have been locked, or changed, while the person was asked.
        let vault = try await vaultToChange(for: client)
        let before = try answering { () throws(VaultError) in try vault.summary(of: item.id) }
        let section = try Self.section(parameters.section, of: before)
        // Nothing is awaited from here until the counter is stored.
        let stored = try answering { () throws(VaultError) in try vault.code(section, of: item.id) }
        let recipe = try Self.recipe(stored)
        let now = UInt64(max(0, CodeLife.now))
        let code = try coding { () throws(OneTimeCodeError) in try recipe.code(at: now) }
        if case .counter = recipe.kind {
            let next = try coding { () throws(OneTimeCodeError) in try recipe.advanced() }
            let following = StoredCode(next, issuer: stored.record.issuer, account: stored.record.account)
            try answering { () throws(VaultError) in
                try vault.edit(item.id, ItemChanges(sections: [.replace(section, following.section)]))
            }
            await changed(in: vault, from: before, to: try? vault.summary(of: item.id))
        }
        return .init(
            code: try Attachment(code), validUntil: recipe.secondsLeft(at: now).map { Double(now) + Double($0) },
            item: PasswordsProtocol.ItemSummary(before))
    }

    /// The link for the codes of an item.
    func link(
        _ parameters: ShowCodeLink.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> ShowCodeLink.Result {
        let item: StoredSummary
        do throws(ProtocolError) {
            item = try ItemLookup(vault: try vault(for: client)).item(parameters.item)
        } catch {
            // That there is none names others.
            try await gate.names()
            throw error
        }
        try await gate.secrets(of: item)
        let vault = try vault(for: client)
        let section = try Self.section(parameters.section, of: item)
        guard parameters.section != nil || item.codes.count == 1 else {
            let numbers = item.codes.map { "\($0.section)" }.joined(separator: ", ")
            throw ProtocolError(.ambiguous, "The item has several one-time codes. Name a section: \(numbers).")
        }
        let stored = try answering { () throws(VaultError) in try vault.code(section, of: item.id) }
        let (issuer, account) = (stored.record.issuer, stored.record.account)
        let recipe = try Self.recipe(stored)
        let setup = try coding { () throws(OneTimeCodeError) in
            try CodeSetup(
                issuer: issuer.isEmpty ? item.title : issuer, account: account.isEmpty ? item.userName : account,
                recipe: recipe)
        }
        return .init(link: try Attachment(setup.link), item: PasswordsProtocol.ItemSummary(item))
    }

    /// Keeps what makes one-time codes, where the person wants it. Nothing that an item has is lost by it, and nothing
    /// that the link says makes an address.
    ///
    /// - Throws: `refused` for anybody but the extension, and for a link that is for somebody else than the person was
    ///   told; `notFound`; `invalidParameters`; `locked`.
    func keep(
        _ parameters: KeepCode.Parameters, for client: ServiceClient
    ) async throws(ProtocolError) -> KeepCode.Result {
        try requireExtension(client)
        let setup = try Self.setup(ofCode: parameters.link)
        guard setup.issuer == parameters.issuer, setup.account == parameters.account else {
            throw ProtocolError(.refused, "The link is for another account than the one that you agreed to.")
        }
        let code = StoredCode(setup.recipe, issuer: setup.issuer, account: setup.account)
        let vault = try await vaultToChange(for: client)
        guard let identifier = parameters.item else {
            let title = [setup.issuer, setup.account].first { !$0.isEmpty } ?? "One-time codes"
            let draft = ItemDraft(
                title: Self.name(title), userName: Self.name(setup.account), password: nil, sections: [code.section])
            let item = try answering { () throws(VaultError) in try vault.summary(of: try vault.add(draft)) }
            await changed(in: vault, from: nil, to: item)
            return .init(item: PasswordsProtocol.ItemSummary(item))
        }
        let before = try ItemLookup(vault: vault).item(ItemName(identifier))
        guard before.id.description == identifier else {
            throw ProtocolError(.notFound, "The item no longer exists.")
        }
        for (section, _) in before.codes {
            let stored = try answering { () throws(VaultError) in try vault.code(section, of: before.id) }
            if stored == code { return .init(item: PasswordsProtocol.ItemSummary(before)) }
        }
        let after = try await change(before, in: vault, ItemChanges(sections: [.add(code.section)]))
        return .init(item: PasswordsProtocol.ItemSummary(after))
    }

    // MARK: - What is stored

    /// The section of the code that is meant: the one with this number, or the first.
    private static func section(_ number: Int?, of item: StoredSummary) throws(ProtocolError) -> UInt16 {
        guard let first = item.codes.first else { throw ProtocolError(.notFound, "The item has no one-time code.") }
        guard let number else { return first.section }
        guard let code = item.codes.first(where: { Int($0.section) == number }) else {
            throw ProtocolError(.notFound, "The item has no one-time code in section \(number).")
        }
        return code.section
    }

    /// What a person, or a site, gives for codes: a link or a secret in Base32, as the section that holds it.
    ///
    /// - Throws: `invalidParameters` for what is none, in words that say nothing of it.
    static func section(ofCode given: Attachment) throws(ProtocolError) -> ItemSection {
        let setup = try setup(ofCode: given)
        return StoredCode(setup.recipe, issuer: setup.issuer, account: setup.account).section
    }

    private static func setup(ofCode given: Attachment) throws(ProtocolError) -> CodeSetup {
        let text = try SecretBytes(given, "code", limit: CodeLink.longest)
        let setups = try coding { () throws(OneTimeCodeError) in try CodeSetup.read(text) }
        guard let setup = setups.first, setups.count == 1 else {
            throw ProtocolError(.invalidParameters, "The link is for several accounts; give the link of one.")
        }
        return setup
    }

    /// Another code in the place of the one that `item` has; its first, or one more.
    ///
    /// - Throws: `ambiguous` where it has several, and `adds` is false.
    static func put(
        code given: Attachment, into changes: inout ItemChanges, of item: StoredSummary, adds: Bool,
        removing removed: [Int]
    ) throws(ProtocolError) {
        let section = try section(ofCode: given)
        let left = item.codes.filter { !removed.contains(Int($0.section)) }
        guard !adds, let first = left.first else {
            changes.sections.append(.add(section))
            return
        }
        guard left.count == 1 else {
            let numbers = left.map { "\($0.section)" }.joined(separator: ", ")
            throw ProtocolError(
                .ambiguous,
                "The item has several one-time codes, in the sections \(numbers). Remove one first, or add another.")
        }
        changes.sections.append(.replace(first.section, section))
    }

    private static func recipe(_ stored: StoredCode) throws(ProtocolError) -> CodeRecipe {
        try coding { () throws(OneTimeCodeError) in try stored.recipe }
    }
}

/// What a failure of `body` means to a client.
private func coding<Result>(_ body: () throws(OneTimeCodeError) -> Result) throws(ProtocolError) -> Result {
    do {
        return try body()
    } catch {
        throw ProtocolError(error.code == .failed ? .internalError : .invalidParameters, error.words)
    }
}
