import AutoFillProtocol
import AutoFillWire
import IdentityIndex
import KeywaySystem
import ProviderHosting
import ServiceMatching

/// Which passkeys a page may use.
final class PasskeyPages: Sendable {
    private let notes: RequestNotes
    private let place: ClientPlace
    private let directory: ProviderDirectory
    private let suggester: Suggester
    private let relatedOrigins: RelatedOrigins
    private let suffixes: PublicSuffixes

    init(
        notes: RequestNotes, place: ClientPlace, directory: ProviderDirectory, suggester: Suggester,
        relatedOrigins: RelatedOrigins, suffixes: PublicSuffixes
    ) {
        self.notes = notes
        self.place = place
        self.directory = directory
        self.suggester = suggester
        self.relatedOrigins = relatedOrigins
        self.suffixes = suffixes
    }

    /// What a page is after.
    enum PasskeyPurpose: Sendable {
        /// A passkey that is there already.
        case stored
        /// A new one.
        case new
    }

    /// Lets pages pass that may use the passkeys of `party`: those on its host or under it, and those that it names
    /// itself. A page that others can read along with uses none.
    ///
    /// What `party` names is fetched from there, past whatever the browser has for its own connections, so that `party`
    /// sees this machine: never for a private window, and not for a passkey that nobody has.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused`.
    func check(
        _ party: RelyingParty, for services: [ServiceIdentifier], _ purpose: PasskeyPurpose = .stored, isPrivate: Bool,
        _ context: RequestContext
    ) async throws(ProtocolError) {
        let refusal = ProtocolError(.refused, "This page can't use passkeys for `\(party.identifier)`.")
        var others: [ServiceAddress] = []
        for service in services {
            guard let page = ServiceAddress(service, suffixes: suffixes) else { throw refusal }
            if !party.covers(page) { others.append(page) }
        }
        if services.isEmpty || !others.isEmpty { notes.remark(context) { $0.isNotItsOwn = true } }
        guard !services.isEmpty else { throw refusal }
        guard !others.isEmpty else { return }
        guard !isPrivate else { throw refusal }
        if purpose == .stored { guard try await hasPasskey(of: party) else { throw refusal } }
        for page in others { guard await relatedOrigins.cover(page, party) else { throw refusal } }
        notes.remark(context) { $0.isNotItsOwn = false }
    }

    /// Whether a provider that is turned on has named a passkey of `party`.
    private func hasPasskey(of party: RelyingParty) async throws(ProtocolError) -> Bool {
        let service = ServiceIdentifier(party.identifier, kind: .domain)
        return try await !suggester.offers(
            PasskeyFilter(relyingParty: party.identifier), for: [service], from: directory.enabled()
        ).isEmpty
    }

    /// The page of a browser that asks for something of `identifier`'s.
    func check(
        page services: [ServiceIdentifier]?, _ identifier: String, _ purpose: PasskeyPurpose, isPrivate: Bool?,
        _ context: RequestContext
    ) async throws(ProtocolError) -> RelyingParty {
        let role = context.role
        let party = try RequestBounds.check(identifier, suffixes)
        guard role == .browser || services != nil else { return party }
        guard let services else { throw ProtocolError(.invalidParameters, "The request doesn't say which page asks.") }
        try Suggester.checkBounds(services)
        if role == .browser { try place.checkPages(services) }
        try await check(party, for: services, purpose, isPrivate: isPrivate == true, context)
        return party
    }
}
