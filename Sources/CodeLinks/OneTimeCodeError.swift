/// Why a link, a secret or an image is none for one-time codes: a code to compare, and a detail without secrets.
package struct OneTimeCodeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// It is no link for one-time codes, or its parts do not stand where they should.
        case malformedLink
        /// The link is for codes of another kind: `motp`, `yaotp`, or one that nobody knows.
        case unsupportedKind
        /// There is no secret, or it is no Base32.
        case malformedSecret
        /// A hash that is not SHA-1, SHA-256 or SHA-512.
        case unsupportedAlgorithm
        /// Digits, a period or a counter that no code can have, or that is missing.
        case invalidParameter
        /// More than is read at once.
        case tooLong
        /// A counter that has come to its end.
        case counterExhausted
        /// libcrypto did not do what it was asked.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// Names of parts, lengths and bounds, for a developer; nothing of what was read.
    package let detail: String

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }

    /// Two errors are the same when their codes are.
    package static func == (left: OneTimeCodeError, right: OneTimeCodeError) -> Bool { left.code == right.code }
}
