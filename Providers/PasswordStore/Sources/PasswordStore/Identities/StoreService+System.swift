import AuthenticationServices
import PassEntries

extension StoreService {
    /// As the system is told about it.
    var identifier: ASCredentialServiceIdentifier {
        let place = port.map { "\(host):\($0)" } ?? host
        guard let scheme else {
            return ASCredentialServiceIdentifier(identifier: host, type: .domain)
        }
        return ASCredentialServiceIdentifier(identifier: "\(scheme)://\(place)", type: .URL)
    }

    /// Whether a list for these services puts this one first: the same host, or one below the last and least specific.
    func fits(_ services: [ASCredentialServiceIdentifier]) -> Bool {
        let hosts = services.compactMap { StoreService(address: $0.identifier)?.host }
        return hosts.contains(host) || hosts.contains { host.hasSuffix(".\($0)") && $0 == hosts.last }
    }
}
