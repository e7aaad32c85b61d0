import FoundationEssentials
import KeywayCrypto
import ServiceMatching

/// What a passkey signs for an app (WebAuthn Level 3, section 5.8.1), written here and not by the app: it cannot sign
/// for a site that it was not let to.
struct AppClientData: Sendable {
    /// What it is for.
    enum Ceremony: String {
        case creation = "webauthn.create"
        case signIn = "webauthn.get"
    }

    /// The JSON, as the server gets it.
    let json: Data
    /// Its SHA-256.
    let hash: Data

    /// The client data of a `ceremony` at `party` over `challenge`; its origin is the site's own, as for a page there.
    ///
    /// The text is the serialization of section 5.8.1.1. Nothing in it needs an escape: a relying party ID is lower-case
    /// ASCII, and so is base64url as far as JSON is concerned.
    init(_ ceremony: Ceremony, at party: RelyingParty, over challenge: Data) {
        let text =
            #"{"type":"\#(ceremony.rawValue)","challenge":"\#(Self.base64URL(challenge))","#
            + #""origin":"https://\#(party.identifier)","crossOrigin":false}"#
        json = Data(text.utf8)
        hash = Data(Digest.sha256(text.utf8))
    }

    /// RFC 4648, section 5, without padding.
    private static func base64URL(_ bytes: Data) -> String {
        var text = ""
        for character in bytes.base64EncodedString() {
            switch character {
            case "+": text.append("-")
            case "/": text.append("_")
            case "=": break
            default: text.append(character)
            }
        }
        return text
    }
}
