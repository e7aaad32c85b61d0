import AutoFillProtocol
import AutoFillWire
import IdentityIndex
import KeywaySystem
import ServiceMatching

/// Decides whether an account that the person picked from a provider's whole list, or that is suggested because two sites
/// share their accounts, may go to the page that asked.
///
/// If the account belongs to another site, the person is asked, with both names. A page that looks like another one
/// can get its accounts in no other way.
struct OtherSiteCheck: Sendable {
    let stores: IdentityStores
    let suffixes: PublicSuffixes
    /// Where the person is asked.
    let presenter: any PersonPresenter

    /// How many identities of a site are looked at.
    private static let limit = 200

    /// What came of an account that is to go to a page.
    enum Outcome: Sendable {
        /// It may go there; `isAllowed` when the person was asked, and said yes.
        case passed(isAllowed: Bool)
        /// The person was asked, and said no.
        case refused(ProtocolError)

        /// - Returns: whether the person was asked, and said yes.
        /// - Throws: the refusal.
        func get() throws(ProtocolError) -> Bool {
            switch self {
            case .passed(let isAllowed): return isAllowed
            case .refused(let error): throw error
            }
        }
    }

    /// Where an account belongs, as far as it is elsewhere.
    private struct Elsewhere {
        let account: String
        /// Empty where nobody says.
        let service: String
    }

    /// Lets the answer of a list pass, or does not.
    ///
    /// Where the provider did not say which service the row is for, the identity store is looked at. What it knows under
    /// the row's own identifier for the page passes. Else a user that is known for another site too is asked about, since
    /// one name serves many sites and nobody says whose this is; and so is a code that is not known for the page. Of a
    /// password that nobody named anywhere there is nothing to ask.
    ///
    /// - Parameters:
    ///   - row: the row that the person chose last.
    ///   - services: who asked; with none there is nothing to compare with.
    /// - Returns: whether the person was asked, and said yes.
    /// - Throws: ``ProtocolError``: `cancelled` when the person does not want it, `interactionRequired` when they cannot
    ///   be asked, or that of the store.
    @discardableResult
    func pass(
        _ answer: PerformRequest.Result, of provider: ProviderReference, from row: InterfaceList.Row?,
        to services: [ServiceIdentifier]
    ) async throws(ProtocolError) -> Bool {
        let pages = services.compactMap { ServiceAddress($0, suffixes: suffixes) }
        guard let page = pages.first, let elsewhere = try await elsewhere(answer, provider, row, pages) else {
            return false
        }
        return try await ask(elsewhere, provider, page).get()
    }

    /// Whether an identity was suggested for pages that are none of its own.
    func isElsewhere(_ identity: CredentialIdentity, _ services: [ServiceIdentifier]) -> Bool {
        let pages = services.compactMap { ServiceAddress($0, suffixes: suffixes) }
        return !pages.isEmpty && !covers(identity.service, pages)
    }

    /// Lets an account pass that was suggested although it is for another site, or does not.
    ///
    /// - Throws: ``ProtocolError``: `cancelled` when the person closed the question, `interactionRequired` when they cannot
    ///   be asked.
    func pass(
        _ identity: CredentialIdentity, of provider: ProviderReference, to services: [ServiceIdentifier]
    ) async throws(ProtocolError) -> Outcome {
        let pages = services.compactMap { ServiceAddress($0, suffixes: suffixes) }
        guard let page = pages.first, isElsewhere(identity, services) else { return .passed(isAllowed: false) }
        return try await ask(
            Elsewhere(account: identity.user, service: identity.service.identifier), provider, page)
    }

