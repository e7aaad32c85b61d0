/// How a controller may ask to be presented: kept, and without effect.
public enum UIModalPresentationStyle: Int, Sendable {
    /// As the system likes.
    case automatic = -2
    /// Not at all.
    case none = -1
    /// Over everything.
    case fullScreen = 0
    /// As a page.
    case pageSheet = 1
    /// As a form.
    case formSheet = 2
    /// Over its presenter.
    case currentContext = 3
    /// In a way of its own.
    case custom = 4
    /// Over everything, which stays visible.
    case overFullScreen = 5
    /// Over its presenter, which stays visible.
    case overCurrentContext = 6
    /// Beside something.
    case popover = 7
}
