package import AutoFillProtocol
public import Foundation

/// What is to be signed, before a passkey was chosen from a list. Only the system makes one.
// SAFETY: every property is a constant of a Sendable type; the class is open as on Apple's systems, where it is Sendable.
open class ASPasskeyCredentialRequestParameters: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let parameters: Parameters
    /// What the broker asks, where it made the parameters: a provider in the box passes it on as it came.
    package let wire: PasskeyRequestParameters?

    struct Parameters: Hashable, Sendable {
        let relyingParty: String
        let clientDataHash: Data
        let preference: ASAuthorizationPublicKeyCredentialUserVerificationPreference
        let allowed: [Data]
        let input: ASPasskeyAssertionCredentialExtensionInput?
    }

    init(_ parameters: Parameters, wire: PasskeyRequestParameters? = nil) {
        self.parameters = parameters
        self.wire = wire
        super.init()
    }

    /// The domain of the relying party.
    open var relyingPartyIdentifier: String { parameters.relyingParty }

    /// SHA-256 of the client data: what is signed is the authenticator data followed by it.
    open var clientDataHash: Data { parameters.clientDataHash }

    /// Whether the person must be verified.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        parameters.preference
    }

    /// The identifiers of the passkeys that may be used; empty means any of the relying party.
    open var allowedCredentials: [Data] { parameters.allowed }

    /// What is wanted beyond signing.
    open var extensionInput: ASPasskeyAssertionCredentialExtensionInput? { parameters.input }

    // MARK: Comparing, copying, coding

    /// Whether `object` asks for the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? ASPasskeyCredentialRequestParameters)?.parameters == parameters
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { parameters.hashValue }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties.
    open func encode(with coder: NSCoder) {
        coder.encode(text: parameters.relyingParty, forKey: "relyingPartyIdentifier")
        coder.encode(data: parameters.clientDataHash, forKey: "clientDataHash")
        coder.encode(text: parameters.preference.rawValue, forKey: "userVerificationPreference")
        coder.encode(propertyList: parameters.allowed, forKey: "allowedCredentials")
        coder.encode(propertyList: parameters.input.map(AssertionInputForm.init), forKey: "extensionInput")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let relyingParty = coder.decodeText(forKey: "relyingPartyIdentifier"),
            let clientDataHash = coder.decodeData(forKey: "clientDataHash"),
            let preference = coder.decodeText(forKey: "userVerificationPreference"),
            let allowed = coder.decodePropertyList([Data].self, forKey: "allowedCredentials")
        else { return nil }
        parameters = Parameters(
            relyingParty: relyingParty, clientDataHash: clientDataHash, preference: .init(preference),
            allowed: allowed,
            input: coder.decodePropertyList(AssertionInputForm.self, forKey: "extensionInput")?.input)
        wire = nil
        super.init()
    }
}
