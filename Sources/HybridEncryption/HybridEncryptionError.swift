import PasskeySignatures

/// Why something couldn't be encrypted for, or opened with, a key: a code to compare, and a detail that holds no content.
package struct HybridEncryptionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// A key, or what stands for the shared secret, is of the wrong length, no point of its curve, or one with which
        /// the secret would be known to everybody.
        case invalidKey
        /// A message was not encrypted for this key, or was changed since.
        case notForThisKey
        /// The suite encrypts nothing: it only exports secrets.
        case exportsOnly
        /// More was asked for than one context gives.
        case exhausted
        /// libcrypto did not do what it was asked.
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

    init(_ error: PasskeySignatureError) {
        let isKey = error.code == .malformedKey || error.code == .unsupportedKey
        self.init(isKey ? .invalidKey : .failed, error.detail)
    }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }

    /// Two errors are the same when their codes are.
    package static func == (left: HybridEncryptionError, right: HybridEncryptionError) -> Bool {
        left.code == right.code
    }
}
