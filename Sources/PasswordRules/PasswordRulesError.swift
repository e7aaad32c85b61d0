/// Why there is no password.
package struct PasswordRulesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// No password can keep the rules.
        case impossible
        /// So few passwords keep the rules that none is found by drawing.
        case tooNarrow
    }

    /// What kind of failure this is.
    package let code: Code
    /// Which rule it is about, for a person who reads carefully.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .impossible: "No password can follow these rules: \(detail)."
        case .tooNarrow: "Almost no password follows these rules: \(detail)."
        }
    }
}
