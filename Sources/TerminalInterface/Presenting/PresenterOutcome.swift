package import AutoFillProtocol

/// What the person did, told to whoever shows interfaces.
package enum PresenterOutcome: Sendable {
    /// The provider is to be told.
    case event(InterfaceEvent)
    /// The whole request is to end, now.
    case abandoned
    /// The terminal failed, or went away.
    case failed(TerminalError)
}
