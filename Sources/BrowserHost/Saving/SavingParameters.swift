import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem

/// What a form was sent with: `params` of `passwords.submit` and `passwords.keep`.
struct SubmittedForm: Decodable, Hashable, Sendable {
    /// The page that the form stood in.
    let page: Page
    /// Names this form for the messages that follow; made by the background.
    let session: String
    /// The user name; may be empty.
    let user: String
    /// The password, sealed right where it is read.
    let password: Attachment
    /// Whether it was generated here.
    let isGenerated: Bool

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(
            Page.members.union(["session", "user", "password", "isGenerated"]))
        page = try Page(members: members)
        session = try members.text("session", within: SavingBounds.session)
        user = try members.text("user", within: 0...SavingBounds.user)
        isGenerated = try members.decode(Bool.self, forKey: "isGenerated")
        let text = SecretBytes(copyingUTF8Of: try members.text("password", within: 1...SavingBounds.password))
        password = Attachment(
            try text.withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) })
    }

    /// What the broker is offered.
    func offered(_ event: PasswordToSave.Event) -> SavePassword.Parameters {
        let service = page.services[0]
        return .init(
            password: PasswordToSave(
                service: service, user: user, password: password, session: session, event: event,
                generatedKind: isGenerated ? "STRONG" : nil),
            provider: nil, presents: false, isPrivate: page.isPrivate)
    }
}

/// `params` of `passwords.settle`.
struct SettleParameters: Decodable, Hashable, Sendable {
    /// Which form.
    let session: String
    /// Whether it worked: then the person is asked, else the password is forgotten.
    let worked: Bool

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["session", "worked"])
        session = try members.text("session", within: SavingBounds.session)
        worked = try members.decode(Bool.self, forKey: "worked")
    }
}

/// `params` of `passwords.generate`.
struct GenerateParameters: Decodable, Hashable, Sendable {
    /// The page that the form stands in.
    let page: Page
    /// What its fields state, each in the language of `passwordrules`.
    let rules: String?
    let confirmationRules: String?

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(
            Page.members.union(["rules", "confirmation", "minLength", "maxLength"]))
        page = try Page(members: members)
        let limits = try [("minLength", "minlength"), ("maxLength", "maxlength")].compactMap { member, rule in
            try members.decodeIfPresent(Int.self, forKey: MemberName(stringValue: member)).map { number in
                guard (0...SavingBounds.length).contains(number) else {
                    throw HostFailure.parameters("A length is out of bounds.")
                }
                return "\(rule): \(number); "
            }
        }.joined()
        // First, so that no bracket that the page leaves open swallows them.
        let stated = try members.contains("rules") ? members.text("rules", within: 0...SavingBounds.rules) : ""
        let all = limits + stated
        rules = all.isEmpty ? nil : all
        confirmationRules =
            try members.contains("confirmation") ? members.text("confirmation", within: 0...SavingBounds.rules) : nil
    }

    /// What the broker is asked for.
    var wanted: GeneratePasswords.Parameters {
        let request = PasswordsToGenerate(
            service: page.services[0], passwordRules: rules, confirmationRules: confirmationRules)
        return .init(request: request, provider: nil, presents: false)
    }
}

/// `params` of `passwords.askAgain`.
struct AskAgainParameters: Decodable, Hashable, Sendable {
    /// Which site.
    let site: String

    init(from decoder: any Decoder) throws {
        site = try decoder.members(["site"]).text("site", within: 1...SavingBounds.site)
    }
}

/// Bounds of what the extension sends, in bytes.
private enum SavingBounds {
    static let session = 16...64
    static let user = 1000
    static let password = 16 << 10
    static let rules = 4000
    static let site = 256
    /// Of a password that a form may ask for, in characters.
    static let length = 100_000
}
