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
        case .success: "It is done."
        case .failure: "Something else failed, a check of doctor did, or a rule of the kit could not be checked."
        case .usage: "The command line is wrong."
        case .notFound: "Nothing matches, or no provider is enabled."
        case .cancelled: "The person backed out."
        case .needsPerson: "The vault is locked, or a question cannot be asked here."
        case .wrongPassword: "The master password is wrong."
        case .refused: "A rule forbids it."
        case .brokerUnreachable: "The broker does not run or cannot be talked to."
        case .providerFailed: "The provider failed, took too long, or breaks a rule of the kit."
        case .ambiguous: "Several match, and it is not clear which is meant."
        case .damaged: "The vault is damaged, and was left untouched."
        case .exists: "What was to be made exists already."
        }
    }
}
