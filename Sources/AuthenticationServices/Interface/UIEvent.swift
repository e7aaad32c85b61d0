public import Foundation

/// The small counterpart of UIKit's class: something that a person did. None is ever made here.
@preconcurrency
@MainActor
open class UIEvent: NSObject {
    /// When it was, in seconds since the system started.
    open var timestamp: TimeInterval { 0 }
}

/// The small counterpart of UIKit's class: buttons and keys that were pressed. None is ever made here.
open class UIPressesEvent: UIEvent {
    /// All of them.
    open var allPresses: Set<UIPress> { [] }
}

/// The small counterpart of UIKit's class: one button or key that was pressed. None is ever made here.
@preconcurrency
@MainActor
open class UIPress: NSObject {
    /// The key, where it is one.
    open var key: UIKey? { nil }
}

/// The small counterpart of UIKit's class: one finger. None is ever made here.
@preconcurrency
@MainActor
open class UITouch: NSObject {
    /// What was touched.
    open var view: UIView? { nil }
}

/// The small counterpart of UIKit's class: one key. None is ever made here.
@preconcurrency
@MainActor
open class UIKey: NSObject {
    /// What the key types.
    open var characters: String { "" }

    /// What the key types by itself.
    open var charactersIgnoringModifiers: String { "" }

    /// The keys that were held with it.
    open var modifierFlags: UIKeyModifierFlags { [] }
}

/// Keys that are held while another is pressed.
public struct UIKeyModifierFlags: OptionSet, Hashable, Sendable {
    /// The keys as a number.
    public let rawValue: Int

    /// Keys from their number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Caps lock.
    public static let alphaShift = Self(rawValue: 1 << 16)
    /// Shift.
    public static let shift = Self(rawValue: 1 << 17)
    /// Control.
    public static let control = Self(rawValue: 1 << 18)
    /// Option.
    public static let alternate = Self(rawValue: 1 << 19)
    /// Command.
    public static let command = Self(rawValue: 1 << 20)
    /// A key of the numeric pad.
    public static let numericPad = Self(rawValue: 1 << 21)
}

/// The small counterpart of UIKit's class: a key with a meaning. It is kept, and presenters here have keys of their own.
/// What it would call is a selector there; without Objective-C there are none, so a command names itself.
@preconcurrency
@MainActor
open class UIKeyCommand: NSObject {
    /// The key.
    public let input: String?

    /// The keys to be held with it.
    public let modifierFlags: UIKeyModifierFlags

    /// What it is for.
    open var title: String

    /// A key that means `title`.
    public init(title: String = "", input: String, modifierFlags: UIKeyModifierFlags = []) {
        self.title = title
        self.input = input
        self.modifierFlags = modifierFlags
        super.init()
    }

    /// The key in the upper left corner.
    public static nonisolated let inputEscape = "UIKeyInputEscape"
    /// The arrow up.
    public static nonisolated let inputUpArrow = "UIKeyInputUpArrow"
    /// The arrow down.
    public static nonisolated let inputDownArrow = "UIKeyInputDownArrow"
}
