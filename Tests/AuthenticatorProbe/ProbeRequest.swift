import Authenticator
import WebAuthnValues

/// The options of a relying party as `parse…FromJSON` takes them, and what the browser would know besides.
struct ProbeRequest: Decodable {
    enum Person: String, Decodable {
        case absent, present, verified

        var state: PersonState {
            switch self {
            case .absent: .absent
            case .present: .present
            case .verified: .verified
            }
        }
    }

    struct Options: Decodable {
        struct RelyingParty: Decodable { let id: String? }
        struct User: Decodable { let id: String }
        struct Parameter: Decodable { let type: String, alg: Int }
        struct Descriptor: Decodable { let type: String, id: String }
        struct Selection: Decodable { let userVerification: String? }

        let challenge: String
        let rp: RelyingParty?
        let user: User?
        let pubKeyCredParams: [Parameter]?
        let excludeCredentials: [Descriptor]?
        let authenticatorSelection: Selection?
        let attestation: String?
        let rpId: String?
        let allowCredentials: [Descriptor]?
        let userVerification: String?
    }

    let options: Options
    let origin: String
    let topOrigin: String?
    let person: Person
    /// The inputs of extensions, as JSON in a text: they are read as a page sends them.
    let extensions: String

    /// What the browser would have written.
    func clientData(_ ceremony: ClientData.Ceremony) throws -> ClientData {
        guard let challenge = Base64URL.bytes(of: options.challenge) else {
            throw AuthenticatorError(.invalidRequest, "challenge")
        }
        return ClientData(
            ceremony: ceremony, challenge: challenge, origin: origin,
            frame: topOrigin.map { .crossOrigin(top: $0) } ?? .sameOrigin)
    }
}
