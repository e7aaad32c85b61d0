package import LoginMonitor

/// Which sessions the person has. A seam: tests say which.
package protocol LoginSessions: Sendable {
    /// All of them, as they are now; nil where nobody knows.
    func sessions() async -> [LoginSession]?
}

extension LoginMonitor: LoginSessions {}
