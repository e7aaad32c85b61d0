/// One finding of `doctor`.
package struct Check: Hashable, Sendable {
    /// How it went.
    package enum Status: String, CaseIterable, Sendable {
        /// As it should be.
        case ok
        /// It works, but not all of it, or not for everyone.
        case warning
        /// It does not work.
        case failed
        /// It was wrong, and was put right just now.
        case fixed
    }

    /// What was looked at: a stable word, with what it is about behind a colon where there are several.
    package let name: String
    /// How it went.
    package let status: Status
    /// What was found, in a sentence.
    package let detail: String
    /// What to do or to type; nil when nothing is.
    package let remedy: String?

    /// A finding.
    package init(_ name: String, _ status: Status, _ detail: String, remedy: String? = nil) {
        self.name = name
        self.status = status
        self.detail = detail
        self.remedy = remedy
    }

    var json: JSONValue {
        .object([
            ("name", .string(name)), ("status", .string(status.rawValue)), ("detail", .string(detail)),
            ("remedy", .optional(remedy)),
        ])
    }
}
