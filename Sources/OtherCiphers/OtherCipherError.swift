/// Why a cipher or a derivation didn't do what it was asked: a code to compare, and a detail that never holds content.
package struct OtherCipherError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// A length or a cost is none that the algorithm takes.
        case invalidParameter
        /// The system has not the memory that a derivation needs.
        case outOfMemory
        /// A key takes more computing, or more memory, than is ever spent on a file.
        case tooCostly
        /// A key takes more memory than the caller allows, and not more than it may allow.
        case needsMemory
        /// The library did not do what it was asked.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// Lengths and names of parameters, for a developer; what a derivation costs, in words.
    package let detail: String
    /// How much memory the key takes, in bytes, where that is what is wrong.
    package let memory: Int?

    init(_ code: Code, _ detail: String, memory: Int? = nil) {
        self.code = code
        self.detail = detail
        self.memory = memory
    }

    /// Two errors are the same when their codes are.
    package static func == (left: OtherCipherError, right: OtherCipherError) -> Bool { left.code == right.code }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }
}
