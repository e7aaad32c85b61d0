/// Why a cipher or a derivation didn't do what it was asked: a code to compare, and a detail that never holds content.
package struct OtherCipherError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// A length or a cost is none that the algorithm takes.
        case invalidParameter
        /// The system has not the memory that a derivation needs.
        case outOfMemory
        /// The library did not do what it was asked.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// Lengths and names of parameters, for a developer.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Two errors are the same when their codes are.
    package static func == (left: OtherCipherError, right: OtherCipherError) -> Bool { left.code == right.code }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }
}
