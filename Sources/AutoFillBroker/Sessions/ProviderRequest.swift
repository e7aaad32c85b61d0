import AutoFillProtocol

/// One request to a provider: which entry points of the API it may use, and what it may return.
struct ProviderRequest: Sendable {
    /// What ends a request well.
    enum Expectation: Sendable {
        /// The credential of this identity; a passkey signs the assertion.
        case credential(CredentialIdentity, PasskeyAssertion?)
        /// Whatever the person chose from a list; a passkey only where there is something to sign.
        case choice(PasskeyRequestParameters?)
        case oneTimeCode
        case text
        case registration(PasskeyRegistration)
        case saved
        case generated
        case reported
        case configured
    }

    /// How long an extension that was just started may take until it says so: a busy machine is not its fault.
    static let startLimit = Duration.seconds(10)
    /// How long one that runs may take when nobody is asked.
    static let quietLimit = Duration.seconds(3)
    /// How long it may take in the background, when nobody waits for it.
    static let backgroundLimit = Duration.seconds(30)
    /// How long the person may take.
    static let personLimit = Duration.seconds(600)

    /// The entry without an interface, which is tried first; nil where there is none.
    let quiet: PerformRequest.Request?
    /// The entry with an interface, which follows where the first one asks for it; nil where none may.
    let interactive: PerformRequest.Request?
    /// What ends it well.
    let expectation: Expectation
    /// How long the entry without an interface may take.
    var limit = quietLimit

    /// One credential: a suggestion that was chosen.
    static func credential(of identity: CredentialIdentity, signing assertion: PasskeyAssertion? = nil) -> Self {
        let request = PerformRequest.CredentialRequest(identity: identity, assertion: assertion)
        return Self(
            quiet: .provideWithoutInteraction(request), interactive: .provideWithInteraction(request),
            expectation: .credential(identity, assertion))
    }

    /// The whole list, passkeys among it where there is something to sign.
    static func list(_ services: [ServiceIdentifier], passkeys: PasskeyRequestParameters?) -> Self {
        Self(quiet: nil, interactive: .list(services, passkeys: passkeys), expectation: .choice(passkeys))
    }

    /// The list of one-time codes.
    static func oneTimeCodes(_ services: [ServiceIdentifier]) -> Self {
        Self(quiet: nil, interactive: .oneTimeCodeList(services), expectation: .oneTimeCode)
    }

    /// Any text.
    static let text = Self(quiet: nil, interactive: .textToInsert, expectation: .text)

    /// A new passkey: asked of the person, or in the background and then of nobody.
    static func registration(_ passkey: PasskeyRegistration, isConditional: Bool) -> Self {
        Self(
            quiet: isConditional ? .registerPasskeyWithoutInteraction(passkey) : nil,
            interactive: isConditional ? nil : .registerPasskey(passkey), expectation: .registration(passkey))
    }

    /// A password to keep.
    static func saving(_ password: PasswordToSave) -> Self {
        Self(
            quiet: .savePasswordWithoutInteraction(password), interactive: .savePassword(password), expectation: .saved)
    }

    /// What makes one-time codes; where it is kept, the person says.
    static func settingUp(_ code: CodeToSetUp) -> Self {
        Self(quiet: nil, interactive: .setUpCode(code), expectation: .saved)
    }

    /// New passwords: from an interface that the person asked for, or without one. One never follows the other.
    static func generating(_ passwords: PasswordsToGenerate, withInterface: Bool) -> Self {
        Self(
            quiet: withInterface ? nil : .generatePasswordsWithoutInteraction(passwords),
            interactive: withInterface ? .generatePasswords(passwords) : nil, expectation: .generated)
    }

    /// What became of a credential.
    static func report(_ report: CredentialReport) -> Self {
        Self(quiet: .report(report), interactive: nil, expectation: .reported, limit: backgroundLimit)
    }

    /// The interface with which a provider is set up.
    static let configuration = Self(quiet: nil, interactive: .configuration, expectation: .configured)
}
