public import Foundation

/// A request for one one-time code.
open class ASOneTimeCodeCredentialRequest: NSObject, ASCredentialRequest {
    private let identity: ASOneTimeCodeCredentialIdentity

    /// Asks for the code of `credentialIdentity`.
    public init(credentialIdentity: ASOneTimeCodeCredentialIdentity) {
        identity = credentialIdentity
        super.init()
    }

    /// ``ASCredentialRequestType/oneTimeCode``.
    open var type: ASCredentialRequestType { .oneTimeCode }

    /// An ``ASOneTimeCodeCredentialIdentity``.
    open var credentialIdentity: any ASCredentialIdentity { identity }

    // MARK: Comparing, copying, coding

    /// Whether `object` asks for the same identity.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASOneTimeCodeCredentialRequest else { return false }
        return identity.isEqual(other.identity)
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { identity.hash }

    /// Another request that asks for the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        let identity = identity.copy(with: zone) as? ASOneTimeCodeCredentialIdentity ?? identity
        return ASOneTimeCodeCredentialRequest(credentialIdentity: identity)
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the identity.
    open func encode(with coder: NSCoder) {
        coder.encode(identity, forKey: "credentialIdentity")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard
            let identity = coder.decodeObject(of: ASOneTimeCodeCredentialIdentity.self, forKey: "credentialIdentity")
        else { return nil }
        self.identity = identity
        super.init()
    }
}
