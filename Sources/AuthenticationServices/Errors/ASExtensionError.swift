public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the errors with which a provider's extension ends a request.
public let ASExtensionErrorDomain = "ASExtensionErrorDomain"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key in an error's user info under which the text stands that the person reads when a request failed.
public let ASExtensionLocalizedFailureReasonErrorKey = "ASExtensionLocalizedFailureReasonErrorKey"

/// Why a provider's extension ended a request without a credential.
public struct ASExtensionError: _ASImportedError {
    /// The codes of ``ASExtensionErrorDomain``.
    public enum Code: Int, _ASImportedErrorCode {
        /// The error that carries the code.
        public typealias _ErrorType = ASExtensionError

        /// The request failed.
        case failed = 0
        /// The person backed out.
        case userCanceled = 1
        /// The provider must show an interface before it can answer.
        case userInteractionRequired = 100
        /// The identity that was asked for belongs to no record any more.
        case credentialIdentityNotFound = 101
        /// A passkey that the request excludes is stored already.
        case matchedExcludedCredential = 102
    }

    /// ``ASExtensionErrorDomain``.
    public static var errorDomain: String { ASExtensionErrorDomain }
    /// The request failed.
    public static var failed: Code { .failed }
    /// The person backed out.
    public static var userCanceled: Code { .userCanceled }
    /// The provider must show an interface before it can answer.
    public static var userInteractionRequired: Code { .userInteractionRequired }
    /// The identity that was asked for belongs to no record any more.
    public static var credentialIdentityNotFound: Code { .credentialIdentityNotFound }
    /// A passkey that the request excludes is stored already.
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }

    /// What a code means that this release does not know.
    public static var _unknownCode: Code { .failed }
    /// The error underneath.
    public let _nsError: NSError

    /// Wraps an error of ``ASExtensionErrorDomain``.
    public init(_nsError error: NSError) {
        _nsError = error
    }
}
