public import Foundation

/// Names one passkey of a credential manager.
open class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject, ASAuthorizationPublicKeyCredentialDescriptor
{
    /// The passkey's identifier, as the relying party knows it.
    open var credentialID: Data

    /// Names the passkey with the identifier `credentialID`.
    public init(credentialID: Data) {
        self.credentialID = credentialID
        super.init()
    }

    // MARK: Comparing, copying, coding

    /// Whether `object` names the same passkey.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASAuthorizationPlatformPublicKeyCredentialDescriptor else { return false }
        return other.credentialID == credentialID
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { credentialID.hashValue }

    /// Another descriptor of the same passkey.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: credentialID)
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the identifier.
    open func encode(with coder: NSCoder) {
        coder.encode(data: credentialID, forKey: "credentialID")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let credentialID = coder.decodeData(forKey: "credentialID") else { return nil }
        self.credentialID = credentialID
        super.init()
    }
}
