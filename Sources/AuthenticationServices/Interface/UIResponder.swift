public import Foundation

/// The small counterpart of UIKit's class: something that may have the focus. No key and no touch reaches it here; what
/// the person does arrives in ``UIViewController/interface(didReceive:)``.
@preconcurrency
@MainActor
open class UIResponder: NSObject {
    /// A responder.
    public override init() {
        super.init()
    }

    /// The responder that takes what this one leaves.
    open var next: UIResponder? { nil }

    // MARK: Focus

    /// Whether the responder takes the focus.
    open var canBecomeFirstResponder: Bool { false }

    /// Whether the responder gives the focus back.
    open var canResignFirstResponder: Bool { true }

    /// Whether the responder has the focus.
    open var isFirstResponder: Bool { hasFocus }

    private var hasFocus = false

    /// Takes the focus, where it may; returns whether it has it.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        if canBecomeFirstResponder { hasFocus = true }
        return isFirstResponder
    }

    /// Gives the focus back, where it may; returns whether it has done so.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        if canResignFirstResponder { hasFocus = false }
        return !isFirstResponder
    }

    // MARK: Keys, touches

    /// The keys that mean something to the responder; presenters here have their own.
    open var keyCommands: [UIKeyCommand]? { nil }

    /// What would take the place of a keyboard.
    open var inputView: UIView? { nil }

    /// What would stand over a keyboard.
    open var inputAccessoryView: UIView? { nil }

    /// Never called here.
    open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}

    /// Never called here.
    open func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}

    /// Never called here.
    open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}

    /// Never called here.
    open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}

    /// Never called here.
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Never called here.
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Never called here.
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Never called here.
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}
}
