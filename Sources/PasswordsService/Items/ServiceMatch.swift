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
            let ranks = addresses.compactMap { rank(of: $0, at: service.address, service.kind) }
            if let best = ranks.min() { return index * 3 + best }
        }
        return nil
    }

    /// The rules are the broker's: another port of the same host is offered later, what says `http:` belongs to its
    /// host alone, and an insecure page gets nothing else.
    private func rank(of address: ItemAddress, at service: ItemAddress, _ kind: ServiceIdentifier.Kind) -> Int? {
        let isSameHost = address.host == service.host
        if isInsecure && !(isSameHost && address.scheme == "http") { return nil }
        if isSameHost {
            return address.scheme == service.scheme && address.effectivePort == service.effectivePort ? 0 : 1
        }
        guard kind == .domain, address.scheme != "http", address.isSubdomain(of: service.host) else { return nil }
        return 2
    }

    private var isInsecure: Bool {
        services.contains { $0.kind == .url && $0.address.scheme == "http" && !$0.address.isLoopback }
    }
}
