public import Foundation

/// Asks to read or write the data beside a passkey while it signs in.
public struct ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput: Hashable, Sendable {
    /// What is done with the data.
    public enum Operation: Hashable, Sendable {
        /// They are read.
        case read
        /// They are replaced.
        case write(Data)
    }

    /// What is done with the data.
    public var operation: Operation

    /// Asks for `operation`.
    package init(_ operation: Operation) {
        self.operation = operation
    }

    /// Asks to read them.
    public static var read: Self { Self(.read) }

    /// Asks to replace them with `data`.
    public static func write(_ data: Data) -> Self { Self(.write(data)) }
}

/// What came of reading or writing the data beside a passkey.
public struct ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput: Hashable, Sendable {
    /// What came of it.
    public enum OperationResult: Hashable, Sendable {
        /// What was there; nil when nothing was.
        case read(data: Data?)
        /// Whether they were replaced.
        case write(success: Bool)
    }

    /// What came of it.
    public var result: OperationResult

    /// Says what came of it.
    package init(_ result: OperationResult) {
        self.result = result
    }

    /// What was there; nil when nothing was.
    public static func read(data: Data?) -> Self { Self(.read(data: data)) }

    /// Whether they were replaced.
    public static func write(success: Bool) -> Self { Self(.write(success: success)) }
}
