public import Foundation

/// A one-time code.
open class ASOneTimeCodeCredential: NSObject, ASAuthorizationCredential {
    private let storedCode: String

    /// The code as it is typed.
    public init(code: String) {
        storedCode = code
        super.init()
    }

    /// The code as it is typed.
    open var code: String { storedCode }

    // MARK: Comparing, copying, coding

    /// Whether `object` holds the same code.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? ASOneTimeCodeCredential)?.code == code
    }

    /// The same for all: a code has too few values to hide behind a hash.
    open override var hash: Int { 0 }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the code, readable: what it is written to must be protected.
    open func encode(with coder: NSCoder) {
        coder.encode(text: storedCode, forKey: "code")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let code = coder.decodeText(forKey: "code") else { return nil }
        storedCode = code
        super.init()
    }
}

/// Debuggers, logs and `dump` show the type and nothing else.
extension ASOneTimeCodeCredential: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
