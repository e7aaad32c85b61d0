/// Why something could not be put on the clipboard: a code to compare, and a detail without content.
package struct ClipboardError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable {
        /// There is no display, or none that lets itself be opened.
        case noDisplay
        /// The compositor lets no program copy that has no window.
        case notAllowed
        /// The display takes nothing of that length.
        case tooLong
        /// The display did not do what it was asked, or is gone.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// What failed, for a developer; nothing of the text.
    package let detail: String

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }

    /// Two errors are the same when their codes are.
    package static func == (left: ClipboardError, right: ClipboardError) -> Bool { left.code == right.code }
}
