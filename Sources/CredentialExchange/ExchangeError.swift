package import SecretDocuments

/// Why a document of the Credential Exchange Format couldn't be read: a code to compare, what is wrong and where.
package struct ExchangeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// It is no JSON that can be read; see ``ExchangeError/place``.
        case unreadable
        /// It is JSON, and no document of the Credential Exchange Format.
        case notExchange
        /// It is of a major version that is not known: such versions break with the one before.
        case unknownVersion
        /// It has more items than are read at once, or collections that nest too deep.
        case tooLarge
        /// A credential lacks what it needs, or has it in a form that it can't have.
        case invalidCredential
    }

    /// What kind of failure this is.
    package let code: Code
    /// What is wrong, in words; no content.
    package let detail: String
    /// Where it is wrong in the file, where that is known.
    package let place: DocumentPlace?

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String, _ place: DocumentPlace? = nil) {
        self.code = code
        self.detail = detail
        self.place = place
    }

    init(_ error: DocumentError) { self.init(.unreadable, error.detail, error.place) }

    /// Two errors are the same when their codes are.
    package static func == (left: ExchangeError, right: ExchangeError) -> Bool { left.code == right.code }

    /// What is wrong and where, in one line.
    package var description: String { place?.saying(detail) ?? detail }
}
