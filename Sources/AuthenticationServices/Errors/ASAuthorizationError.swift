public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the errors with which the system answers an application.
public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"

/// Why an application's request brought no credential.
public struct ASAuthorizationError: _ASImportedError {
    /// The codes of ``ASAuthorizationErrorDomain``.
    public enum Code: Int, _ASImportedErrorCode {
        /// The error that carries the code.
        public typealias _ErrorType = ASAuthorizationError

        /// It failed for a reason that is not known.
        case unknown = 1000
        /// The person backed out.
        case canceled = 1001
        /// The answer to the request made no sense.
        case invalidResponse = 1002
        /// Nobody took the request on.
        case notHandled = 1003
        /// The request failed.
        case failed = 1004
        /// The person would have to be asked, which the request does not allow.
        case notInteractive = 1005
        /// A passkey that the request excludes is stored already.
        case matchedExcludedCredential = 1006
        /// Credentials could not be imported; the user info says more.
        case credentialImport = 1007
        /// Credentials could not be exported; the user info says more.
        case credentialExport = 1008
        /// The person has an account of another kind that they would rather use.
        case preferSignInWithApple = 1009
        /// Nothing on this system can make passkeys.
        case deviceNotConfiguredForPasskeyCreation = 1010
    }

    /// ``ASAuthorizationErrorDomain``.
    public static var errorDomain: String { ASAuthorizationErrorDomain }
    /// It failed for a reason that is not known.
    public static var unknown: Code { .unknown }
    /// The person backed out.
    public static var canceled: Code { .canceled }
    /// The answer to the request made no sense.
    public static var invalidResponse: Code { .invalidResponse }
    /// Nobody took the request on.
    public static var notHandled: Code { .notHandled }
    /// The request failed.
    public static var failed: Code { .failed }
    /// The person would have to be asked, which the request does not allow.
    public static var notInteractive: Code { .notInteractive }
    /// A passkey that the request excludes is stored already.
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
    /// Credentials could not be imported; the user info says more.
    public static var credentialImport: Code { .credentialImport }
    /// Credentials could not be exported; the user info says more.
    public static var credentialExport: Code { .credentialExport }
    /// The person has an account of another kind that they would rather use.
    public static var preferSignInWithApple: Code { .preferSignInWithApple }
    /// Nothing on this system can make passkeys.
    public static var deviceNotConfiguredForPasskeyCreation: Code { .deviceNotConfiguredForPasskeyCreation }

    /// What a code means that this release does not know.
    public static var _unknownCode: Code { .unknown }
    /// The error underneath.
    public let _nsError: NSError

    /// Wraps an error of ``ASAuthorizationErrorDomain``.
    public init(_nsError error: NSError) {
        _nsError = error
    }
}
