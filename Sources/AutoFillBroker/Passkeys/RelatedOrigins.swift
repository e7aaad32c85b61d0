import AutoFillProtocol
import BrokerBase
import KeywaySystem
import ServiceMatching

/// Fetches what a relying party says of other origins of its own (WebAuthn Level 3, section 5.11). A seam: the broker
/// itself never goes to the network.
protocol RelatedOriginSource: Sendable {
    /// The `origins` of `https://identifier/.well-known/webauthn`, as they stand there.
    ///
    /// - Throws: ``ProtocolError`` when there is no such document.
    func origins(of identifier: String) async throws(ProtocolError) -> [String]
}

/// Decides whether a page may use the passkeys of another site because that site lists it.
final class RelatedOrigins: Sendable {
    /// The most names of sites that count, whatever their suffixes (section 5.11.1).
    static let mostLabels = 5

    private let documents: SiteDocuments
    private let suffixes: PublicSuffixes

    init(clock: any TimeSource, suffixes: PublicSuffixes) {
        documents = SiteDocuments(clock: clock)
        self.suffixes = suffixes
    }

    /// From now on, documents come from `source`.
    func use(_ source: any RelatedOriginSource) {
        documents.use { domain throws(ProtocolError) in try await source.origins(of: domain) }
    }

    /// Whether `party` names `page` among its origins.
    func cover(_ page: ServiceAddress, _ party: RelyingParty) async -> Bool {
        guard page.scheme == .https, page.host.kind == .domain, !page.host.isAbsolute else { return false }
        guard let origins = await documents.names(of: party.identifier) else { return false }
        return Self.names(page, origins, suffixes)
    }

    /// The rule of section 5.11.1: the first five names count, and however many origins each of them has.
    static func names(_ page: ServiceAddress, _ origins: [String], _ suffixes: PublicSuffixes) -> Bool {
        var labels: Set<Substring> = []
        for text in origins {
            guard let origin = ServiceAddress(ServiceIdentifier(text, kind: .url), suffixes: suffixes),
                let label = origin.site?.split(separator: ".").first
            else { continue }
            guard labels.contains(label) || labels.count < mostLabels else { continue }
            if origin.scheme == page.scheme, origin.host == page.host, origin.port == page.port { return true }
            labels.insert(label)
        }
        return false
    }
}
