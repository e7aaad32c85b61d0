public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the errors of ``ASCredentialIdentityStore``.
public let ASCredentialIdentityStoreErrorDomain = "ASCredentialIdentityStoreErrorDomain"

/// Why the identity store did not take a write.
public struct ASCredentialIdentityStoreError: _ASImportedError {
    /// The codes of ``ASCredentialIdentityStoreErrorDomain``.
    public enum Code: Int, _ASImportedErrorCode {
        /// The error that carries the code.
        public typealias _ErrorType = ASCredentialIdentityStoreError

        /// The store failed inside.
        case internalError = 0
        /// The person has not turned the provider on.
        case storeDisabled = 1
        /// The store is busy; the same call may succeed later.
        case storeBusy = 2
    }

    /// ``ASCredentialIdentityStoreErrorDomain``.
    public static var errorDomain: String { ASCredentialIdentityStoreErrorDomain }
    /// The store failed inside.
    public static var internalError: Code { .internalError }
    /// The person has not turned the provider on.
    public static var storeDisabled: Code { .storeDisabled }
    /// The store is busy; the same call may succeed later.
    public static var storeBusy: Code { .storeBusy }

    /// What a code means that this release does not know.
    public static var _unknownCode: Code { .internalError }
    /// The error underneath.
    public let _nsError: NSError

    /// Wraps an error of ``ASCredentialIdentityStoreErrorDomain``.
    public init(_nsError error: NSError) {
        _nsError = error
    }
}
