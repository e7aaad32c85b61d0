public import Foundation

/// A new passkey, as the relying party learns of it.
open class ASPasskeyRegistrationCredential: NSObject, ASAuthorizationCredential {
    private let registration: Registration

    private struct Registration: Hashable, Codable {
        let relyingParty: String
        let clientDataHash: Data
        let credentialID: Data
        let attestationObject: Data
    }

    /// A passkey by its parts; `attestationObject` is written as WebAuthn says.
    public init(relyingParty: String, clientDataHash: Data, credentialID: Data, attestationObject: Data) {
        registration = Registration(
            relyingParty: relyingParty, clientDataHash: clientDataHash, credentialID: credentialID,
            attestationObject: attestationObject)
        super.init()
    }

    /// A passkey by its parts, and what came of the extensions.
    public convenience init(
        relyingParty: String, clientDataHash: Data, credentialID: Data, attestationObject: Data,
        extensionOutput: ASPasskeyRegistrationCredentialExtensionOutput?
    ) {
        self.init(
            relyingParty: relyingParty, clientDataHash: clientDataHash, credentialID: credentialID,
            attestationObject: attestationObject)
        self.extensionOutput = extensionOutput
    }

    /// The domain of the relying party.
    open var relyingParty: String { registration.relyingParty }

    /// The hash that the request gave.
    open var clientDataHash: Data { registration.clientDataHash }

    /// The passkey's identifier, as the relying party will know it.
    open var credentialID: Data { registration.credentialID }

    /// The public key and what vouches for it, as WebAuthn writes it.
    open var attestationObject: Data { registration.attestationObject }

    /// What came of the extensions.
    open var extensionOutput: ASPasskeyRegistrationCredentialExtensionOutput?

    // MARK: Comparing, copying, coding

    /// Whether `object` is the same passkey with the same outputs.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASPasskeyRegistrationCredential else { return false }
        return other.registration == registration && other.extensionOutput == extensionOutput
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { registration.hashValue }

    /// Another credential that reads the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASPasskeyRegistrationCredential(
            relyingParty: relyingParty, clientDataHash: clientDataHash, credentialID: credentialID,
            attestationObject: attestationObject, extensionOutput: extensionOutput)
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties, keys readable: what it is written to must be protected.
    open func encode(with coder: NSCoder) {
        coder.encode(propertyList: registration, forKey: "registration")
        coder.encode(propertyList: extensionOutput.map(RegistrationOutputForm.init), forKey: "extensionOutput")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let registration = coder.decodePropertyList(Registration.self, forKey: "registration") else {
            return nil
        }
        self.registration = registration
        extensionOutput = coder.decodePropertyList(RegistrationOutputForm.self, forKey: "extensionOutput")?.output
        super.init()
    }
}

/// Debuggers, logs and `dump` show the type and nothing else.
extension ASPasskeyRegistrationCredential: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
