import AutoFillProtocol

/// How well an item fits the services that a request names, the most specific first.
struct ItemRanking {
    private let services: [(kind: ServiceIdentifier.Kind, address: ItemAddress)]

    /// Ranks against `services`; what has no host, such as an app, is passed over.
    init(_ services: [ServiceIdentifier]) {
        self.services = services.compactMap { service in
            guard service.kind != .app, let address = ItemAddress(service.identifier) else { return nil }
            return (service.kind, address)
        }
    }

    /// Texts of which one stands in the address of every item that can fit: for the search index.
    var searchTexts: [String] {
        let hosts = Set(services.map(\.address.host))
        return hosts.filter { host in !hosts.contains { $0 != host && host.hasSuffix("." + $0) } }.sorted()
    }

    /// The place of an item with these addresses, smaller is better; nil when it does not belong to any service.
    func rank(of addresses: [String]) -> Int? {
        let addresses = addresses.compactMap(ItemAddress.init)
        for (index, service) in services.enumerated() {
            let ranks = addresses.compactMap { Self.rank(of: $0, at: service.address, service.kind) }
            if let best = ranks.min() { return index * 3 + best }
        }
        return nil
    }

    private static func rank(of address: ItemAddress, at service: ItemAddress, _ kind: ServiceIdentifier.Kind) -> Int? {
        if address.host == service.host {
            // A port that was written down belongs to the address: another service may answer on the next one.
            if let port = address.port, let asked = service.effectivePort, port != asked { return nil }
            return address.scheme == service.scheme && address.effectivePort == service.effectivePort ? 0 : 1
        }
        guard kind == .domain, address.port == nil, address.isSubdomain(of: service.host) else { return nil }
        return 2
    }
}
