package import AutoFillProtocol
public import Foundation

/// A request for a signature with a passkey, or for a new passkey.
open class ASPasskeyCredentialRequest: NSObject, ASCredentialRequest {
    private let identity: ASPasskeyCredentialIdentity
    private let details: Details
    /// What the broker asks, where it made the request: a provider in the box passes it on as it came.
    package internal(set) var wire: Wire?

    /// A request of the broker's.
    package enum Wire: Sendable {
        /// For a signature of the passkey that was chosen.
        case assertion(PasskeyRequestParameters)
        /// For a new passkey.
        case registration(PasskeyRegistration)
    }

    struct Details: Hashable {
        let isRegistration: Bool
        let clientDataHash: Data
        let algorithms: [ASCOSEAlgorithmIdentifier]
        let excluded: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?
        let input: ASPasskeyCredentialExtensionInput
    }

    init(
        _ identity: ASPasskeyCredentialIdentity, _ details: Details,
        _ preference: ASAuthorizationPublicKeyCredentialUserVerificationPreference
    ) {
        self.identity = identity
        self.details = details
        userVerificationPreference = preference
        super.init()
    }

    /// Asks for a signature; with algorithms, which are numbers of COSE, for a new passkey.
    @_disfavoredOverload
    public convenience init(
        credentialIdentity: ASPasskeyCredentialIdentity, clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        supportedAlgorithms: [NSNumber]
    ) {
        self.init(
            credentialIdentity: credentialIdentity, clientDataHash: clientDataHash,
            userVerificationPreference: userVerificationPreference,
            supportedAlgorithms: supportedAlgorithms.map { ASCOSEAlgorithmIdentifier($0.intValue) })
    }

    /// Asks for a signature; with algorithms, for a new passkey.
    public convenience init(
        credentialIdentity: ASPasskeyCredentialIdentity, clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        supportedAlgorithms: [ASCOSEAlgorithmIdentifier]
    ) {
        let details = Details(
            isRegistration: !supportedAlgorithms.isEmpty, clientDataHash: clientDataHash,
            algorithms: supportedAlgorithms, excluded: nil, input: .none)
        self.init(credentialIdentity, details, userVerificationPreference)
    }

    /// Asks for a signature, and for what `extensionInput` says.
    public convenience init(
        credentialIdentity: ASPasskeyCredentialIdentity, clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        supportedAlgorithms: [ASCOSEAlgorithmIdentifier], extensionInput: ASPasskeyAssertionCredentialExtensionInput?
    ) {
        let details = Details(
            isRegistration: false, clientDataHash: clientDataHash, algorithms: supportedAlgorithms, excluded: nil,
            input: extensionInput.map { .assertion($0) } ?? .none)
        self.init(credentialIdentity, details, userVerificationPreference)
    }

    /// Asks for a new passkey, and for what `extensionInput` says.
    public convenience init(
        credentialIdentity: ASPasskeyCredentialIdentity, clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        supportedAlgorithms: [ASCOSEAlgorithmIdentifier],
        extensionInput: ASPasskeyRegistrationCredentialExtensionInput?
    ) {
        let details = Details(
            isRegistration: true, clientDataHash: clientDataHash, algorithms: supportedAlgorithms, excluded: nil,
            input: extensionInput.map { .registration($0) } ?? .none)
        self.init(credentialIdentity, details, userVerificationPreference)
    }

    // MARK: What is asked

    /// ``ASCredentialRequestType/passkeyAssertion`` or ``ASCredentialRequestType/passkeyRegistration``.
    open var type: ASCredentialRequestType { details.isRegistration ? .passkeyRegistration : .passkeyAssertion }

    /// An ``ASPasskeyCredentialIdentity``: the passkey that was chosen, or relying party and user of the new one.
    open var credentialIdentity: any ASCredentialIdentity { identity }

    /// SHA-256 of the client data: what is signed is the authenticator data followed by it.
    open var clientDataHash: Data { details.clientDataHash }

    /// Whether the person must be verified.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference

    /// The algorithms that a new passkey may have, the preferred first; empty for a signature.
    open var supportedAlgorithms: [ASCOSEAlgorithmIdentifier] { details.algorithms }

    /// Where one of these exists already, no new passkey is wanted.
    open var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? { details.excluded }

    /// What is wanted beyond signing.
    open var extensionInput: ASPasskeyCredentialExtensionInput { details.input }

    // MARK: Comparing, copying, coding

    /// Whether `object` asks for the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASPasskeyCredentialRequest else { return false }
        return other.identity == identity && other.details == details
            && other.userVerificationPreference == userVerificationPreference
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { clientDataHash.hashValue }

    /// Another request that asks for the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        let identity = identity.copy(with: zone) as? ASPasskeyCredentialIdentity ?? identity
        let copy = ASPasskeyCredentialRequest(identity, details, userVerificationPreference)
        copy.wire = wire
        return copy
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties.
    open func encode(with coder: NSCoder) {
        coder.encode(identity, forKey: "credentialIdentity")
        coder.encode(text: userVerificationPreference.rawValue, forKey: "userVerificationPreference")
        coder.encode(details.isRegistration, forKey: "isRegistration")
        coder.encode(data: details.clientDataHash, forKey: "clientDataHash")
        coder.encode(propertyList: details.algorithms.map(\.rawValue), forKey: "supportedAlgorithms")
        coder.encode(propertyList: details.excluded?.map(\.credentialID), forKey: "excludedCredentials")
        coder.encode(propertyList: InputForm(details.input), forKey: "extensionInput")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard
            let identity = coder.decodeObject(of: ASPasskeyCredentialIdentity.self, forKey: "credentialIdentity"),
            let preference = coder.decodeText(forKey: "userVerificationPreference"),
            let clientDataHash = coder.decodeData(forKey: "clientDataHash"),
            let algorithms = coder.decodePropertyList([Int].self, forKey: "supportedAlgorithms")
        else { return nil }
        self.identity = identity
        userVerificationPreference = .init(preference)
        details = Details(
            isRegistration: coder.decodeBool(forKey: "isRegistration"), clientDataHash: clientDataHash,
            algorithms: algorithms.map(ASCOSEAlgorithmIdentifier.init(rawValue:)),
            excluded: coder.decodePropertyList([Data].self, forKey: "excludedCredentials")?.map(
                ASAuthorizationPlatformPublicKeyCredentialDescriptor.init),
            input: coder.decodePropertyList(InputForm.self, forKey: "extensionInput")?.input ?? .none)
        super.init()
    }
}
