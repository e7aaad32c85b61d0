import FoundationEssentials
import ServiceMatching
import WebAuthnValues

extension ClientData {
    /// What a passkey signs for an app, written here and not by the app: it cannot sign for a site that it was not let
    /// to. The origin is that of `party` itself, as for a page there.
    init(_ ceremony: Ceremony, at party: RelyingParty, over challenge: Data) {
        self.init(
            ceremony: ceremony, challenge: Array(challenge), origin: "https://\(party.identifier)", frame: .sameOrigin)
    }
}
