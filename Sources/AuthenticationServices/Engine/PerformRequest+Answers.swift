import AutoFillProtocol
import Foundation

/// Which results answer which requests (the table at the end of section 1 of the API's reference).
extension PerformRequest.Request {
    /// Whether nothing may be shown.
    var forbidsInterface: Bool {
        switch self {
        case .provideWithoutInteraction, .registerPasskeyWithoutInteraction, .savePasswordWithoutInteraction,
            .generatePasswordsWithoutInteraction, .report:
            true
        case .provideWithInteraction, .list, .oneTimeCodeList, .textToInsert, .registerPasskey, .savePassword,
            .generatePasswords, .setUpCode, .configuration:
            false
        }
    }

    /// Whether it asks for nothing: the provider is only told.
    var isReport: Bool {
        if case .report = self { true } else { false }
    }

    /// Why `result` is no answer to the request, in words for the provider's author; nil when it is one.
    func fault(of result: PerformRequest.Result) -> String? {
        switch (self, result) {
        case (.report, .reported): nil
        case (.report, _), (_, .reported): "A report was answered; it needs no answer."
        case (_, .cancelled): nil
        case (.provideWithoutInteraction(let wanted), _), (.provideWithInteraction(let wanted), _):
            wanted.fault(of: result)
        case (.list(_, let parameters), .passkeyAssertion(let credential)):
            parameters.map { credential.fault(relyingParty: $0.relyingParty, $0.assertion) } ?? mixUp(result)
        case (.registerPasskey(let wanted), .passkeyRegistration(let credential)),
            (.registerPasskeyWithoutInteraction(let wanted), .passkeyRegistration(let credential)):
            credential.fault(of: wanted)
        case (.list, .password), (.oneTimeCodeList, .oneTimeCode), (.textToInsert, .text), (.savePassword, .saved),
            (.savePasswordWithoutInteraction, .saved), (.generatePasswords, .generated),
            (.generatePasswordsWithoutInteraction, .generated), (.setUpCode, .saved), (.configuration, .configured):
            nil
        default: mixUp(result)
        }
    }

    private func mixUp(_ result: PerformRequest.Result) -> String {
        "A request for \(wanted) was answered with \(result.given)."
    }

    private var wanted: String {
        switch self {
        case .provideWithoutInteraction(let request), .provideWithInteraction(let request):
            request.identity.kind.given
        case .list(_, let parameters): parameters == nil ? "a password" : "a password or a signature with a passkey"
        case .oneTimeCodeList: "a one-time code"
        case .textToInsert: "text"
        case .registerPasskeyWithoutInteraction, .registerPasskey: "a new passkey"
        case .savePasswordWithoutInteraction, .savePassword: "keeping a password"
        case .generatePasswordsWithoutInteraction, .generatePasswords: "new passwords"
        case .setUpCode: "keeping what makes one-time codes"
        case .report: "nothing"
        case .configuration: "configuration"
        }
    }
}

extension PerformRequest.CredentialRequest {
    fileprivate func fault(of result: PerformRequest.Result) -> String? {
        switch (identity.kind, result) {
        case (.password, .password), (.oneTimeCode, .oneTimeCode): nil
        case (.passkey, .passkeyAssertion(let credential)):
            assertion.flatMap { credential.fault(relyingParty: identity.service.identifier, $0) }
        default: "A request for \(identity.kind.given) was answered with \(result.given)."
        }
    }
}

extension PasskeyAssertionCredential {
    /// What is signed for another request or another site is no answer to this one.
    fileprivate func fault(relyingParty: String, _ assertion: PasskeyAssertion) -> String? {
        guard relyingParty == self.relyingParty, clientDataHash == assertion.clientDataHash else {
            return "A signature was given for another relying party or other client data than asked for."
        }
        guard assertion.allowedCredentials.isEmpty || assertion.allowedCredentials.contains(credentialID) else {
            return "A signature was given with a passkey that the request does not allow."
        }
        return nil
    }
}

extension PasskeyRegistrationCredential {
    fileprivate func fault(of registration: PasskeyRegistration) -> String? {
        guard relyingParty == registration.relyingParty, clientDataHash == registration.clientDataHash else {
            return "A passkey was made for another relying party or other client data than asked for."
        }
        return nil
    }
}

extension CredentialKind {
    fileprivate var given: String {
        switch self {
        case .password: "a password"
        case .passkey: "a signature with a passkey"
        case .oneTimeCode: "a one-time code"
        }
    }
}

extension PerformRequest.Result {
    /// A failure that the person may read about.
    static func failure(_ reason: String) -> PerformRequest.Result {
        .cancelled(domain: ASExtensionErrorDomain, code: ASExtensionError.failed.rawValue, reason: reason)
    }

    fileprivate var given: String {
        switch self {
        case .password: "a password"
        case .passkeyAssertion: "a signature with a passkey"
        case .passkeyRegistration: "a new passkey"
        case .oneTimeCode: "a one-time code"
        case .text: "text"
        case .saved: "having kept something"
        case .generated: "new passwords"
        case .reported: "having heard a report"
        case .cancelled: "an error"
        case .configured: "the end of the configuration"
        }
    }
}
