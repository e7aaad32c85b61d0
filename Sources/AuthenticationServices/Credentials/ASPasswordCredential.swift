public import Foundation
package import KeywaySystem

/// A user name and a password.
// SAFETY: every property is a constant of a Sendable type; the class is open as on Apple's systems, where it is Sendable.
open class ASPasswordCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    private let credential: (user: String, secret: HeldSecret)

    /// The password of `user`.
    public init(user: String, password: String) {
        credential = (user, .text(password))
        super.init()
    }

    /// The password of `user`, UTF-8 in a memory file; it becomes text when somebody asks for ``password``.
    package init(user: String, sealed memory: SealedMemory) {
        credential = (user, .sealed(memory))
        super.init()
    }

    /// The user name.
    open var user: String { credential.user }

    /// The password.
    open var password: String {
        credential.secret.text("password")
    }

    /// The memory file that the password came in; nil for one that was given as text.
    package var sealed: SealedMemory? {
        credential.secret.memory
    }

    // MARK: Comparing, copying, coding

    /// Whether `object` holds the same user name and password.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASPasswordCredential else { return false }
        return other.user == user && other.password == password
    }

    /// Agrees with ``isEqual(_:)``; made of the user name alone.
    open override var hash: Int { user.hashValue }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes user name and password, both readable: what it is written to must be protected.
    open func encode(with coder: NSCoder) {
        coder.encode(credential.user as NSString, forKey: "user")
        coder.encode(password as NSString, forKey: "password")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let user = coder.decodeObject(of: NSString.self, forKey: "user"),
            let password = coder.decodeObject(of: NSString.self, forKey: "password")
        else { return nil }
        credential = (user as String, .text(password as String))
        super.init()
    }
}

/// Debuggers, logs and `dump` show the type and nothing else.
extension ASPasswordCredential: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
