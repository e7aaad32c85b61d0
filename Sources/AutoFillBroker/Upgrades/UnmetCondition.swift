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
        case .noProvider: "no provider that is turned on creates passkeys in the background"
        case .noVerification: "Keyway can't verify you on this computer; run: keyway verification"
        case .notFilled: "its password was not filled there within the last five minutes"
        case .filledByAnother: "the provider that filled its password doesn't create passkeys in the background"
        case .hasPasskey: "the account already has a passkey"
        case .takenBack: "you undid the one that was created for the account"
        case .unnamedApp: "the site doesn't list the app as its own"
        case .unreadable: "the stored accounts couldn't be read"
        case .declined: "the provider created none"
        }
    }

    /// The whole sentence for the history.
    var sentence: String { "No passkey was created in the background: \(words)." }
}
