public import Foundation

/// A service to sign in to: a domain, the address of a page, or an application.
// SAFETY: every property is a constant of a Sendable type; the class is open as on Apple's systems, where it is Sendable.
open class ASCredentialServiceIdentifier: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// What an identifier is.
    public enum IdentifierType: Int, Sendable {
        /// A domain name (RFC 1035).
        case domain = 0
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// A URL (RFC 1738).
        case URL = 1
        /// An application's identifier.
        case app = 2
    }

    private let service: (identifier: String, type: IdentifierType, displayName: String?)
    /// Ours: what the server calls the area that it guards by HTTP itself (Basic, Digest; RFC 9110, section 11.5), as the
    /// server says it. Nil for forms. An identity with a realm is suggested for that area alone, and, where it is empty,
    /// wherever the server asks by HTTP; never in a form.
    public let keywayRealm: String?

    /// The service that `identifier` names.
    public init(identifier: String, type: IdentifierType) {
        service = (identifier, type, nil)
        keywayRealm = nil
        super.init()
    }

    /// The service that `identifier` names, and what people call it.
    public init(identifier: String, type: IdentifierType, displayName: String) {
        service = (identifier, type, displayName)
        keywayRealm = nil
        super.init()
    }

    /// Ours: the area `keywayRealm` of the server that `identifier` names.
    public init(identifier: String, type: IdentifierType, keywayRealm: String) {
        service = (identifier, type, nil)
        self.keywayRealm = keywayRealm
        super.init()
    }

    /// The name or URL itself.
    open var identifier: String { service.identifier }

    /// What ``identifier`` is.
    open var type: IdentifierType { service.type }

    /// What to show to people, never used for matching: the name that was given; else for a URL its host, and for a
    /// domain or a URL without host the identifier itself. Nil for an application whose name is not known.
    open var displayName: String? {
        if let name = service.displayName { return name }
        switch type {
        case .domain: return identifier
        case .URL: return URLComponents(string: identifier)?.host ?? identifier
        case .app: return nil
        }
    }

    // MARK: Comparing, copying, coding

    /// Whether `object` names the same service in the same way.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASCredentialServiceIdentifier else { return false }
        return other.identifier == identifier && other.type == type && other.keywayRealm == keywayRealm
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(identifier)
        hasher.combine(type)
        hasher.combine(keywayRealm)
        return hasher.finalize()
    }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties.
    open func encode(with coder: NSCoder) {
        coder.encode(service.identifier as NSString, forKey: "identifier")
        coder.encode(service.type.rawValue, forKey: "type")
        coder.encode(service.displayName as NSString?, forKey: "displayName")
        coder.encode(keywayRealm as NSString?, forKey: "keywayRealm")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier"),
            let type = IdentifierType(rawValue: coder.decodeInteger(forKey: "type"))
        else { return nil }
        let displayName = coder.decodeObject(of: NSString.self, forKey: "displayName")
        service = (identifier as String, type, displayName as String?)
        keywayRealm = coder.decodeObject(of: NSString.self, forKey: "keywayRealm") as String?
        super.init()
    }
}
