package import AutoFillProtocol
package import KeywaySystem
package import ServiceMatching

/// Answers `suggest` from the identity stores, without starting a process.
package struct Suggester: Sendable {
    /// The most services of one question.
    package static let maximumServices = 16
    /// The most bytes of one service: what a suggestion is good for is kept as long as its handle.
    package static let maximumIdentifier = 4096
    /// The most bytes of a realm.
    package static let maximumRealm = 1024
    private static let defaultLimit = 50
    private static let maximumLimit = 1000

    let stores: IdentityStores
    /// Which domains are registrable.
    package let suffixes: PublicSuffixes

    /// A provider, as far as something of it is suggested.
    package struct Provider: Sendable {
        /// Which one it is.
        package let reference: ProviderReference
        /// The kinds of identities that may be suggested.
        package let suggested: Set<CredentialKind>
        /// The kinds of which it has a list to choose from.
        package let listed: [CredentialKind]
        /// Whether it has texts to choose from.
        package let hasTexts: Bool

        /// A provider by its parts.
        package init(
            reference: ProviderReference, suggested: Set<CredentialKind>, listed: [CredentialKind],
            hasTexts: Bool = false
        ) {
            self.hasTexts = hasTexts
            self.reference = reference
            self.suggested = suggested
            self.listed = listed
        }
    }

    /// Answers from `stores`.
    package init(stores: IdentityStores, suffixes: PublicSuffixes) {
        self.stores = stores
        self.suffixes = suffixes
    }

    /// What makes two identities one account for the person.
    private struct Account: Hashable {
        let kind: CredentialKind
        let user: String
        let record: String
    }

    /// One match, and where it stands in the order of all.
    private struct Candidate {
        let service: Int
        let found: IdentityMatch
        /// Where the provider stands in the person's order.
        let position: Int
        let provider: ProviderReference

        /// How well it fits, then the provider's rank, then last used, then the person's order of providers.
        func comesBefore(_ other: Candidate) -> Bool {
            if service != other.service { return service < other.service }
            let (left, right) = (found.match.order, other.found.match.order)
            if left != right { return left < right }
            if found.identity.rank != other.found.identity.rank {
                return found.identity.rank > other.found.identity.rank
            }
            if found.used != other.found.used { return found.used > other.found.used }
            if position != other.position { return position < other.position }
            return found.identity.user < other.found.identity.user
        }
    }

    /// The suggestions for `parameters`; `makeHandles` gives each of them a handle.
    ///
    /// `more` counts identities, 1000 at most for each provider; one account that is stored for several addresses of a
    /// site counts for each.
    ///
    /// - Parameters:
    ///   - namesRecords: whether suggestions say what their provider calls them.
    ///   - filled: the account that was filled before on this site: its code comes first.
    ///   - sharing: the sites whose passwords are good at the first service, too; they come last.
    /// - Throws: ``ProtocolError``: `invalidParameters`, or that of a store.
    package func suggest(
        _ parameters: Suggest.Parameters, from providers: [Provider], namesRecords: Bool,
        filled: FilledAccount.Account? = nil, sharing: [ServiceAddress] = [],
        makeHandles: ([SuggestionHandles.Offer]) -> [String]
    ) async throws(ProtocolError) -> Suggest.Result {
        let limit = parameters.limit ?? Self.defaultLimit
        guard (0...Self.maximumLimit).contains(limit) else {
            throw ProtocolError(.invalidParameters, "At most \(Self.maximumLimit) suggestions at a time.")
        }
        try Self.checkBounds(parameters.services)
        let pages = parameters.services.map { ServiceAddress($0, suffixes: suffixes) }
        var candidates: [Candidate] = []
        var total = 0
        let wanted = Set(parameters.kinds ?? [.password])
        for (position, provider) in providers.enumerated() {
            let kinds = wanted.intersection(provider.suggested)
            let look = Look(
                kinds: kinds, limit: limit, provider: provider.reference, position: position,
                filter: parameters.passkeys)
            let matched = try await matches(pages, of: parameters.services, look)
            let others = try await shared(sharing, with: pages.first ?? nil, of: parameters.services, look)
            for (found, count) in [matched, try await passkeys(pages, look), others] {
                candidates += found
                total += count
            }
        }
        candidates.sort { $0.comesBefore($1) }
        candidates = Self.withPasskeysFirst(candidates)
        if let filled { candidates = Self.with(codesOf: filled, first: candidates) }
        let shown = candidates.prefix(limit)
        let handles = makeHandles(shown.map { .init(provider: $0.provider.identifier, identity: $0.found.identity) })
        let suggestions = zip(shown, handles).map { candidate, handle in
            let identity = candidate.found.identity
            return Suggestion(
                handle: handle, user: identity.user, service: identity.service.identifier,
                provider: candidate.provider, match: candidate.found.match, kind: identity.kind,
                record: namesRecords ? identity.recordIdentifier : nil, period: identity.period)
        }
        var lists: [ProviderLists] = []
        for provider in providers {
            let isSilent = wanted.contains(.passkey) ? try await isSilent(provider) : nil
            lists.append(
                ProviderLists(
                    provider: provider.reference, kinds: provider.listed, isSilent: isSilent,
                    hasTexts: provider.hasTexts ? true : nil))
        }
        return Suggest.Result(
            suggestions: suggestions, more: max(0, total - suggestions.count), providers: providers.map(\.reference),
            lists: lists)
    }

    /// The same, with the passkeys of an account above its passwords: who has both signs in with the passkey, and finds
    /// the password, which is kept, under it.
    private static func withPasskeysFirst(_ candidates: [Candidate]) -> [Candidate] {
        let passwords = Set(candidates.lazy.map(\.found.identity).filter { $0.kind == .password }.map(\.user))
        let passkeys = Dictionary(
            grouping: candidates.filter {
                let identity = $0.found.identity
                // Accounts without a name are not one account.
                return identity.kind == .passkey && !identity.user.isEmpty && passwords.contains(identity.user)
            }, by: \.found.identity.user)
        guard !passkeys.isEmpty else { return candidates }
        var placed: Set<String> = []
        return candidates.flatMap { candidate -> [Candidate] in
            let identity = candidate.found.identity
            guard identity.kind != .oneTimeCode, let first = passkeys[identity.user] else { return [candidate] }
            let isFirst = placed.insert(identity.user).inserted
            return (isFirst ? first : []) + (identity.kind == .passkey ? [] : [candidate])
        }
    }

    /// The same, with the codes of an account above all others: those that its own provider has, then those under the
    /// same name elsewhere. They fit the page no worse for that: what does not fit is not among them. Of several codes,
    /// each says behind the account's name, in brackets, which it is.
    private static func with(codesOf account: FilledAccount.Account, first candidates: [Candidate]) -> [Candidate] {
        func place(_ candidate: Candidate) -> Int {
            let identity = candidate.found.identity
            guard identity.kind == .oneTimeCode else { return 4 }
            let isElsewhere = candidate.provider.identifier != account.provider
            if identity.user == account.user { return isElsewhere ? 2 : 0 }
            return CodeLabel.isOneOfSeveral(identity.user, of: account.user) ? (isElsewhere ? 3 : 1) : 4
        }
        return (0...4).flatMap { wanted in candidates.filter { place($0) == wanted } }
    }

    /// Whether a provider has named no account at all.
    private func isSilent(_ provider: Provider) async throws(ProtocolError) -> Bool {
        try await stores.use(provider.reference.identifier) { try await !$0.reader.holdsAny() }
    }

    /// The passkeys that fit, best first, and whose they are: for a page that may use the relying party.
    ///
    /// - Throws: ``ProtocolError``: that of a store.
    package func offers(
        _ filter: PasskeyFilter, for services: [ServiceIdentifier], from providers: [Provider]
    ) async throws(ProtocolError) -> [(provider: ProviderReference, offer: SuggestionHandles.Offer)] {
        let pages = services.map { ServiceAddress($0, suffixes: suffixes) }
        var candidates: [Candidate] = []
        for (position, provider) in providers.enumerated() where provider.suggested.contains(.passkey) {
            let look = Look(
                kinds: [.passkey], limit: Self.maximumLimit, provider: provider.reference, position: position,
                filter: filter)
            candidates += try await passkeys(pages, look).found
        }
        candidates.sort { $0.comesBefore($1) }
        return candidates.map {
            ($0.provider, .init(provider: $0.provider.identifier, identity: $0.found.identity))
        }
    }

    /// Checks the services of any question, those of a fill too.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters`.
    package static func checkBounds(_ services: [ServiceIdentifier]) throws(ProtocolError) {
        guard services.count <= maximumServices else {
            throw ProtocolError(.invalidParameters, "At most \(maximumServices) services at a time.")
        }
        guard services.allSatisfy({ $0.identifier.utf8.count <= maximumIdentifier }) else {
            throw ProtocolError(.invalidParameters, "A service has at most \(maximumIdentifier) bytes.")
        }
        guard services.allSatisfy({ ($0.realm ?? "").utf8.count <= maximumRealm }) else {
            throw ProtocolError(.invalidParameters, "A realm has at most \(maximumRealm) bytes.")
        }
    }

    /// What is looked for at one provider.
    private struct Look {
        let kinds: Set<CredentialKind>
        let limit: Int
        let provider: ProviderReference
        let position: Int
        /// Which passkeys; all that a page may use, where nothing is said.
        var filter: PasskeyFilter?

        func candidate(_ service: Int, _ found: IdentityMatch) -> Candidate {
            Candidate(service: service, found: found, position: position, provider: provider)
        }
    }

    /// The passwords and codes for the pages, the first page's matches first, every account once.
    private func matches(
        _ pages: [ServiceAddress?], of services: [ServiceIdentifier], _ look: Look
    ) async throws(ProtocolError) -> (found: [Candidate], total: Int) {
        let kinds = look.kinds.subtracting([.passkey])
        guard !kinds.isEmpty else { return ([], 0) }
        let limit = look.limit
        var found: [Candidate] = []
        var seen: Set<CredentialIdentity> = []
        var accounts: Set<Account> = []
        var total = 0
        for (index, page) in pages.enumerated() {
            guard let page, !pages[..<index].contains(page), found.count < limit || index == 0 else { continue }
            let answer = try await stores.use(look.provider.identifier) {
                try await $0.reader.matches(page, kinds: kinds, limit: limit)
            }
            // What an earlier page had too is not counted again, as far as it is known.
            total += index == 0 ? answer.total : 0
            for match in answer.found {
                let identity = match.identity
                guard identity.serves(services[index]) else {
                    if index == 0 { total -= 1 }
                    continue
                }
                if pages.count > 1 && !seen.insert(identity).inserted { continue }
                if index > 0 { total += 1 }
                if let record = identity.recordIdentifier,
                    !accounts.insert(Account(kind: identity.kind, user: identity.user, record: record)).inserted
                {
                    total -= 1
                    continue
                }
                found.append(look.candidate(index, match))
            }
        }
        return (found, total)
    }

    /// The passwords of other sites that are good at `page`, each account once. Passkeys belong to one domain, and codes
    /// to one account: both stay where they are.
    private func shared(
        _ sites: [ServiceAddress], with page: ServiceAddress?, of services: [ServiceIdentifier], _ look: Look
    ) async throws(ProtocolError) -> (found: [Candidate], total: Int) {
        guard let page, let service = services.first, look.kinds.contains(.password) else { return ([], 0) }
        var found: [Candidate] = []
        var seen: Set<CredentialIdentity> = []
        var accounts: Set<Account> = []
        for site in sites {
            let answer = try await stores.use(look.provider.identifier) {
                try await $0.reader.matches(site, kinds: [.password], limit: max(look.limit, 1))
            }
            for match in answer.found {
                let identity = match.identity
                // What says `http:` belongs to its own host alone; what fits the page itself was offered already.
                // A host of a group speaks for itself and what lies below it, not for its neighbours.
                guard let address = ServiceAddress(identity.service, suffixes: suffixes), address.scheme == .https,
                    address.host == site.host || address.host.isBelow(site.host),
                    ServiceMatcher.match(identity: address, page: page) == nil, identity.serves(service),
                    seen.insert(identity).inserted
                else { continue }
                if let record = identity.recordIdentifier,
                    !accounts.insert(Account(kind: identity.kind, user: identity.user, record: record)).inserted
                {
                    continue
                }
                found.append(look.candidate(0, IdentityMatch(identity: identity, match: .shared, used: match.used)))
            }
        }
        return (found, found.count)
    }

    /// The passkeys that the pages may use: those of the relying parties that cover them, each once. Which domain a
    /// passkey belongs to is exact; another host of the same site has no part in it.
    private func passkeys(
        _ pages: [ServiceAddress?], _ look: Look
    ) async throws(ProtocolError) -> (found: [Candidate], total: Int) {
        guard look.kinds.contains(.passkey) else { return ([], 0) }
        let limit = look.limit
        var found: [Candidate] = []
        var seen: Set<PasskeyReference> = []
        for (index, page) in pages.enumerated() {
            guard let page else { continue }
            for party in parties(for: page, look) {
                let service = ServiceIdentifier(party.identifier, kind: .domain)
                guard let place = ServiceAddress(service, suffixes: suffixes) else { continue }
                let answer = try await stores.use(look.provider.identifier) {
                    try await $0.reader.matches(
                        place, kinds: [.passkey], limit: look.filter == nil ? max(limit, 1) : Self.maximumLimit)
                }
                let isOwnHost = party.identifier == page.host.text
                for match in answer.found where match.identity.service == service {
                    guard let passkey = match.identity.passkey, look.filter?.takes(match.identity) ?? true,
                        seen.insert(passkey).inserted
                    else { continue }
                    found.append(
                        look.candidate(
                            index,
                            IdentityMatch(
                                identity: match.identity, match: isOwnHost ? .host : .site, used: match.used)))
                }
            }
        }
        return (found, found.count)
    }

    /// Whose passkeys count: those that were asked for by name, which the page was looked at for already, or all that
    /// cover it.
    private func parties(for page: ServiceAddress, _ look: Look) -> [RelyingParty] {
        guard let filter = look.filter else { return RelyingParty.all(for: page, suffixes: suffixes) }
        return [RelyingParty(filter.relyingParty, suffixes: suffixes)].compactMap { $0 }
    }
}

extension ServiceMatch {
    /// Better matches first.
    fileprivate var order: Int {
        switch self {
        case .origin: 0
        case .host: 1
        case .site: 2
        case .shared: 3
        }
    }
}
