import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import OneTimeCodes
import PasswordsProtocol
import Vault

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
        return .init(
            matches: matches.prefix(100).map { PasswordsProtocol.ItemSummary($0.item, place: $0.place) },
            items: page.items.map { PasswordsProtocol.ItemSummary($0, place: ranking.place(of: $0.addresses)) },
            total: page.total)
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
        guard let (section, _) = before.codes.first else {
            throw ProtocolError(.notFound, "The item has no one-time code.")
        }
        // Nothing is awaited from here until the counter is stored.
        let stored = try answering { () throws(VaultError) in try vault.code(section, of: item.id) }
        let recipe = try Self.recipe(stored)
        let now = UInt64(max(0, CodeLife.now))
        let code = try coding { () throws(OneTimeCodeError) in try recipe.code(at: now) }
        if case .counter = recipe.kind {
            let next = try coding { () throws(OneTimeCodeError) in try recipe.advanced() }
            let following = StoredCode(next, like: stored.record)
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
        guard !item.codes.isEmpty else { throw ProtocolError(.notFound, "The item has no one-time code.") }
        let stored = try answering { () throws(VaultError) in try vault.code(of: item.id) }
        let (issuer, account) = (stored.record.issuer, stored.record.account)
        let recipe = try Self.recipe(stored)
        let setup = try coding { () throws(OneTimeCodeError) in
            try CodeSetup(
                issuer: issuer.isEmpty ? item.title : issuer, account: account.isEmpty ? item.userName : account,
                recipe: recipe)
        }
        return .init(link: try Attachment(setup.link), item: PasswordsProtocol.ItemSummary(item))
    }

    // MARK: - What is stored

    /// What a person, or a site, gives for codes: a link or a secret in Base32, as the section that holds it.
    ///
    /// - Throws: `invalidParameters` for what is none, in words that say nothing of it.
    static func section(ofCode given: Attachment) throws(ProtocolError) -> ItemSection {
        let text = try SecretBytes(given, "code", limit: CodeLink.longest)
        let setups = try coding { () throws(OneTimeCodeError) in try CodeSetup.read(text) }
        guard let setup = setups.first, setups.count == 1 else {
            throw ProtocolError(.invalidParameters, "The link is for several accounts; give the link of one.")
        }
        let like = CodeRecord(issuer: setup.issuer, account: setup.account)
        return StoredCode(setup.recipe, like: like).section
    }

    /// Another code in the place of the first of `item`, or its first.
    static func put(code given: Attachment, into changes: inout ItemChanges, of item: StoredSummary)
        throws(ProtocolError)
    {
        let section = try section(ofCode: given)
        if let first = item.codes.first { changes.sections.append(.remove(first.section)) }
        changes.sections.append(.add(section))
    }

    private static func recipe(_ stored: StoredCode) throws(ProtocolError) -> CodeRecipe {
        let kind: CodeRecipe.Kind =
            switch stored.record.kind {
            case .totp(let period): .time(period: period)
            case .hotp(let counter): .counter(counter)
            case .steam: .steam
            }
        let algorithm: CodeAlgorithm =
            switch stored.record.algorithm {
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        return try coding { () throws(OneTimeCodeError) in
            try CodeRecipe(kind, secret: stored.secret, algorithm: algorithm, digits: Int(stored.record.digits))
        }
    }
}

extension StoredCode {
    /// What is stored for `recipe`, under the names of `record`.
    fileprivate init(_ recipe: CodeRecipe, like record: CodeRecord) {
        let kind: CodeRecord.Kind =
            switch recipe.kind {
            case .time(let period): .totp(period: period)
            case .counter(let counter): .hotp(counter: counter)
            case .steam: .steam
            }
        let algorithm: CodeRecord.Algorithm =
            switch recipe.algorithm {
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        self.init(
            CodeRecord(
                kind: kind, algorithm: algorithm, digits: UInt8(recipe.digits), issuer: record.issuer,
                account: record.account), secret: recipe.secret)
    }
}

/// What a failure of `body` means to a client.
private func coding<Result>(_ body: () throws(OneTimeCodeError) -> Result) throws(ProtocolError) -> Result {
    do {
        return try body()
    } catch {
        switch error.code {
        case .malformedLink: throw ProtocolError(.invalidParameters, "This isn't a link for one-time codes.")
        case .unsupportedKind:
            throw ProtocolError(.invalidParameters, "The link is for codes of a kind that Keyway can't make.")
        case .malformedSecret: throw ProtocolError(.invalidParameters, "The secret isn't Base32: letters and 2 to 7.")
        case .unsupportedAlgorithm:
            throw ProtocolError(.invalidParameters, "The link asks for a hash other than SHA-1, SHA-256 and SHA-512.")
        case .invalidParameter:
            throw ProtocolError(
                .invalidParameters, "The link has a number of digits, a period or a counter that can't be.")
        case .tooLong: throw ProtocolError(.invalidParameters, "The link, its secret or a name in it is too long.")
        case .counterExhausted: throw ProtocolError(.invalidParameters, "The counter of the codes has come to its end.")
        case .failed: throw ProtocolError(.internalError, "The code couldn't be made: \(error.detail).")
        }
    }
}
