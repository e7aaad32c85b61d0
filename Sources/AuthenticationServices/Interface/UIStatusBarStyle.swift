/// How the line above an application would look: kept, and without effect.
public enum UIStatusBarStyle: Int, Sendable {
    /// As the system likes.
    case `default` = 0
    /// Light, for dark backgrounds.
    case lightContent = 1
    /// Dark, for light backgrounds.
    case darkContent = 3
}

/// How that line would come and go: kept, and without effect.
public enum UIStatusBarAnimation: Int, Sendable {
    /// At once.
    case none = 0
    /// Fading.
    case fade = 1
    /// Sliding.
    case slide = 2
}

/// How a device may be held: kept, and without effect.
public enum UIInterfaceOrientation: Int, Sendable {
    /// Nobody knows.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// With its foot at the left.
    case landscapeLeft = 4
    /// With its foot at the right.
    case landscapeRight = 3
}

/// The ways in which a device may be held: kept, and without effect.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// The ways as a number.
    public let rawValue: UInt

    /// Ways from their number.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Upright.
    public static let portrait = Self(rawValue: 1 << 1)
    /// Upside down.
    public static let portraitUpsideDown = Self(rawValue: 1 << 2)
    /// With its foot at the right.
    public static let landscapeRight = Self(rawValue: 1 << 3)
    /// With its foot at the left.
    public static let landscapeLeft = Self(rawValue: 1 << 4)
    /// On its side.
    public static let landscape: Self = [.landscapeLeft, .landscapeRight]
    /// Any.
    public static let all: Self = [.portrait, .landscape, .portraitUpsideDown]
    /// Any but upside down.
    public static let allButUpsideDown: Self = [.portrait, .landscape]
}

/// How one controller would take the place of another: kept, and without effect.
public enum UIModalTransitionStyle: Int, Sendable {
    /// From below.
    case coverVertical = 0
    /// Turning over.
    case flipHorizontal = 1
    /// Fading.
    case crossDissolve = 2
    /// Curling.
    case partialCurl = 3
}
