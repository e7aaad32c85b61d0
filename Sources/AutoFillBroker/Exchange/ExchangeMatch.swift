import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting

/// Which providers can take what another one exports, and in which version of the format.
struct ExchangeMatch: Sendable {
    /// The versions that the API can write and read, the newest first.
    static let knownVersions = ["1.0"]

    /// Who takes it.
    let destination: ProviderBundle
    /// The newest version that both know.
    let version: String

    /// Those of `bundles` that can take what `exporter` exports, in their order.
    ///
    /// - Parameter only: the one provider that is wanted; nil for any.
    /// - Throws: ``ProtocolError`` with the code `noProvider` when there is none; its message says why.
    static func all(
        for exporter: ProviderBundle, among bundles: [ProviderBundle], only: String?
    ) throws(ProtocolError) -> [ExchangeMatch] {
        let (name, identifier) = (exporter.reference.name, exporter.reference.identifier)
        let offered = exporter.capabilities.credentialExchangeVersions
        guard !offered.isEmpty else {
            throw ProtocolError(
                .noProvider, "\(name) can't give its accounts to another provider.", provider: identifier)
        }
        let takers = bundles.filter { bundle in
            bundle.reference.identifier != identifier && bundle.takesImports && bundle.activityPath != nil
                && !bundle.capabilities.credentialExchangeVersions.isEmpty
                && (only == nil || bundle.reference.identifier == only)
        }
        guard !takers.isEmpty else {
            let who = only.map { "`\(DisplayText.line($0))` isn't a provider that" } ?? "No other provider"
            throw ProtocolError(.noProvider, "\(who) is turned on and can take the accounts of \(name).")
        }
        let matches = takers.compactMap { bundle -> ExchangeMatch? in
            let taken = bundle.capabilities.credentialExchangeVersions
            let version = knownVersions.first { offered.contains($0) && taken.contains($0) }
            return version.map { ExchangeMatch(destination: bundle, version: $0) }
        }
        guard !matches.isEmpty else {
            throw ProtocolError(
                .noProvider, "No provider that is turned on knows a version of the exchange format that \(name) knows.")
        }
        return matches
    }
}
