public import Foundation

/// The small counterpart of UIKit's class: stands for the window of an application over which the system shows its own.
@MainActor
open class UIWindow: NSObject {
    /// A window.
    public override init() {
        super.init()
    }

    /// What the window shows.
    open var rootViewController: UIViewController?
}

/// The name of a window in code for macOS.
public typealias NSWindow = UIWindow

/// The window over which the system asks the person.
public typealias ASPresentationAnchor = UIWindow
