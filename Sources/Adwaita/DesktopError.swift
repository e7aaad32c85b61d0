/// Why there is nothing to draw on, or to draw with.
package struct DesktopError: Error, Hashable, Sendable {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// There is no display, or it does not let us in.
        case noDisplay
        /// An interface file is malformed, or lacks what the code asks for.
        case interfaceFile
        /// A picture cannot be drawn or written.
        case picture
    }

    /// What kind of failure this is; equality of two errors is equality of their codes.
    package let code: Code
    /// What failed, in words of the toolkit.
    package let detail: String

    /// A failure of `code`.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package static func == (left: DesktopError, right: DesktopError) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension DesktopError: CustomStringConvertible {
    package var description: String { detail }
}
