import AutoFillProtocol
import AutoFillWire
import ServiceMatching

/// Services as they are counted and shown.
extension PublicSuffixes {
    /// The site of a service, as new ones are counted too.
    func site(_ service: ServiceIdentifier) -> String {
        guard let host = ServiceAddress(service, suffixes: self)?.host else { return service.identifier }
        return registrableDomain(of: host.text) ?? host.text
    }

    /// How people call a service.
    func name(_ service: ServiceIdentifier) -> String {
        ServiceAddress(service, suffixes: self)?.host.text ?? DisplayText.line(service.identifier)
    }
}
