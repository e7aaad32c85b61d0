/// How the program ends, by kind of outcome.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case usage = 2
    case notFound = 3
    case cancelled = 4
    case needsPerson = 5
    case wrongPassword = 6
    case refused = 7
    case brokerUnreachable = 8
    case providerFailed = 9
    case ambiguous = 10
    case damaged = 11
    case exists = 12

    /// What it means: the line of the man page.
    package var meaning: String {
        switch self {
        case .success: "Success."
        case .failure: "Another failure, a failed check of doctor, or a provider rule that could not be checked."
        case .usage: "The command line is wrong."
        case .notFound: "Nothing matches, there is no such file, or no provider is turned on."
        case .cancelled: "You cancelled."
        case .needsPerson: "The vault is locked, or the command needs a terminal to ask you something."
        case .wrongPassword: "The master password, or the password of a file, is wrong."
        case .refused: "Keyway refused the request, or a file that is too large or of a kind that it can't read."
        case .brokerUnreachable: "Keyway isn't running or can't be reached."
        case .providerFailed: "The provider failed, took too long, or broke a rule."
        case .ambiguous: "Several accounts or items match."
        case .damaged: "The vault or a file is damaged and was left unchanged."
        case .exists: "It already exists."
        }
    }
}
