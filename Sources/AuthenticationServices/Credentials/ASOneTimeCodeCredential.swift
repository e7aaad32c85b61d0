public import Foundation
package import KeywaySystem

/// A one-time code.
// SAFETY: every property is a constant of a Sendable type; the class is open as on Apple's systems, where it is Sendable.
open class ASOneTimeCodeCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    private let storedCode: HeldSecret
    private let end: Date?

    /// The code as it is typed.
    public init(code: String) {
        (storedCode, end) = (.text(code), nil)
        super.init()
    }

    /// The code as it is typed, and when the next one takes its place. An addition of Keyway: where the code is about to
    /// end, a browser asks for the next one before it fills, and `keyway code` says how long it is good for.
    public init(code: String, validUntil: Date?) {
        (storedCode, end) = (.text(code), validUntil)
        super.init()
    }

    /// A code in UTF-8 in a memory file; it becomes text when somebody asks for ``code``.
    package init(sealed memory: SealedMemory, validUntil: Date?) {
        (storedCode, end) = (.sealed(memory), validUntil)
        super.init()
    }

    /// The code as it is typed.
    open var code: String {
        storedCode.text("code")
    }

    /// When the next code takes its place; nil where nobody says, as for one that stays good until it is used. An addition
    /// of Keyway.
    open var validUntil: Date? { end }

    /// The memory file that the code came in; nil for one that was given as text.
    package var sealed: SealedMemory? {
        storedCode.memory
    }

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
        coder.encode(text: code, forKey: "code")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let code = coder.decodeText(forKey: "code") else { return nil }
        (storedCode, end) = (.text(code), nil)
        super.init()
    }
}

/// Debuggers, logs and `dump` show the type and nothing else.
extension ASOneTimeCodeCredential: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
