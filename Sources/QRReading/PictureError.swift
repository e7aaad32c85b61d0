/// Why a picture could not be read: a code to compare, and a detail of sizes and names.
package struct PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable {
        /// It is neither PNG nor JPEG, or damaged.
        case unreadable
        /// It has more bytes or points than are read.
        case tooLarge
        /// A library did not do what it was asked; out of memory, as a rule.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// Sizes and names, for a developer; nothing of the picture.
    package let detail: String

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the detail, for logs.
    package var description: String { "\(code): \(detail)" }

    /// Two errors are the same when their codes are.
    package static func == (left: PictureError, right: PictureError) -> Bool { left.code == right.code }
}
