public import Foundation

/// Is told what came of the requests of a controller.
@preconcurrency
@MainActor
public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    /// One of the requests brought a credential.
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)

    /// The requests brought none; `error` is an ``ASAuthorizationError``.
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)

    /// The person chose a way of the application's own.
    func authorizationController(
        _ controller: ASAuthorizationController, didCompleteWithCustomMethod method: ASAuthorizationCustomMethod)
}

extension ASAuthorizationControllerDelegate {
    /// Nothing: the method is optional.
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {}

    /// Nothing: the method is optional.
    public func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {}

    /// Nothing: the method is optional.
    public func authorizationController(
        _ controller: ASAuthorizationController, didCompleteWithCustomMethod method: ASAuthorizationCustomMethod
    ) {}
}

/// Says over which window the system may ask the person.
@preconcurrency
@MainActor
public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    /// The window for the requests of `controller`.
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}
