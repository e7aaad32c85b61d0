/// Why a ceremony failed: a code to compare, and a detail for a developer that never holds content.
package struct AuthenticatorError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// The caller asked for what WebAuthn has no room for: a hash of another length, a user handle of none.
        case invalidRequest
        /// None of the algorithms is known, or an extension was asked for what it does not do in this ceremony.
        case notSupported
        /// A credential ID in the inputs of an extension is none, or none of those allowed.
        case syntax
        /// A passkey of the exclude list exists.
        case excluded
        /// Verification of the person is required, and did not happen.
        case verificationRequired
        /// Somebody must be there, and nobody was asked.
        case presenceRequired
        /// The passkey belongs to another relying party, or is not in the allow list.
        case noCredential
        /// The private key cannot be read or used.
        case keyFailed
    }

    /// What kind of failure this is.
    package let code: Code
    /// Lengths and names of fields; never content.
    package let detail: String

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The name of the `DOMException` (or `TypeError`) that the page gets; it must learn no more.
    ///
    /// A conditional registration happens without the person's knowledge: that a passkey exists is not told then.
    package func pageName(isConditional: Bool = false) -> String {
        switch code {
        case .invalidRequest: "TypeError"
        case .notSupported: "NotSupportedError"
        case .syntax: "SyntaxError"
        case .excluded where !isConditional: "InvalidStateError"
        case .excluded, .verificationRequired, .presenceRequired, .noCredential, .keyFailed:
            "NotAllowedError"
        }
    }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }

    /// Two errors are the same when their codes are.
    package static func == (left: AuthenticatorError, right: AuthenticatorError) -> Bool { left.code == right.code }
}
