/// What the login manager tells that concerns whoever holds something for the person.
package enum LoginEvent: Sendable, Hashable {
    /// A session of the person was locked, by hand or by the screen saver.
    case sessionLocked
    /// A session of the person was unlocked; another may still be locked.
    case sessionUnlocked
    /// The machine is about to sleep; it waits a moment for whoever has something to put away.
    case willSleep
}

/// Why the login manager cannot be heard.
package struct LoginMonitorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Sendable {
        /// There is no system bus, or it turned us away.
        case noBus
        /// The bus is there and a call on it failed.
        case callFailed
        /// A message is not made as login1 makes it.
        case malformed
    }

    /// What kind of failure this is; equality of two errors is equality of their codes.
    package let code: Code
    /// The call that failed, and the system's word for why.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Code and detail in one line.
    package var description: String { "\(code.rawValue): \(detail)" }

    package static func == (left: LoginMonitorError, right: LoginMonitorError) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
