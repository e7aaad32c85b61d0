/// Why an archive, or a member of one, couldn't be read or written: a code to compare, and what is wrong; nothing of its content.
package struct ZipError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// It is no zip, or damaged: a sum that is wrong, a size that is another than stated.
        case damaged
        /// It, or a member of it, is larger than is read, or is packed as nothing but a bomb is.
        case tooLarge
        /// A member is encrypted, or packed in a way that is not read.
        case unsupported
        /// A member is a link, or stands there twice.
        case forbidden
        /// One couldn't be written; out of memory, as a rule.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// What is wrong, in words; no content, and no names of members.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Two errors are the same when their codes are.
    package static func == (left: ZipError, right: ZipError) -> Bool { left.code == right.code }

    /// What is wrong.
    package var description: String { detail }
}
