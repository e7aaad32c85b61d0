package import AutoFillProtocol
import AutoFillWire

/// An address as people write it into an item: a URL, or a host, with a port and a path or without.
///
/// Without a scheme `https` is meant, and `http` on this machine.
package struct WrittenAddress: Hashable, Sendable {
    /// What the identity store is told: a domain, where a host is all that is written, or else the whole URL.
    package let service: ServiceIdentifier
    /// Where that is.
    package let address: ServiceAddress

    /// Reads an address; nil when it is none of the web.
    package init?(_ text: String, suffixes: PublicSuffixes) {
        let text = text.trimmed
        let service: ServiceIdentifier
        if text.contains("://") {
            service = ServiceIdentifier(text, kind: .url)
        } else if let address = ServiceAddress(ServiceIdentifier("https://" + text, kind: .url), suffixes: suffixes) {
            if Self.isHost(text) {
                let host = text.lowercased()
                service = ServiceIdentifier(host.hasSuffix(".") ? String(host.dropLast()) : host, kind: .domain)
            } else {
                service = ServiceIdentifier((address.host.isLoopback ? "http://" : "https://") + text, kind: .url)
            }
        } else {
            return nil
        }
        guard let address = ServiceAddress(service, suffixes: suffixes) else { return nil }
        self.service = service
        self.address = address
    }

    /// The place alone, without path and user: the domain, or the origin.
    package var place: String { service.kind == .domain ? address.host.written : address.origin }

    private static func isHost(_ text: String) -> Bool {
        !text.contains { "/?#@".contains($0) } && (!text.contains(":") || text.hasSuffix("]"))
    }
}
