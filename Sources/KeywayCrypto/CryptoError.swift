/// What went wrong in a cryptographic operation: a code to compare, and a detail to read that never holds content.
package struct CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable {
        /// The bytes were not sealed under this key with this context, or were altered since.
        case authenticationFailed
        /// A length or cost is outside of what the algorithm, or our own limits, allow.
        case invalidParameter
        /// The system could not provide the memory that a derivation needs.
        case outOfMemory
    }

    /// What kind of failure this is.
    package let code: Code
    /// Lengths and names of parameters, for a developer; never keys, passwords or content.
    package let detail: String

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }

    /// Two errors are the same when their codes are.
    package static func == (left: CryptoError, right: CryptoError) -> Bool { left.code == right.code }
}
