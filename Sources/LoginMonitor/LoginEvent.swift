/// What the login manager tells that concerns whoever holds something for the person.
package enum LoginEvent: Sendable, Hashable {
    /// A session of the person was locked, by hand or by the screen saver.
    case sessionLocked
    /// A session of the person was unlocked; another may still be locked.
    case sessionUnlocked
    /// The machine is about to sleep; it waits a moment for whoever has something to put away.
    case willSleep
}
