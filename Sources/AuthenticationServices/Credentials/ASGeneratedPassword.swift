public import Foundation
package import KeywaySystem

/// A password that a provider offers for a new account.
open class ASGeneratedPassword: NSObject, NSCopying, NSSecureCoding {
    /// How a password was made.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// Names the kind.
        public let rawValue: String

        /// The kind that `rawValue` names.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The kind that `rawValue` names.
        public init(_ rawValue: String) {
            self.init(rawValue: rawValue)
        }

        /// Of characters of all classes.
        public static let strong = Kind("STRONG")
        /// Of letters and digits.
        public static let alphanumeric = Kind("ALPHANUMERIC")
        /// Of words.
        public static let passphrase = Kind("PASSPHRASE")
    }

    private let password: (kind: Kind, secret: HeldSecret)

    /// The password `value`.
    public init(kind: ASGeneratedPassword.Kind, value: String) {
        password = (kind, .text(value))
        super.init()
    }

    /// A password in a memory file, UTF-8; it becomes text when somebody asks for ``value``.
    package init(kind: ASGeneratedPassword.Kind, sealed memory: SealedMemory) {
        password = (kind, .sealed(memory))
        super.init()
    }

    /// How it was made.
    open var kind: ASGeneratedPassword.Kind { password.kind }

    /// What to call it before the person; made from ``kind``.
    open var localizedName: String {
        switch kind {
        case .strong: "Strong Password"
        case .alphanumeric: "Without Special Characters"
        case .passphrase: "Passphrase"
        default: kind.rawValue
        }
    }

    /// The password.
    open var value: String {
        password.secret.text("password")
    }

    /// The memory file that the password lies in; nil for one that was given as text.
    package var sealed: SealedMemory? {
        password.secret.memory
    }

    // MARK: Comparing, copying, coding

    /// Whether `object` is the same password of the same kind.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ASGeneratedPassword else { return false }
        return other.kind == kind && other.value == value
    }

    /// Agrees with ``isEqual(_:)``; made of the kind alone.
    open override var hash: Int { kind.hashValue }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes kind and password, readable: what it is written to must be protected.
    open func encode(with coder: NSCoder) {
        coder.encode(text: password.kind.rawValue, forKey: "kind")
        coder.encode(text: value, forKey: "value")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let kind = coder.decodeText(forKey: "kind"), let value = coder.decodeText(forKey: "value") else {
            return nil
        }
        password = (Kind(kind), .text(value))
        super.init()
    }
}

/// Debuggers, logs and `dump` show the type and nothing else.
extension ASGeneratedPassword: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
