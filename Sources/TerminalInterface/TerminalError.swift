/// Why the person could not be asked.
package struct TerminalError: Error, Hashable, Sendable {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// There is no terminal to ask on.
        case noTerminal
        /// The person backed out.
        case cancelled
        /// The terminal went away, or the input ended before everything was answered.
        case closed
        /// The two times that a secret was typed differ, again and again.
        case mismatch
        /// A system call failed.
        case system
    }

    /// What kind of failure this is; equality of two errors is equality of their codes.
    package let code: Code
    /// What failed: names of calls and their reasons, nothing that was typed.
    package let detail: String

    /// A failure of `code`.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package static func == (left: TerminalError, right: TerminalError) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension TerminalError: CustomStringConvertible {
    package var description: String { detail }
}
