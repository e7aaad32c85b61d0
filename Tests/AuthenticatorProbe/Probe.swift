import Authenticator
import FoundationEssentials
import KeywayCrypto
import WebAuthnValues

/// The passkeys of one run, and what is done with them.
struct Probe {
    private let authenticator = PasskeyAuthenticator()
    private var passkeys: [Passkey] = []

    /// The answer to a request: what a browser's `toJSON()` gives, or `{"error": NAME}`.
    mutating func answer(_ line: Data) -> String {
        do {
            let request = try JSONDecoder().decode(ProbeRequest.self, from: line)
            let answer = try request.options.user == nil ? sign(request) : register(request)
            return String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
        } catch let error as AuthenticatorError {
            return #"{"error":"\#(error.pageName(isConditional: false))"}"#
        } catch {
            return #"{"error":"\#(error)"}"#
        }
    }

    private mutating func register(_ probe: ProbeRequest) throws -> ProbeAnswer {
        let options = probe.options
        let client = try probe.clientData(.create)
        let request = try RegistrationRequest(
            relyingParty: options.rp?.id ?? "", userHandle: Base64URL.bytes(of: options.user?.id ?? "") ?? [],
            clientDataHash: Digest.sha256(client.json),
            algorithms: RegistrationRequest.algorithms(
                stated: (options.pubKeyCredParams ?? []).map { ($0.type, $0.alg) }),
            excluded: RegistrationRequest.excluded(
                stated: (options.excludeCredentials ?? []).map { ($0.type, Base64URL.bytes(of: $0.id) ?? []) }),
            verification: UserVerificationPreference(stated: options.authenticatorSelection?.userVerification),
            isConditional: probe.person == .absent,
            conveyance: AttestationConveyance(stated: options.attestation),
            extensions: RegistrationInputs(json: Data(probe.extensions.utf8)))
        let existing = passkeys.filter { $0.relyingParty == request.relyingParty }.map(\.identifier)
        let registration = try authenticator.register(
            request, existing: Set(existing), person: probe.person.state, backup: .eligible)
        passkeys.append(registration.passkey)
        return ProbeAnswer(registration, client)
    }

    private mutating func sign(_ probe: ProbeRequest) throws -> ProbeAnswer {
        let options = probe.options
        let client = try probe.clientData(.get)
        let request = try AssertionRequest(
            relyingParty: options.rpId ?? "", clientDataHash: Digest.sha256(client.json),
            allowed: AssertionRequest.allowed(
                stated: (options.allowCredentials ?? []).map { ($0.type, Base64URL.bytes(of: $0.id) ?? []) }),
            verification: UserVerificationPreference(stated: options.userVerification),
            extensions: AssertionInputs(json: Data(probe.extensions.utf8)))
        let known = passkeys.filter { $0.relyingParty == request.relyingParty }.map(\.identifier)
        guard let identifier = request.candidates(among: known).last,
            let index = passkeys.firstIndex(where: { $0.identifier == identifier })
        else { throw AuthenticatorError(.noCredential, "none") }
        let assertion = try authenticator.sign(
            request, with: passkeys[index], person: probe.person.state, isBackedUp: true)
        if let blob = assertion.newLargeBlob { passkeys[index] = passkeys[index].storing(blob) }
        return ProbeAnswer(assertion, client)
    }
}

extension Passkey {
    /// The passkey with another blob.
    fileprivate func storing(_ blob: SecretBytes) -> Passkey {
        Passkey(
            identifier: identifier, relyingParty: relyingParty, userHandle: userHandle, key: key,
            pseudoRandomSecret: pseudoRandomSecret, largeBlob: blob, isBackupEligible: isBackupEligible)
    }
}