    /// - Throws: ``ProtocolError``: `cancelled` when the question was closed, `interactionRequired`.
    private func ask(
        _ elsewhere: Elsewhere, _ provider: ProviderReference, _ page: ServiceAddress
    ) async throws(ProtocolError) -> Outcome {
        let address = address(of: elsewhere.service)
        // The same host, but one of the two on a way that others can read: the hosts alone would read as one site.
        let isSameHost = address?.host == page.host
        let question = AskPerson.OtherSite(
            provider: provider, account: DisplayText.line(elsewhere.account),
            accountService: address.map { name($0, withScheme: isSameHost) } ?? DisplayText.line(elsewhere.service),
            service: name(page, withScheme: isSameHost))
        let place = question.accountService.isEmpty ? "an unknown site" : question.accountService
        guard await presenter.canAsk() else {
            throw ProtocolError(
                .interactionRequired,
                "The account is for \(place), and Keyway couldn't ask you whether to use it on \(question.service).",
                provider: provider.identifier)
        }
        guard case .allowed = try await presenter.ask(.otherSite(question)) else {
            return .refused(
                ProtocolError(
                    .cancelled, "You didn't allow an account for \(place) to be used on \(question.service).",
                    provider: provider.identifier))
        }
        return .passed(isAllowed: true)
    }

    /// Where the account is for, if it is not for one of the pages.
    private func elsewhere(
        _ answer: PerformRequest.Result, _ provider: ProviderReference, _ row: InterfaceList.Row?,
        _ pages: [ServiceAddress]
    ) async throws(ProtocolError) -> Elsewhere? {
        let user: String?
        switch answer {
        case .password(let name, _): user = name
        case .oneTimeCode: user = nil
        // Signed for one relying party, or for no site at all.
        default: return nil
        }
        if let service = row?.service {
            return covers(service, pages) ? nil : Elsewhere(account: user ?? row?.title ?? "", service: service)
        }
        // A code has the name of its row alone.
        guard let name = user ?? row?.title else { return nil }
        let kind: CredentialKind = user == nil ? .oneTimeCode : .password
        let here = try await here(kind, of: provider, pages)
        // Exactly what the row stands for is for the page.
        if let row, here.contains(where: { $0.recordIdentifier == row.id && $0.user == name }) { return nil }
        if let service = try await known(name, kind, of: provider, pages) {
            return Elsewhere(account: name, service: service)
        }
        // What a password is for, its user name tells the person; a code has none.
        if kind == .password || here.contains(where: { $0.user == name }) { return nil }
        return Elsewhere(account: name, service: "")
    }

    /// What the identity store holds for the pages, which is looked up by their sites.
    private func here(
        _ kind: CredentialKind, of provider: ProviderReference, _ pages: [ServiceAddress]
    ) async throws(ProtocolError) -> [CredentialIdentity] {
        var found: [CredentialIdentity] = []
        for page in pages {
            found += try await stores.use(provider.identifier) {
                try await $0.reader.matches(page, kinds: [kind], limit: Self.limit).found.map(\.identity)
            }
        }
        return found
    }

    /// Another site that the identity store knows the name of; nil when it knows it for the pages alone, or not.
    private func known(
        _ name: String, _ kind: CredentialKind, of provider: ProviderReference,
        _ pages: [ServiceAddress]
    ) async throws(ProtocolError) -> String? {
        var next: Int?
        repeat {
            let after = next
            let part = try await stores.use(provider.identifier) {
                try await $0.reader.read(.init(service: nil, kinds: [kind], after: after))
            }
            let other = part.identities.first { $0.user == name && !covers($0.service, pages) }
            if let other { return other.service.identifier }
            next = part.next
        } while next != nil
        return nil
    }

    private func covers(_ service: String, _ pages: [ServiceAddress]) -> Bool {
        covers(identifier(service), pages)
    }

    private func covers(_ service: ServiceIdentifier, _ pages: [ServiceAddress]) -> Bool {
        guard let address = ServiceAddress(service, suffixes: suffixes) else { return false }
        return pages.contains { ServiceMatcher.match(identity: address, page: $0) != nil }
    }

    /// A domain or a URL, as providers write it.
    private func identifier(_ text: String) -> ServiceIdentifier {
        ServiceIdentifier(text, kind: text.contains("://") ? .url : .domain)
    }

    private func address(of text: String) -> ServiceAddress? {
        ServiceAddress(identifier(text), suffixes: suffixes)
    }

    private func name(_ address: ServiceAddress, withScheme: Bool) -> String {
        withScheme ? address.origin : address.host.text
    }
}
