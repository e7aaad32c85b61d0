import AutoFillProtocol
import AutoFillWire
import ServiceMatching

/// Services as they are counted and shown.
extension PublicSuffixes {
    /// The site of a service, as new ones are counted too. An address is one of its own: its last numbers are no site.
    func site(_ service: ServiceIdentifier) -> String {
        guard let host = ServiceAddress(service, suffixes: self)?.host else { return service.identifier }
        guard host.kind == .domain else { return host.text }
        return registrableDomain(of: host.text) ?? host.text
    }

    /// How people call a service.
    func name(_ service: ServiceIdentifier) -> String {
        ServiceAddress(service, suffixes: self)?.host.text ?? DisplayText.line(service.identifier)
    }
}
