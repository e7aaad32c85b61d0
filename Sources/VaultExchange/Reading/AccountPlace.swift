import ServiceMatching

/// Where an account is used, as far as it tells accounts apart: `www.` and the path of an address say nothing.
package enum AccountPlace: Hashable, Sendable {
    /// A host with its port.
    case host(String)
    /// An address that is none of a web page.
    case written(String)
    /// Nowhere: it goes by its title.
    case title(String)

    /// The place of an address.
    package init(_ address: String) {
        guard let written = WrittenAddress(address, suffixes: .system)?.address else {
            self = .written(address)
            return
        }
        let host = written.host.text
        self = .host((host.hasPrefix("www.") ? String(host.dropFirst(4)) : host) + ":\(written.port)")
    }
}
