extension OneTimeCodeError {
    /// What it means to whoever gave the link or the secret, in words that say nothing of it.
    package var words: String {
        switch code {
        case .malformedLink: "This isn't a link for one-time codes."
        case .unsupportedKind: "The link is for codes of a kind that Keyway can't make."
        case .malformedSecret: "The secret isn't Base32: letters and 2 to 7."
        case .unsupportedAlgorithm: "The link asks for a hash other than SHA-1, SHA-256 and SHA-512."
        case .invalidParameter: "The link has a number of digits, a period or a counter that can't be."
        case .tooLong: "The link, its secret or a name in it is too long."
        case .counterExhausted: "The counter of the codes has come to its end."
        case .failed: "The code couldn't be made: \(detail)."
        }
    }
}
