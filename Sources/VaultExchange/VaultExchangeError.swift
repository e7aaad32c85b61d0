/// Why an item of a document isn't stored: a code to compare, and a sentence for people that names no secret.
package struct VaultExchangeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// Nothing is in it that could be stored.
        case empty
        /// Something in it is larger than what an item may hold.
        case tooLarge
        /// It isn't in the form of an item.
        case malformed
    }

    /// What kind of failure this is.
    package let code: Code
    /// What is wrong: a sentence; no content.
    package let detail: String

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Two errors are the same when their codes are.
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The sentence.
    package var description: String { detail }
}
