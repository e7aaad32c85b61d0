/// The small counterpart of UIKit's class: stands for the window of an application over which the system shows its own.
open class UIWindow: UIView {
    /// What the window shows.
    open var rootViewController: UIViewController?

    /// Whether it is the window that the person uses.
    open private(set) var isKeyWindow = false

    /// Itself.
    open override var window: UIWindow? { self }

    /// Makes the window the one that the person uses, as far as this program knows.
    open func makeKeyAndVisible() {
        isHidden = false
        isKeyWindow = true
    }
}

/// The name of a window in code for macOS.
public typealias NSWindow = UIWindow

/// The window over which the system asks the person.
public typealias ASPresentationAnchor = UIWindow
