public import Foundation

/// What the system may suggest of a one-time code: service, label and the provider's own key; never the code.
open class ASOneTimeCodeCredentialIdentity: NSObject, ASCredentialIdentity, NSCopying, NSSecureCoding {
    private let identity: (service: ASCredentialServiceIdentifier, label: String, record: String?)

    /// An identity of rank 0.
    public init(serviceIdentifier: ASCredentialServiceIdentifier, label: String, recordIdentifier: String?) {
        identity = (serviceIdentifier, label, recordIdentifier)
        super.init()
    }

    /// Where the code is asked for.
    open var serviceIdentifier: ASCredentialServiceIdentifier { identity.service }

    /// What the suggestion shows.
    open var label: String { identity.label }

    /// The same as ``label``.
    open var user: String { identity.label }

    /// The provider's own key of the record; the system hands it back unchanged.
    open var recordIdentifier: String? { identity.record }

    /// Orders identities of one service: larger first. 0 at first.
    open var rank = 0

    // MARK: Comparing, copying, coding

    /// Whether `object` stands for the same record: service, label and record identifier are equal, whatever the rank.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASOneTimeCodeCredentialIdentity else { return false }
        return other.serviceIdentifier == serviceIdentifier && other.label == label
            && other.recordIdentifier == recordIdentifier
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(serviceIdentifier)
        hasher.combine(label)
        hasher.combine(recordIdentifier)
        return hasher.finalize()
    }

    /// Another identity that reads the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASOneTimeCodeCredentialIdentity(
            serviceIdentifier: identity.service, label: identity.label, recordIdentifier: identity.record)
        copy.rank = rank
        return copy
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties.
    open func encode(with coder: NSCoder) {
        coder.encode(identity.service, forKey: "serviceIdentifier")
        coder.encode(text: identity.label, forKey: "label")
        coder.encode(text: identity.record, forKey: "recordIdentifier")
        coder.encode(rank, forKey: "rank")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard
            let service = coder.decodeObject(of: ASCredentialServiceIdentifier.self, forKey: "serviceIdentifier"),
            let label = coder.decodeText(forKey: "label")
        else { return nil }
        identity = (service, label, coder.decodeText(forKey: "recordIdentifier"))
        rank = coder.decodeInteger(forKey: "rank")
        super.init()
    }
}
