public import Foundation

/// The shape in which Apple's compilers import an error domain: a struct around an `NSError`, with its codes nested.
///
/// The conformance to `_ObjectiveCBridgeable` is what makes casts work in both directions: the runtime of Swift on Linux
/// asks it when an `NSError` is cast to the struct (`Docs/decisions/0010-error-casts.md`).
public protocol _ASImportedError: CustomNSError, Hashable, _ObjectiveCBridgeable, CustomStringConvertible
where _ObjectiveCType == NSError {
    /// The codes of the domain.
    associatedtype Code: _ASImportedErrorCode where Code._ErrorType == Self

    /// The error underneath, of this domain.
    var _nsError: NSError { get }

    /// Wraps an error of this domain.
    init(_nsError error: NSError)

    /// What a code of the domain means that this release does not know.
    static var _unknownCode: Code { get }
}

/// A code of such a domain; matches every error of the domain that has it, in `catch` and in `switch`.
public protocol _ASImportedErrorCode: RawRepresentable, Hashable, Sendable where RawValue == Int {
    /// The error that carries the code.
    associatedtype _ErrorType: _ASImportedError where _ErrorType.Code == Self
}

extension _ASImportedErrorCode {
    /// Whether `error` is of the code's domain and has the code: `catch ASExtensionError.failed`.
    public static func ~= (match: Self, error: any Error) -> Bool {
        guard let error = error as? _ErrorType else { return false }
        return error.errorCode == match.rawValue
    }
}

extension _ASImportedError {
    /// An error with `code` and what `userInfo` says about it.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(_nsError: NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
    }

    /// What went wrong.
    public var code: Code { Code(rawValue: _nsError.code) ?? Self._unknownCode }

    /// What is known besides the code.
    public var userInfo: [String: Any] { _nsError.userInfo }

    /// The number of the code.
    public var errorCode: Int { _nsError.code }

    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    /// The text of the error underneath.
    public var localizedDescription: String { _nsError.localizedDescription }

    /// The description of the error underneath.
    public var description: String { _nsError.description }

    /// Two errors are equal when domain, code and user info are.
    public static func == (left: Self, right: Self) -> Bool { left._nsError.isEqual(right._nsError) }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
}

// MARK: - Casting from and to NSError

extension _ASImportedError {
    /// The error underneath.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Wraps `source` where it is of the domain.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        guard source.domain == Self.errorDomain else { return false }
        result = Self(_nsError: source)
        return true
    }

    /// Wraps `source`.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        precondition(_conditionallyBridgeFromObjectiveC(source, result: &result), "an error of another domain")
    }

    /// Wraps `source`, or stands for an unknown error where there is none.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        var result: Self?
        if let source, _conditionallyBridgeFromObjectiveC(source, result: &result), let result { return result }
        return Self(_unknownCode)
    }
}
