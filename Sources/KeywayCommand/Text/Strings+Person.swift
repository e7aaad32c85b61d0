import AutoFillProtocol
import AutoFillWire

/// What the system asks the person itself.
extension Strings {
    static let verification = "Confirm it’s you"
    static let confirm = "Confirm"
    static let layFinger = "Place your finger on the sensor"
    static let systemAsks = "Answer in the window that your system shows"
    static let noConsentHere = "You can only allow this in a Keyway window, where no program can answer for you."
    static let providerAsks = "The provider asks you on its own screen."

    /// What is to be typed.
    static func secretLabel(_ verification: AskPerson.Verification) -> String {
        switch verification.method {
        case .loginPassword: "Login password"
        case .masterPassword: verification.provider.map { "Master password of \($0.name)" } ?? "Master password"
        case .pin, .fingerprint, .system, .providerInterface: "Keyway PIN"
        }
    }

    /// Whose credential, and what the check is for; what a provider says stands in quotation marks behind its name.
    static func whatFor(_ verification: AskPerson.Verification) -> String? {
        let account = verification.account.map { $0.isEmpty ? noUserName : $0 }
        let subject: String? =
            switch (account, verification.service) {
            case (let account?, let service?): "\(account) at \(service)"
            case (let account?, nil): account
            case (nil, let service): service
            }
        let name = verification.provider?.name
        let first = subject.map { subject in
            name.map { "\(subject), saved in \($0)." } ?? "\(subject)."
        }
        let second = verification.reason.map { reason in name.map { "\($0) says: “\(reason)”" } ?? reason }
        let said = [first, second].compactMap { $0 }.joined(separator: " ")
        return said.isEmpty ? nil : said
    }

    static let passkeySignIn = "Sign in with a passkey"
    static let passkeyCreation = "Where do you want to save the passkey?"
    static let anotherDevice = "Another device"
    static let otherSite = "Use an account from another site?"
    static func otherSite(_ site: AskPerson.OtherSite) -> String {
        let account = site.account.isEmpty ? noUserName : site.account
        let place =
            site.accountService.isEmpty
            ? "\(site.provider.name) doesn't say which site \(account) is for."
            : "\(account) is saved for \(site.accountService) in \(site.provider.name)."
        return "\(place) If you continue, \(site.service) receives its password or code."
    }
    static func giveTo(_ service: String) -> String { "Give it to \(service)" }

    static let unnamedApplication = "Unverified program"
    static func unnamedApplication(_ app: AskPerson.UnnamedApplication) -> String {
        let wish =
            switch app.purpose {
            case .signIn: "wants to sign you in to"
            case .creation: "wants to create a passkey for"
            case .save: "wants to save a password for"
            case .report: "wants to update your account at"
            }
        return "\(app.program) (\(app.path)) \(wish) \(app.service), which doesn't list this program as its own. "
            + "Any program could ask for this."
    }
    static let allowApplication = "Allow Once"
    static func accountFor(_ program: String) -> String { "Choose an account for \(program)" }
    static func allAccounts(_ provider: String) -> String { "All accounts in \(provider)" }
    static let newPasskey = "new passkey"
    static func kind(_ kind: CredentialKind?) -> String? { kind.map { $0 == .passkey ? "passkey" : "password" } }
    static func ownWay(_ method: String?, of program: String) -> String {
        switch method {
        case "videoSubscriberAccount": "TV provider account"
        case "restorePurchase": "Restore purchases"
        default: "Other sign-in options of \(DisplayText.line(program))"
        }
    }
    static let newAccount = "New account"
    static func newAccount(_ account: AskPerson.NewAccount) -> String {
        "\(account.program) will see the name that you enter for your account at \(account.service)."
    }
    static func exchange(_ exporter: String) -> String { "Copy all accounts of \(exporter) to" }
    static func exchangeAsked(_ path: String) -> String { "asked for by \(path)" }
    static let accountName = "Email address or user name"
    static let goOn = "Continue"

    static func given(_ result: AnswerApplication.Result) -> String {
        result.service.map { "\(result.program) received what it asked for at \($0)." }
            ?? "\(result.program) gave its accounts to the provider that you chose."
    }
    static func notGiven(_ result: AnswerApplication.Result) -> String {
        result.service.map { "\(result.program) received nothing for \($0)." }
            ?? "\(result.program) gave its accounts to nobody."
    }
    static let answerCommand = "keyway answer"
    static let nobodyAsks = "No app is waiting for an answer."
    static let answerNeedsTerminal = "You can answer an app only in a terminal."
}
