import AutoFillProtocol
import IdentityIndex
import KeywaySystem
import ProviderHosting
import ServiceMatching

/// Suggestions of providers by their bundles.
extension Suggester {
    /// As ``suggest(_:from:namesRecords:filled:sharing:makeHandles:)``.
    func suggest(
        _ parameters: Suggest.Parameters, from bundles: [ProviderBundle], namesRecords: Bool,
        filled: FilledAccount.Account? = nil, sharing: [ServiceAddress] = [],
        makeHandles: ([SuggestionHandles.Offer]) -> [String]
    ) async throws(ProtocolError) -> Suggest.Result {
        try await suggest(
            parameters, from: bundles.map(Provider.init), namesRecords: namesRecords, filled: filled,
            sharing: sharing, makeHandles: makeHandles)
    }

    /// As ``offers(_:for:from:)``.
    func offers(
        _ filter: PasskeyFilter, for services: [ServiceIdentifier], from bundles: [ProviderBundle]
    ) async throws(ProtocolError) -> [(provider: ProviderReference, offer: SuggestionHandles.Offer)] {
        try await offers(filter, for: services, from: bundles.map(Provider.init))
    }
}

extension Suggester.Provider {
    /// An enabled provider, as its bundle declares it.
    fileprivate init(_ bundle: ProviderBundle) {
        self.init(
            reference: bundle.reference, suggested: Capability.suggested(bundle.capabilities),
            listed: Capability.listed(bundle.capabilities),
            hasTexts: Capability.text.isDeclared(bundle.capabilities))
    }
}
