public import Foundation
public import ImportedErrors

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the errors of ``LAContext``.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why the person was not verified.
public struct LAError: _ASImportedError {
    /// The codes of ``LAErrorDomain``.
    public enum Code: Int, _ASImportedErrorCode {
        /// The error that carries the code.
        public typealias _ErrorType = LAError

        /// The person could not be verified.
        case authenticationFailed = -1
        /// The person backed out.
        case userCancel = -2
        /// The person chose another way.
        case userFallback = -3
        /// The system withdrew the question.
        case systemCancel = -4
        /// The person has no password to be asked for.
        case passcodeNotSet = -5
        /// There is no sensor, or no way to ask it.
        case biometryNotAvailable = -6
        /// No finger or face is known to the sensor.
        case biometryNotEnrolled = -7
        /// Too many failures: the sensor is locked.
        case biometryLockout = -8
        /// The program withdrew the question.
        case appCancel = -9
        /// The context was invalidated.
        case invalidContext = -10
        /// The sensor was never paired.
        case biometryNotPaired = -12
        /// The sensor is not connected.
        case biometryDisconnected = -13
        /// The given sizes are invalid.
        case invalidDimensions = -14
        /// No companion device is near.
        case companionNotAvailable = -11
        /// The person would have to be asked, which is not allowed.
        case notInteractive = -1004
    }

    /// ``LAErrorDomain``.
    public static var errorDomain: String { LAErrorDomain }
    /// The person could not be verified.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The person backed out.
    public static var userCancel: Code { .userCancel }
    /// The person chose another way.
    public static var userFallback: Code { .userFallback }
    /// The system withdrew the question.
    public static var systemCancel: Code { .systemCancel }
    /// The person has no password to be asked for.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// There is no sensor, or no way to ask it.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// No finger or face is known to the sensor.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Too many failures: the sensor is locked.
    public static var biometryLockout: Code { .biometryLockout }
    /// The program withdrew the question.
    public static var appCancel: Code { .appCancel }
    /// The context was invalidated.
    public static var invalidContext: Code { .invalidContext }
    /// The sensor was never paired.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The sensor is not connected.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// The given sizes are invalid.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// No companion device is near.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// The person would have to be asked, which is not allowed.
    public static var notInteractive: Code { .notInteractive }

    /// What a code means that this release does not know.
    public static var _unknownCode: Code { .authenticationFailed }
    /// The error underneath.
    public let _nsError: NSError

    /// Wraps an error of ``LAErrorDomain``.
    public init(_nsError error: NSError) {
        _nsError = error
    }
}
