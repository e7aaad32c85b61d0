package import AutoFillProtocol

/// What follows from a key.
package enum Reaction: Sendable {
    /// Nothing.
    case none
    /// The screen has changed.
    case redraw
    /// The provider is to be told.
    case event(InterfaceEvent)
    /// The person wants the whole request to end, now.
    case abandon
    /// The person wants to go back to the shell for a while.
    case suspend

    /// Whether the provider is to search.
    var isSearch: Bool { if case .event(.searched) = self { true } else { false } }
}
