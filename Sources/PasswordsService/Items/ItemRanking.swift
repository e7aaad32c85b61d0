import AutoFillProtocol
import ServiceMatching

/// How well an item fits the services that a request names, the most specific first.
///
/// What fits at all is the broker's rule (``ServiceMatcher``); which of those is listed first is decided here.
struct ItemRanking {
    private let services: [(kind: ServiceIdentifier.Kind, address: ServiceAddress)]
    private let suffixes: PublicSuffixes

    /// Ranks against `services`; what has no host, such as an app, is passed over.
    init(_ services: [ServiceIdentifier], suffixes: PublicSuffixes = .system) {
        self.services = services.compactMap { service in
            ServiceAddress(service, suffixes: suffixes).map { (service.kind, $0) }
        }
        self.suffixes = suffixes
    }

    /// Texts of which one stands in the address of every item that can fit, as people write host names: for the search
    /// index.
    var searchTexts: [String] {
        let hosts = Set(services.map(\.address.host))
        let least = hosts.filter { host in !hosts.contains { host.isBelow($0) } }
        return Set(least.flatMap { [$0.written, $0.displayed] }).sorted()
    }

    /// The place of an item with these addresses, smaller is better, and the address that has it; nil when the item does
    /// not belong to any service.
    func best(of addresses: [String]) -> (rank: Int, address: WrittenAddress)? {
        let addresses = addresses.compactMap { WrittenAddress($0, suffixes: suffixes) }
        for (index, service) in services.enumerated() {
            let ranked = addresses.compactMap { address in
                rank(of: address, at: service.address, service.kind).map { (rank: index * 3 + $0, address: address) }
            }
            if let best = ranked.min(by: { $0.rank < $1.rank }) { return best }
        }
        return nil
    }

    /// The address that an item is named by where these services ask: the one that fits best, or else its first.
    func place(of addresses: [String]) -> String? {
        best(of: addresses)?.address.place
            ?? addresses.lazy.compactMap { WrittenAddress($0, suffixes: suffixes)?.place }.first
    }

    private func rank(
        of written: WrittenAddress, at service: ServiceAddress, _ kind: ServiceIdentifier.Kind
    ) -> Int? {
        let address = written.address
        // The services name one page; a domain among them does not say that it is insecure.
        if isInsecure && !(address.host == service.host && address.scheme == .http) { return nil }
        switch ServiceMatcher.match(identity: address, page: service) {
        case .origin: return written.service.kind == kind ? 0 : 1
        case .host: return 1
        case .site: return kind == .domain && address.host.isBelow(service.host) ? 2 : nil
        case .shared, nil: return nil
        }
    }

    private var isInsecure: Bool { services.contains { $0.kind == .url && $0.address.isInsecure } }
}
