/// Why an account gets no passkey by itself. Whoever asked learns none of it; the person does, from the history.
enum UnmetCondition: Error, Hashable, Sendable {
    /// The page is in a private window. The history does not learn of it either.
    case privateWindow
    /// Nobody who is turned on makes passkeys in the background, or not whoever was named.
    case noProvider
    /// The person cannot be verified on this machine: what a passkey is for could not be done.
    case noVerification
    /// That user name was not filled there lately.
    case notFilled
    /// It was filled, by a provider that makes no passkeys in the background.
    case filledByAnother
    /// There is a passkey of the account.
    case hasPasskey
    /// The person took back one that was made for the account.
    case takenBack
    /// An app asks, which the site does not name.
    case unnamedApp
    /// What would have to be known could not be read.
    case unreadable
    /// The provider that was asked made none.
    case declined

    /// What the history says, after a colon.
    var words: String {
        switch self {
        case .privateWindow: "the page is in a private window"
        case .noProvider: "no provider that is turned on makes passkeys in the background"
        case .noVerification: "you cannot be verified on this machine, see: keyway verification"
        case .notFilled: "its password was not filled there within the last five minutes"
        case .filledByAnother: "the provider that filled its password makes no passkeys in the background"
        case .hasPasskey: "the account has a passkey"
        case .takenBack: "you took back the one that was made for the account"
        case .unnamedApp: "the site does not name the app"
        case .unreadable: "what is stored could not be read"
        case .declined: "the provider made none"
        }
    }

    /// The whole sentence for the history.
    var sentence: String { "No passkey was made in the background: \(words)." }
}
