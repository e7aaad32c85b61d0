import Authenticator
import KeywayCrypto
import PasskeySignatures
import WebAuthnValues

/// What a page would send to its server: `RegistrationResponseJSON` or `AuthenticationResponseJSON`.
struct ProbeAnswer: Encodable {
    struct Response: Encodable {
        let clientDataJSON: String
        var attestationObject: String?
        var authenticatorData: String?
        var transports: [String]?
        var publicKey: String?
        var publicKeyAlgorithm: Int?
        var signature: String?
        var userHandle: String?
    }

    struct Extensions: Encodable {
        struct Properties: Encodable { let rk: Bool }
        struct Values: Encodable { let first: String, second: String? }
        struct PseudoRandom: Encodable { let enabled: Bool?, results: Values? }
        struct LargeBlob: Encodable { let supported: Bool?, blob: String?, written: Bool? }

        var credProps: Properties?
        var prf: PseudoRandom?
        var largeBlob: LargeBlob?
    }

    let id: String
    let rawId: String
    let type = "public-key"
    let authenticatorAttachment = "platform"
    let response: Response
    let clientExtensionResults: Extensions

    private enum CodingKeys: CodingKey {
        case id, rawId, type, authenticatorAttachment, response, clientExtensionResults
    }

    init(_ registration: Registration, _ client: ClientData) {
        id = Base64URL.text(of: registration.passkey.identifier)
        rawId = id
        response = Response(
            clientDataJSON: Base64URL.text(of: client.json),
            attestationObject: Base64URL.text(of: registration.attestation.bytes),
            authenticatorData: Base64URL.text(of: registration.attestation.authenticatorData.bytes),
            transports: ["internal", "hybrid"],
            publicKey: registration.publicKey.subjectPublicKeyInfo.map(Base64URL.text(of:)),
            publicKeyAlgorithm: registration.publicKey.algorithm.rawValue)
        let outputs = registration.extensions
        clientExtensionResults = Extensions(
            credProps: outputs.isDiscoverable.map { .init(rk: $0) },
            prf: outputs.prf.map { .init(enabled: $0.isSupported, results: $0.values.map(Self.values)) },
            largeBlob: outputs.isLargeBlobSupported.map { .init(supported: $0, blob: nil, written: nil) })
    }

    init(_ assertion: Assertion, _ client: ClientData) {
        id = Base64URL.text(of: assertion.identifier)
        rawId = id
        response = Response(
            clientDataJSON: Base64URL.text(of: client.json),
            authenticatorData: Base64URL.text(of: assertion.authenticatorData),
            signature: Base64URL.text(of: assertion.signature), userHandle: Base64URL.text(of: assertion.userHandle))
        let outputs = assertion.extensions
        clientExtensionResults = Extensions(
            prf: outputs.prf.map { .init(enabled: nil, results: Self.values($0)) },
            largeBlob: outputs.largeBlob.map(Self.blob))
    }

    private static func values(_ results: PRFOutputs<SecretBytes>) -> Extensions.Values {
        Extensions.Values(first: text(results.first), second: results.second.map(text))
    }

    private static func blob(_ blob: AssertionOutputs<SecretBytes>.LargeBlob) -> Extensions.LargeBlob {
        switch blob {
        case .read(let blob): .init(supported: nil, blob: blob.map(text), written: nil)
        case .wrote(let isWritten): .init(supported: nil, blob: nil, written: isWritten)
        }
    }

    /// Only here: outside of the tests, a secret goes into no text.
    private static func text(_ secret: SecretBytes) -> String {
        secret.withUnsafeBytes { Base64URL.text(of: $0) }
    }
}
