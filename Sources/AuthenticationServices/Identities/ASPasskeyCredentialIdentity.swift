public import Foundation

/// What the system may suggest of a passkey: relying party, user name, and by which identifiers the relying party knows
/// passkey and user.
open class ASPasskeyCredentialIdentity: NSObject, ASCredentialIdentity, NSCopying, NSSecureCoding {
    private let identity: Identity

    private struct Identity: Hashable {
        let relyingParty: String
        let userName: String
        let credentialID: Data
        let userHandle: Data
        let record: String?
    }

    private init(_ identity: Identity, rank: Int = 0) {
        self.identity = identity
        self.rank = rank
        super.init()
    }

    /// An identity of rank 0.
    public convenience init(
        relyingPartyIdentifier: String, userName: String, credentialID: Data, userHandle: Data,
        recordIdentifier: String?
    ) {
        self.init(
            Identity(
                relyingParty: relyingPartyIdentifier, userName: userName, credentialID: credentialID,
                userHandle: userHandle, record: recordIdentifier))
    }

    /// The domain of the relying party.
    open var relyingPartyIdentifier: String { identity.relyingParty }

    /// The user name, as it is shown.
    open var userName: String { identity.userName }

    /// The passkey's identifier, as the relying party knows it.
    open var credentialID: Data { identity.credentialID }

    /// The user's identifier, as the relying party knows it.
    open var userHandle: Data { identity.userHandle }

    /// The provider's own key of the record; the system hands it back unchanged.
    open var recordIdentifier: String? { identity.record }

    /// Orders identities of one service: larger first. 0 at first.
    open var rank: Int

    /// The relying party, as a domain.
    open var serviceIdentifier: ASCredentialServiceIdentifier {
        ASCredentialServiceIdentifier(identifier: relyingPartyIdentifier, type: .domain)
    }

    /// The same as ``userName``.
    open var user: String { userName }

    // MARK: Comparing, copying, coding

    /// Whether `object` stands for the same passkey of the same record, whatever the rank.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? ASPasskeyCredentialIdentity)?.identity == identity
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { identity.hashValue }

    /// Another identity that reads the same.
    open func copy(with zone: NSZone? = nil) -> Any { ASPasskeyCredentialIdentity(identity, rank: rank) }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties.
    open func encode(with coder: NSCoder) {
        coder.encode(text: identity.relyingParty, forKey: "relyingPartyIdentifier")
        coder.encode(text: identity.userName, forKey: "userName")
        coder.encode(data: identity.credentialID, forKey: "credentialID")
        coder.encode(data: identity.userHandle, forKey: "userHandle")
        coder.encode(text: identity.record, forKey: "recordIdentifier")
        coder.encode(rank, forKey: "rank")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let relyingParty = coder.decodeText(forKey: "relyingPartyIdentifier"),
            let userName = coder.decodeText(forKey: "userName"),
            let credentialID = coder.decodeData(forKey: "credentialID"),
            let userHandle = coder.decodeData(forKey: "userHandle")
        else { return nil }
        identity = Identity(
            relyingParty: relyingParty, userName: userName, credentialID: credentialID, userHandle: userHandle,
            record: coder.decodeText(forKey: "recordIdentifier"))
        rank = coder.decodeInteger(forKey: "rank")
        super.init()
    }
}
