import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import WebAuthnValues

/// Checks whether a provider's answer fits the request, without reading the secrets in it.
struct AnswerJudge {
    /// The most bytes of a password, of a generated one too.
    static let passwordBytes = 64 << 10
    /// The most bytes of a one-time code.
    static let codeBytes = 1 << 10
    /// The most bytes of a text.
    static let textBytes = 1 << 20
    /// The most passwords that are proposed at a time.
    static let proposals = 64
    /// The most bytes of a user name, or of any other line of text.
    static let lineBytes = 2048
    /// The most bytes of a credential ID (WebAuthn Level 3, section 4) and of a user handle (section 5.4.3).
    static let credentialIDBytes = 1023
    static let userHandleBytes = 64
    /// The most bytes of a signature, of authenticator data and of an attestation: far above any algorithm's.
    private static let signatureBytes = 16 << 10
    private static let attestationBytes = 64 << 10
    /// A hash, flags and a counter (WebAuthn Level 3, section 6.1).
    private static let leastAuthenticatorData = 37

    let expectation: ProviderRequest.Expectation
    /// Whether the person was verified in this request, by the system or in the provider's interface.
    var isPersonVerified = false

    /// What is wrong with an answer, as it goes on after the provider's name; nil when nothing is.
    func fault(of result: PerformRequest.Result) -> String? {
        switch (expectation, result) {
        case (.credential(let identity, nil), .password(let user, let password)) where identity.kind == .password:
            Self.fault(user, password)
        case (.credential(let identity, _), .oneTimeCode(let code, _)) where identity.kind == .oneTimeCode:
            Self.fault(code, Self.codeBytes)
        case (.credential(let identity, let assertion?), .passkeyAssertion(let credential))
        where identity.kind == .passkey:
            if credential.credentialID == identity.passkey?.credentialID {
                fault(credential, .init(relyingParty: identity.service.identifier, assertion: assertion))
            } else {
                "signed with another passkey than it was asked for"
            }
        case (.choice, .password(let user, let password)): Self.fault(user, password)
        case (.choice(let parameters?), .passkeyAssertion(let credential)): fault(credential, parameters)
        case (.oneTimeCode, .oneTimeCode(let code, _)): Self.fault(code, Self.codeBytes)
        case (.text, .text(let text)): Self.fault(text, Self.textBytes)
        case (.registration(let asked), .passkeyRegistration(let credential)): fault(credential, asked)
        case (.generated, .generated(let passwords)): Self.fault(passwords)
        case (.saved, .saved), (.reported, .reported), (.configured, .configured): nil
        default: "answered a request that was not made"
        }
    }

    // MARK: - Secrets

    private static func fault(_ user: String, _ password: Attachment) -> String? {
        user.utf8.count <= lineBytes ? fault(password, passwordBytes) : "answered with too long a user name"
    }

    /// A memory file that could still change is no answer.
    private static func fault(_ secret: Attachment, _ limit: Int) -> String? {
        guard let memory = try? secret.sealedMemory() else { return "answered with no sealed memory file" }
        return memory.count <= limit ? nil : "answered with more than \(limit) bytes"
    }

    private static func fault(_ passwords: [ProposedPassword]) -> String? {
        guard (1...proposals).contains(passwords.count) else {
            return "proposed \(passwords.count) passwords, and 1 to \(proposals) are taken"
        }
        guard passwords.allSatisfy({ $0.kind.utf8.count <= lineBytes }) else { return "answered with too long a name" }
        return passwords.lazy.compactMap { fault($0.value, passwordBytes) }.first
    }

    // MARK: - Passkeys

    private func fault(
        _ credential: PasskeyAssertionCredential, _ asked: PasskeyRequestParameters
    ) -> String? {
        let allowed = asked.assertion.allowedCredentials
        if credential.relyingParty != asked.relyingParty { return "signed for another relying party" }
        if credential.clientDataHash != asked.assertion.clientDataHash { return "signed other client data" }
        if !allowed.isEmpty && !allowed.contains(credential.credentialID) {
            return "signed with a passkey that the site doesn't accept"
        }
        let data = credential.authenticatorData
        guard (1...Self.credentialIDBytes).contains(credential.credentialID.count),
            credential.userHandle.count <= Self.userHandleBytes,
            (1...Self.signatureBytes).contains(credential.signature.count),
            (Self.leastAuthenticatorData...Self.attestationBytes).contains(data.count)
        else { return "signed with data of an impossible size" }
        // The hash of the relying party ID comes first (WebAuthn Level 3, section 6.1), and is what the signature covers.
        guard data.prefix(32).elementsEqual(Digest.sha256(asked.relyingParty.utf8)) else {
            return "signed authenticator data of another relying party"
        }
        let flags = AuthenticatorData.Flags(rawValue: data[data.startIndex + 32])
        if flags.contains(.userVerified), !isPersonVerified { return Self.unverified }
        var secrets = Self.outputs(credential.extensions?.prf)
        if case .read(let blob?) = credential.extensions?.largeBlob { secrets.append(blob) }
        return secrets.lazy.compactMap { Self.fault($0, Self.textBytes) }.first
    }

    private static let unverified = "claims to have verified you, but didn't in this request"

    private func fault(
        _ credential: PasskeyRegistrationCredential, _ asked: PasskeyRegistration
    ) -> String? {
        if credential.relyingParty != asked.relyingParty { return "created a passkey for another relying party" }
        if credential.clientDataHash != asked.clientDataHash { return "attested other client data" }
        if asked.excludedCredentials.contains(credential.credentialID) {
            return "created an excluded passkey"
        }
        guard (1...Self.credentialIDBytes).contains(credential.credentialID.count),
            (1...Self.attestationBytes).contains(credential.attestationObject.count)
        else { return "created a passkey of an impossible size" }
        guard let data = try? AttestationObject(credential.attestationObject).authenticatorData else {
            return "created a passkey whose attestation can't be read"
        }
        guard data.relyingPartyHash == Digest.sha256(asked.relyingParty.utf8) else {
            return "attested a passkey of another relying party"
        }
        // By its ID a passkey is excluded, and taken back: the site must know it by the one that we do.
        guard data.credential?.identifier == Array(credential.credentialID) else {
            return "attested another passkey than it created"
        }
        if data.flags.contains(.userVerified), !isPersonVerified { return Self.unverified }
        return Self.outputs(credential.extensions?.prf?.values).lazy
            .compactMap { Self.fault($0, Self.textBytes) }.first
    }

    private static func outputs(_ prf: PRFOutputs<Attachment>?) -> [Attachment] {
        [prf?.first, prf?.second].compactMap { $0 }
    }
}
