public import Foundation

/// A request for passwords that suit a form.
// SAFETY: every property is a constant of a Sendable type; the class is open as on Apple's systems, where it is Sendable.
open class ASGeneratePasswordsRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let service: ASCredentialServiceIdentifier
    private let rules: Rules

    private struct Rules: Hashable {
        let password: String?
        let confirmation: String?
        let quirks: String?
    }

    /// Asks for passwords; the rules are written in the language of the `passwordrules` attribute.
    public init(
        serviceIdentifier: ASCredentialServiceIdentifier, passwordFieldPasswordRules: String?,
        confirmPasswordFieldPasswordRules: String?, passwordRulesFromQuirks: String?
    ) {
        service = serviceIdentifier
        rules = Rules(
            password: passwordFieldPasswordRules, confirmation: confirmPasswordFieldPasswordRules,
            quirks: passwordRulesFromQuirks)
        super.init()
    }

    /// Where the account will be.
    open var serviceIdentifier: ASCredentialServiceIdentifier { service }

    /// The rules that the form states at its password field.
    open var passwordFieldPasswordRules: String? { rules.password }

    /// The rules that the form states where the password is repeated.
    open var confirmPasswordFieldPasswordRules: String? { rules.confirmation }

    /// The rules that the public list of such rules has for the site.
    open var passwordRulesFromQuirks: String? { rules.quirks }

    // MARK: Comparing, copying, coding

    /// Whether `object` asks for the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASGeneratePasswordsRequest else { return false }
        return other.service == service && other.rules == rules
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { service.hash ^ rules.hashValue }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties.
    open func encode(with coder: NSCoder) {
        coder.encode(service, forKey: "serviceIdentifier")
        coder.encode(text: rules.password, forKey: "passwordFieldPasswordRules")
        coder.encode(text: rules.confirmation, forKey: "confirmPasswordFieldPasswordRules")
        coder.encode(text: rules.quirks, forKey: "passwordRulesFromQuirks")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard
            let service = coder.decodeObject(of: ASCredentialServiceIdentifier.self, forKey: "serviceIdentifier")
        else { return nil }
        self.service = service
        rules = Rules(
            password: coder.decodeText(forKey: "passwordFieldPasswordRules"),
            confirmation: coder.decodeText(forKey: "confirmPasswordFieldPasswordRules"),
            quirks: coder.decodeText(forKey: "passwordRulesFromQuirks"))
        super.init()
    }
}
