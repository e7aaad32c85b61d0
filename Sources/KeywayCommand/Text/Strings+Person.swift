import AutoFillWire
import AutoFillProtocol

/// What the system asks the person itself.
extension Strings {
    static let verification = "Confirm that it is you"
    static let confirm = "Confirm"
    static let layFinger = "Lay your finger on the sensor"
    static let systemAsks = "The system asks in a window of its own"
    static let noConsentHere = "Consent is given where no program can type: in a window of the system."
    static let providerAsks = "A provider asks for itself in its own interface."

    /// What is to be typed.
    static func secretLabel(_ verification: AskPerson.Verification) -> String {
        switch verification.method {
        case .loginPassword: "Password of your login"
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
            name.map { "\(subject), kept by \($0)." } ?? "\(subject)."
        }
        let second = verification.reason.map { reason in name.map { "\($0) says: “\(reason)”" } ?? reason }
        let said = [first, second].compactMap { $0 }.joined(separator: " ")
        return said.isEmpty ? nil : said
    }

    static let passkeySignIn = "Sign in with a passkey"
    static let passkeyCreation = "Where should the passkey be kept?"
    static let anotherDevice = "Another device"
    static let otherSite = "Another site's account"
    static func otherSite(_ site: AskPerson.OtherSite) -> String {
        let account = site.account.isEmpty ? noUserName : site.account
        let place =
            site.accountService.isEmpty
            ? "Which site \(account) is an account of, \(site.provider.name) does not say."
            : "\(account) is an account of \(site.accountService), kept by \(site.provider.name)."
        return "\(place) If you go on, \(site.service) gets its password or code."
    }
    static func giveTo(_ service: String) -> String { "Give it to \(service)" }

    static let unnamedApplication = "A program that the site does not name"
    static func unnamedApplication(_ app: AskPerson.UnnamedApplication) -> String {
        let wish =
            switch app.purpose {
            case .signIn: "wants to sign you in to"
            case .creation: "wants a passkey for"
            case .save: "wants a password kept for"
            case .report: "wants to tell of an account at"
            }
        return "\(app.program) (\(app.path)) \(wish) \(app.service), which does not say that this program is its own. "
            + "Any program could ask for it."
    }
    static let allowApplication = "Allow it this time"
    static func accountFor(_ program: String) -> String { "Sign in with \(program)" }
    static func allAccounts(_ provider: String) -> String { "All accounts of \(provider)" }
    static let newPasskey = "new passkey"
    static func kind(_ kind: CredentialKind?) -> String? { kind.map { $0 == .passkey ? "passkey" : "password" } }
    static func ownWay(_ method: String?, of program: String) -> String {
        switch method {
        case "videoSubscriberAccount": "Account at a television company"
        case "restorePurchase": "Restore what you bought"
        default: "Another way of \(DisplayText.line(program))"
        }
    }
    static let newAccount = "A new account"
    static func newAccount(_ account: AskPerson.NewAccount) -> String {
        "\(account.program) learns the name under which the account at \(account.service) is kept."
    }
    static let accountName = "Email address or user name"
    static let goOn = "Continue"

    static func given(_ result: AnswerApplication.Result) -> String {
        "\(result.program) got what it asked for at \(result.service)."
    }
    static func notGiven(_ result: AnswerApplication.Result) -> String {
        "\(result.program) got nothing of \(result.service)."
    }
    static let answerCommand = "keyway answer"
    static let nobodyAsks = "No app waits for you."
    static let answerNeedsTerminal = "What an app asks is answered in a terminal."
}
