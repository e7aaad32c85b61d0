/// Where something stands in a document.
package struct DocumentPlace: Sendable, Hashable {
    /// The line, from 1 on.
    package let line: Int
    /// How many bytes stand before it.
    package let offset: Int

    /// A place by its parts.
    package init(line: Int, offset: Int) {
        self.line = line
        self.offset = offset
    }

    /// The place after the first `offset` bytes.
    package init(offset: Int, in bytes: UnsafeRawBufferPointer) {
        let offset = min(max(offset, 0), bytes.count)
        self.init(line: bytes[..<offset].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }, offset: offset)
    }

    /// What is wrong here, in one line.
    package func saying(_ detail: String) -> String { "line \(line), byte \(offset): \(detail)" }
}

/// Why a document couldn't be read: a code to compare, what is wrong and where; nothing of what the document holds.
package struct DocumentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// Its bytes are no UTF-8.
        case notUTF8
        /// It is not in the form that it claims to have.
        case malformed
        /// It ends before its end.
        case truncated
        /// It nests deeper than is read.
        case tooDeep
        /// It, or a part of it, is larger than is read.
        case tooLarge
        /// The same name stands twice where it can stand once.
        case repeated
    }

    /// What kind of failure this is.
    package let code: Code
    /// What is wrong, in words; no content.
    package let detail: String
    /// Where it is wrong.
    package let place: DocumentPlace

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String, _ place: DocumentPlace) {
        self.code = code
        self.detail = detail
        self.place = place
    }

    /// Two errors are the same when code and place are.
    package static func == (left: DocumentError, right: DocumentError) -> Bool {
        left.code == right.code && left.place == right.place
    }

    /// What is wrong and where, in one line.
    package var description: String { place.saying(detail) }
}

/// How much of a document is read. What is larger is refused before it takes memory.
package enum DocumentLimits {
    /// The longest document, in bytes.
    package static let longestDocument = 128 << 20
    /// How deep JSON nests.
    package static let depth = 128
    /// The longest text, in bytes: a file of 4 MiB in Base64.
    package static let longestText = 6 << 20
    /// The longest name of a member, in bytes.
    package static let longestName = 1024
    /// The most values in one item of a document.
    package static let mostValues = 20_000
    /// The most cells in a row.
    package static let mostCells = 1000
    /// The most items, or rows, of a document.
    package static let mostItems = 100_000
}
