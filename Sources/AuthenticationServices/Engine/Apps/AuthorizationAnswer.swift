import AutoFillProtocol
import AutoFillWire
import Foundation

/// What came of the requests of an application.
enum AuthorizationAnswer {
    /// A credential, which the request brought.
    case credential(any ASAuthorizationCredential, of: ASAuthorizationRequest)
    /// The person chose a way of the application's own.
    case method(ASAuthorizationCustomMethod)

    /// Reads the broker's answer to `requests`.
    ///
    /// - Throws: ``ASAuthorizationError`` with the code `invalidResponse` for one that makes no sense.
    init(_ result: AuthorizeApplication.Result, to requests: [ASAuthorizationRequest]) throws {
        if case .method(let name) = result.credential {
            self = .method(ASAuthorizationCustomMethod(rawValue: name))
            return
        }
        guard let index = result.request, requests.indices.contains(index) else { throw Self.senseless }
        let request = requests[index]
        switch (result.credential, request) {
        case (.password(let user, let password), is ASAuthorizationPasswordRequest):
            self = .credential(ASPasswordCredential(user: user, sealed: try password.sealedMemory()), of: request)
        case (
            .assertion(let credential, let data), is ASAuthorizationPlatformPublicKeyCredentialAssertionRequest
        ):
            self = .credential(
                try ASAuthorizationPlatformPublicKeyCredentialAssertion(credential, clientData: data), of: request)
        case (
            .registration(let credential, let data),
            is ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest
        ):
            self = .credential(
                try ASAuthorizationPlatformPublicKeyCredentialRegistration(made: credential, clientData: data),
                of: request)
        case (
            .registration(let credential, let data),
            is ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest
        ):
            let account = try ASAuthorizationAccountCreationPlatformPublicKeyCredential(
                made: credential, clientData: data)
            account.userName = result.userName
            self = .credential(account, of: request)
        default: throw Self.senseless
        }
    }

    /// The same, for `switch`.
    func result() throws -> ASAuthorizationResult {
        switch self {
        case .method(let method): return .customMethod(method)
        case .credential(let credential, _):
            switch credential {
            case let credential as ASPasswordCredential: return .password(credential)
            case let credential as ASAuthorizationPlatformPublicKeyCredentialAssertion:
                return .passkeyAssertion(credential)
            case let credential as ASAuthorizationAccountCreationPlatformPublicKeyCredential:
                return .passkeyAccountCreation(credential)
            case let credential as ASAuthorizationPlatformPublicKeyCredentialRegistration:
                return .passkeyRegistration(credential)
            default: throw Self.senseless
            }
        }
    }

    private static var senseless: ASAuthorizationError {
        .ended(.invalidResponse, "The system's answer makes no sense.")
    }
}

extension ASAuthorizationPlatformPublicKeyCredentialAssertion {
    fileprivate convenience init(_ credential: PasskeyAssertionCredential, clientData: Data) throws {
        let output = try credential.extensions.map(ASPasskeyAssertionCredentialExtensionOutput.init)
        self.init(
            rawClientDataJSON: clientData, credentialID: credential.credentialID,
            rawAuthenticatorData: credential.authenticatorData, userID: credential.userHandle,
            signature: credential.signature, largeBlob: output?.largeBlob, prf: output?.prf)
    }
}

extension ASAuthorizationPlatformPublicKeyCredentialRegistration {
    fileprivate convenience init(made credential: PasskeyRegistrationCredential, clientData: Data) throws {
        let output = try credential.extensions.map(ASPasskeyRegistrationCredentialExtensionOutput.init)
        self.init(
            rawClientDataJSON: clientData, credentialID: credential.credentialID,
            rawAttestationObject: credential.attestationObject, largeBlob: output?.largeBlob, prf: output?.prf)
    }
}
