public import Foundation

/// Whether what is shown is dark on light, or light on dark.
public enum UIUserInterfaceStyle: Int, Sendable {
    /// As the system has it.
    case unspecified = 0
    /// Dark on light.
    case light = 1
    /// Light on dark.
    case dark = 2
}

/// How much room there is in one direction.
public enum UIUserInterfaceSizeClass: Int, Sendable {
    /// Nobody said.
    case unspecified = 0
    /// Little.
    case compact = 1
    /// Much.
    case regular = 2
}

/// The small counterpart of UIKit's class: what surrounds an interface. Here it says nothing: presenters know it, and
/// providers describe.
// SAFETY: it has no state; what its subclasses add is theirs to guard.
open class UITraitCollection: NSObject, @unchecked Sendable {
    /// Whether it is dark.
    open var userInterfaceStyle: UIUserInterfaceStyle { .unspecified }

    /// How much room there is from left to right.
    open var horizontalSizeClass: UIUserInterfaceSizeClass { .unspecified }

    /// How much room there is from top to bottom.
    open var verticalSizeClass: UIUserInterfaceSizeClass { .unspecified }

    /// False: there are no colours here.
    open func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool { false }
}
