package import AutoFillProtocol
public import Foundation

/// A signature with a passkey.
open class ASPasskeyAssertionCredential: NSObject, ASAuthorizationCredential {
    /// What the system gets. Outputs of extensions stand in it where a service of the box wrote them: they go on unread.
    package private(set) var wire: PasskeyAssertionCredential
    private var statedOutput: ASPasskeyAssertionCredentialExtensionOutput?

    /// A signature by its parts: `signature` is that of the algorithm as WebAuthn writes it (for ES256 in DER), over
    /// `authenticatorData` followed by `clientDataHash`.
    public init(
        userHandle: Data, relyingParty: String, signature: Data, clientDataHash: Data, authenticatorData: Data,
        credentialID: Data
    ) {
        wire = PasskeyAssertionCredential(
            userHandle: userHandle, relyingParty: relyingParty, signature: signature, clientDataHash: clientDataHash,
            authenticatorData: authenticatorData, credentialID: credentialID, extensions: nil)
        super.init()
    }

    /// A signature as a service wrote it.
    package init(_ wire: PasskeyAssertionCredential) {
        self.wire = wire
        super.init()
    }

    /// A signature by its parts, and what came of the extensions.
    public convenience init(
        userHandle: Data, relyingParty: String, signature: Data, clientDataHash: Data, authenticatorData: Data,
        credentialID: Data, extensionOutput: ASPasskeyAssertionCredentialExtensionOutput?
    ) {
        self.init(
            userHandle: userHandle, relyingParty: relyingParty, signature: signature, clientDataHash: clientDataHash,
            authenticatorData: authenticatorData, credentialID: credentialID)
        self.extensionOutput = extensionOutput
    }

    /// The user's identifier, as the relying party knows it.
    open var userHandle: Data { wire.userHandle }

    /// The domain of the relying party.
    open var relyingParty: String { wire.relyingParty }

    /// The signature.
    open var signature: Data { wire.signature }

    /// The hash that the request asked to sign.
    open var clientDataHash: Data { wire.clientDataHash }

    /// What the authenticator says, as WebAuthn writes it.
    open var authenticatorData: Data { wire.authenticatorData }

    /// The passkey's identifier, as the relying party knows it.
    open var credentialID: Data { wire.credentialID }

    /// What came of the extensions.
    open var extensionOutput: ASPasskeyAssertionCredentialExtensionOutput? {
        get { wire.extensions.map { .reading($0) } ?? statedOutput }
        set {
            wire = wire.answering(nil)
            statedOutput = newValue
        }
    }

    // MARK: Comparing, copying, coding

    /// Whether `object` is the same signature with the same outputs.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASPasskeyAssertionCredential else { return false }
        return other.wire.answering(nil) == wire.answering(nil) && other.extensionOutput == extensionOutput
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { wire.answering(nil).hashValue }

    /// Another credential that reads the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASPasskeyAssertionCredential(
            userHandle: userHandle, relyingParty: relyingParty, signature: signature, clientDataHash: clientDataHash,
            authenticatorData: authenticatorData, credentialID: credentialID, extensionOutput: extensionOutput)
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties, keys readable: what it is written to must be protected.
    open func encode(with coder: NSCoder) {
        coder.encode(propertyList: wire.answering(nil), forKey: "assertion")
        coder.encode(propertyList: extensionOutput.map(AssertionOutputForm.init), forKey: "extensionOutput")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let wire = coder.decodePropertyList(PasskeyAssertionCredential.self, forKey: "assertion") else {
            return nil
        }
        self.wire = wire
        statedOutput = coder.decodePropertyList(AssertionOutputForm.self, forKey: "extensionOutput")?.output
        super.init()
    }
}

/// Debuggers, logs and `dump` show the type and nothing else.
extension ASPasskeyAssertionCredential: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
