import AutoFillProtocol
import KeywaySystem

/// How long the parts of an identity may be.
enum IdentityBounds {
    private static let longestText = 2048
    /// In seconds.
    private static let periods = 1...86_400

    static func check(_ parameters: WriteIdentities.Parameters) throws(ProtocolError) {
        guard parameters.identities.count <= WriteIdentities.Parameters.maximumPart else {
            throw ProtocolError(
                .invalidParameters,
                "A part holds \(WriteIdentities.Parameters.maximumPart) identities at most: send more parts.")
        }
        for identity in parameters.identities {
            let texts = [identity.service.identifier, identity.user, identity.recordIdentifier ?? ""]
            guard texts.allSatisfy({ $0.utf8.count <= longestText && !$0.utf8.contains(0) }) else {
                throw ProtocolError(
                    .invalidParameters,
                    "Service, user and record identifier hold \(longestText) bytes at most, and no zero.")
            }
            try check(identity.passkey, of: identity.kind)
            try check(identity.service.realm, identity.use, of: identity.kind)
            guard identity.period.map({ identity.kind == .oneTimeCode && periods.contains($0) }) ?? true else {
                throw ProtocolError(
                    .invalidParameters, "A code, and nothing else, has a period: \(periods.upperBound) seconds at most."
                )
            }
        }
    }

    /// Only passwords are sent by HTTP itself, and those have a realm: an empty one where they serve all of the server.
    private static func check(
        _ realm: String?, _ use: CredentialUse?, of kind: CredentialKind
    ) throws(ProtocolError) {
        guard kind == .password || (realm == nil && use == nil), (realm != nil) == (use == .http) else {
            throw ProtocolError(.invalidParameters, "A password for HTTP itself, and nothing else, has a realm.")
        }
        guard (realm ?? "").utf8.count <= Suggester.maximumRealm else {
            throw ProtocolError(.invalidParameters, "A realm holds \(Suggester.maximumRealm) bytes at most.")
        }
    }

    /// Credential IDs hold 1023 bytes at most (WebAuthn Level 3, section 5.8.3), user handles 64 (section 5.4.3); a
    /// little more is taken as it comes.
    private static func check(_ passkey: PasskeyReference?, of kind: CredentialKind) throws(ProtocolError) {
        guard (passkey != nil) == (kind == .passkey) else {
            throw ProtocolError(.invalidParameters, "A passkey's identity, and no other, names its passkey.")
        }
        guard let passkey else { return }
        guard (1...1023).contains(passkey.credentialID.count), passkey.userHandle.count <= 256 else {
            throw ProtocolError(.invalidParameters, "Credential ID or user handle is empty or too long.")
        }
    }
}
