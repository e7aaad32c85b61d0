import AuthenticationServices

// An app of a bank, as a command line: what it would send to its server, it prints as JSON.
//
//     sample-app sign-up USER CHALLENGE    makes a passkey
//     sample-app new-account CHALLENGE     makes a passkey for an account that the person names
//     sample-app sign-in CHALLENGE         signs in with a passkey or a password
//     sample-app here CHALLENGE            the same, but only with what is there at once
//     sample-app ways CHALLENGE            the same as sign-in, or in a way that the app brings itself
//     sample-app focus CHALLENGE           waits at a field, which has the focus, for what the person chooses
//     sample-app upgrade USER CHALLENGE    makes a passkey for an account that just signed in, and asks nobody
//     sample-app password                  signs in with a password, by the controller's delegate
//     sample-app forget ID                 tells the credential managers that the server does not know a passkey
//     sample-app keep USER                 has the password on standard input kept
//
// The site is that of the variable SAMPLE_SITE; bytes are base64url.

let site = ProcessInfo.processInfo.environment["SAMPLE_SITE"] ?? "example.org"
let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: site)

/// What went wrong, in one word, for whoever runs the app.
struct Failure: Error {
    let word: String
}

func bytes(_ text: String) throws -> Data {
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    guard let data = Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)) else {
        throw Failure(word: "usage")
    }
    return data
}

func text(_ bytes: Data) -> String {
    bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}

/// What the server is sent.
func message(_ result: ASAuthorizationResult) -> [String: String] {
    switch result {
    case .password(let password): return ["kind": "password", "user": password.user, "password": password.password]
    case .passkeyAssertion(let passkey):
        return [
            "kind": "assertion", "id": text(passkey.credentialID), "clientDataJSON": text(passkey.rawClientDataJSON),
            "authenticatorData": text(passkey.rawAuthenticatorData), "signature": text(passkey.signature),
            "userHandle": text(passkey.userID),
        ]
    case .passkeyAccountCreation(let passkey): return registration(passkey, user: passkey.userName)
    case .passkeyRegistration(let passkey): return registration(passkey, user: nil)
    case .customMethod(let method): return ["kind": "method", "method": method.rawValue]
    }
}

func registration(
    _ passkey: ASAuthorizationPlatformPublicKeyCredentialRegistration, user: String?
) -> [String: String] {
    var message = [
        "kind": "registration", "id": text(passkey.credentialID), "clientDataJSON": text(passkey.rawClientDataJSON),
        "attestationObject": text(passkey.rawAttestationObject ?? Data()),
    ]
    message["user"] = user
    return message
}

/// The app's end of a controller.
@MainActor
final class Delegate: NSObject, ASAuthorizationControllerDelegate, ASAuthorizationControllerPresentationContextProviding
{
    private let window = UIWindow()
    private var ending: CheckedContinuation<ASPasswordCredential?, any Error>?

    /// The password that a controller brings; `nil` when it brings another kind of credential.
    func password(of controller: ASAuthorizationController) async throws -> ASPasswordCredential? {
        controller.delegate = self
        controller.presentationContextProvider = self
        return try await withCheckedThrowingContinuation { continuation in
            ending = continuation
            controller.performRequests()
        }
    }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        ending?.resume(returning: authorization.credential as? ASPasswordCredential)
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        ending?.resume(throwing: error)
    }
}

@MainActor
func run(_ words: [String]) async throws -> [String: String] {
    @Environment(\.authorizationController) var controller
    func signIn() throws -> [ASAuthorizationRequest] {
        [
            provider.createCredentialAssertionRequest(challenge: try bytes(words[1])),
            ASAuthorizationPasswordProvider().createRequest(),
        ]
    }
    switch (words.first, words.count) {
    case ("sign-up", 3):
        let request = provider.createCredentialRegistrationRequest(
            challenge: try bytes(words[2]), name: words[1], userID: Data("user handle".utf8))
        return message(try await controller.performRequest(request))
    case ("upgrade", 3):
        let request = provider.createCredentialRegistrationRequest(
            challenge: try bytes(words[2]), name: words[1], userID: Data("user handle".utf8),
            requestStyle: .conditional)
        return message(try await controller.performRequest(request))
    case ("new-account", 2):
        let request = ASAuthorizationAccountCreationProvider().createPlatformPublicKeyCredentialRegistrationRequest(
            acceptedContactIdentifiers: [.email], shouldRequestName: false, relyingPartyIdentifier: site,
            challenge: try bytes(words[1]), userID: Data("user handle".utf8))
        return message(try await controller.performRequest(request))
    case ("sign-in", 2): return message(try await controller.performRequests(try signIn()))
    case ("here", 2):
        return message(
            try await controller.performRequests(try signIn(), options: .preferImmediatelyAvailableCredentials))
    case ("ways", 2):
        return message(
            try await controller.performRequests(try signIn(), customMethods: [.restorePurchase, .other]))
    case ("focus", 2):
        let field = UITextField()
        field.textContentType = .username
        let requests = try signIn()
        Task { field.becomeFirstResponder() }
        return message(try await controller.performAutoFillAssistedRequests(requests))
    case ("password", 1):
        let delegate = Delegate()
        let controller = ASAuthorizationController(
            authorizationRequests: [ASAuthorizationPasswordProvider().createRequest()])
        guard let password = try await delegate.password(of: controller) else { throw Failure(word: "other") }
        return message(.password(password))
    case ("forget", 2):
        try await ASCredentialDataManager().reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: site, credentialID: try bytes(words[1]))
        return ["kind": "told"]
    case ("keep", 2):
        let scope = ASAutoFillURLScope(scheme: .https, host: site, port: nil, path: "/")
        try await ASCredentialDataManager().save(
            password: ASPasswordCredential(user: words[1], password: readLine() ?? ""), for: scope,
            anchor: UIWindow())
        return ["kind": "kept"]
    default: throw Failure(word: "usage")
    }
}

do {
    let message = try await run(Array(CommandLine.arguments.dropFirst()))
    print(String(decoding: try JSONEncoder().encode(message), as: UTF8.self))
} catch let failure as Failure {
    print(failure.word)
    exit(EXIT_FAILURE)
} catch let error as ASAuthorizationError {
    print("\(error.code)")
    exit(EXIT_FAILURE)
}
