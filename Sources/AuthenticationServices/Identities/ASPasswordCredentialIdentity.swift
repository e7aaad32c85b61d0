public import Foundation

/// What the system may suggest of a password: service, user name and the provider's own key.
open class ASPasswordCredentialIdentity: NSObject, ASCredentialIdentity, NSCopying, NSSecureCoding {
    private let identity: (service: ASCredentialServiceIdentifier, user: String, record: String?)

    /// An identity of rank 0.
    public init(serviceIdentifier: ASCredentialServiceIdentifier, user: String, recordIdentifier: String?) {
        identity = (serviceIdentifier, user, recordIdentifier)
        super.init()
    }

    /// Where it signs in to.
    open var serviceIdentifier: ASCredentialServiceIdentifier { identity.service }

    /// The user name, as it is shown.
    open var user: String { identity.user }

    /// The provider's own key of the record; the system hands it back unchanged.
    open var recordIdentifier: String? { identity.record }

    /// Orders identities of one service: larger first. 0 at first.
    open var rank = 0

    // MARK: Comparing, copying, coding

    /// Whether `object` stands for the same record: service, user and record identifier are equal, whatever the rank.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASPasswordCredentialIdentity else { return false }
        return other.serviceIdentifier == serviceIdentifier && other.user == user
            && other.recordIdentifier == recordIdentifier
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(serviceIdentifier)
        hasher.combine(user)
        hasher.combine(recordIdentifier)
        return hasher.finalize()
    }

    /// Another identity that reads the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASPasswordCredentialIdentity(
            serviceIdentifier: identity.service, user: identity.user, recordIdentifier: identity.record)
        copy.rank = rank
        return copy
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties.
    open func encode(with coder: NSCoder) {
        coder.encode(identity.service, forKey: "serviceIdentifier")
        coder.encode(identity.user as NSString, forKey: "user")
        coder.encode(identity.record as NSString?, forKey: "recordIdentifier")
        coder.encode(rank, forKey: "rank")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard
            let service = coder.decodeObject(of: ASCredentialServiceIdentifier.self, forKey: "serviceIdentifier"),
            let user = coder.decodeObject(of: NSString.self, forKey: "user")
        else { return nil }
        let record = coder.decodeObject(of: NSString.self, forKey: "recordIdentifier")
        identity = (service, user as String, record as String?)
        rank = coder.decodeInteger(forKey: "rank")
        super.init()
    }
}
