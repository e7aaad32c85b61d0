/// Why a key could not be read, made or used: a code to compare, and a detail that never holds a key.
package struct PasskeySignatureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable {
        /// The bytes are no private key.
        case malformedKey
        /// It is a key, but none of P-256, Ed25519, or RSA of 2048 to 8192 bits.
        case unsupportedKey
        /// libcrypto did not do what it was asked; out of memory, as a rule.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// Names and lengths, for a developer.
    package let detail: String

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }

    /// Two errors are the same when their codes are.
    package static func == (left: PasskeySignatureError, right: PasskeySignatureError) -> Bool {
        left.code == right.code
    }
}
