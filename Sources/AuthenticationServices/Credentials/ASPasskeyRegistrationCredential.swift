package import AutoFillProtocol
public import Foundation

/// A new passkey, as the relying party learns of it.
open class ASPasskeyRegistrationCredential: NSObject, ASAuthorizationCredential {
    /// What the system gets. Outputs of extensions stand in it where a service of the box wrote them: they go on unread.
    package private(set) var wire: PasskeyRegistrationCredential
    private var statedOutput: ASPasskeyRegistrationCredentialExtensionOutput?

    /// A passkey by its parts; `attestationObject` is written as WebAuthn says.
    public init(relyingParty: String, clientDataHash: Data, credentialID: Data, attestationObject: Data) {
        wire = PasskeyRegistrationCredential(
            relyingParty: relyingParty, clientDataHash: clientDataHash, credentialID: credentialID,
            attestationObject: attestationObject, extensions: nil)
        super.init()
    }

    /// A passkey as a service wrote it.
    package init(_ wire: PasskeyRegistrationCredential) {
        self.wire = wire
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
    open var relyingParty: String { wire.relyingParty }

    /// The hash that the request gave.
    open var clientDataHash: Data { wire.clientDataHash }

    /// The passkey's identifier, as the relying party will know it.
    open var credentialID: Data { wire.credentialID }

    /// The public key and what vouches for it, as WebAuthn writes it.
    open var attestationObject: Data { wire.attestationObject }

    /// What came of the extensions.
    open var extensionOutput: ASPasskeyRegistrationCredentialExtensionOutput? {
        get { wire.extensions.map { .reading($0) } ?? statedOutput }
        set {
            wire = wire.answering(nil)
            statedOutput = newValue
        }
    }

    // MARK: Comparing, copying, coding

    /// Whether `object` is the same passkey with the same outputs.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASPasskeyRegistrationCredential else { return false }
        return other.wire.answering(nil) == wire.answering(nil) && other.extensionOutput == extensionOutput
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { wire.answering(nil).hashValue }

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
        coder.encode(propertyList: wire.answering(nil), forKey: "registration")
        coder.encode(propertyList: extensionOutput.map(RegistrationOutputForm.init), forKey: "extensionOutput")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let wire = coder.decodePropertyList(PasskeyRegistrationCredential.self, forKey: "registration") else {
            return nil
        }
        self.wire = wire
        statedOutput = coder.decodePropertyList(RegistrationOutputForm.self, forKey: "extensionOutput")?.output
        super.init()
    }
}

/// Debuggers, logs and `dump` show the type and nothing else.
extension ASPasskeyRegistrationCredential: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
