import AutoFillProtocol
import WebAuthnValues

/// What a request has to do with verification.
extension ProviderRequest {
    /// The account that it is about, where it names one.
    var account: String? {
        switch expectation {
        case .credential(let identity, _): identity.user
        case .registration(let passkey): passkey.userName
        default: nil
        }
    }

    /// How much the relying party wants the person verified; nil where no passkey is used or made, or nobody may be
    /// asked.
    var verificationPreference: UserVerificationPreference? {
        switch expectation {
        case .credential(_, let assertion): assertion?.userVerification
        case .choice(let parameters): parameters?.assertion.userVerification
        case .registration(let passkey): interactive == nil ? nil : passkey.userVerification
        default: nil
        }
    }

    /// Whether it ends in a credential that is given to whoever asks.
    var handsOver: Bool {
        switch expectation {
        case .credential, .choice, .oneTimeCode, .text: true
        default: false
        }
    }

    /// The same request, which tells the provider whether the person was verified for it. What the client said of that
    /// is not passed on.
    func telling(isPersonVerified: Bool) -> ProviderRequest {
        ProviderRequest(
            quiet: quiet?.telling(isPersonVerified), interactive: interactive?.telling(isPersonVerified),
            expectation: expectation, limit: limit)
    }
}

extension PerformRequest.Request {
    fileprivate func telling(_ isPersonVerified: Bool) -> Self {
        switch self {
        case .provideWithoutInteraction(let request) where request.assertion != nil:
            .provideWithoutInteraction(request.telling(isPersonVerified))
        case .provideWithInteraction(let request) where request.assertion != nil:
            .provideWithInteraction(request.telling(isPersonVerified))
        case .list(let services, let passkeys?):
            .list(
                services,
                passkeys: PasskeyRequestParameters(
                    relyingParty: passkeys.relyingParty, assertion: passkeys.assertion,
                    isPersonVerified: isPersonVerified ? true : nil))
        case .registerPasskey(let passkey): .registerPasskey(passkey.telling(isPersonVerified))
        case .registerPasskeyWithoutInteraction(let passkey):
            .registerPasskeyWithoutInteraction(passkey.telling(isPersonVerified))
        default: self
        }
    }
}

extension PerformRequest.CredentialRequest {
    fileprivate func telling(_ isPersonVerified: Bool) -> Self {
        Self(identity: identity, assertion: assertion, isPersonVerified: isPersonVerified ? true : nil)
    }
}

extension PasskeyRegistration {
    fileprivate func telling(_ isPersonVerified: Bool) -> Self {
        Self(
            relyingParty: relyingParty, userName: userName, userHandle: userHandle, clientDataHash: clientDataHash,
            userVerification: userVerification, algorithms: algorithms, excludedCredentials: excludedCredentials,
            extensions: extensions, isPersonVerified: isPersonVerified ? true : nil)
    }
}
