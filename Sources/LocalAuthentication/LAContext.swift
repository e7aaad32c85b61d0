public import Foundation
import Synchronization

/// Verifies that the person who owns the session is at the keyboard.
///
/// This release has no such check of the system yet: ``canEvaluatePolicy(_:error:)`` answers false with the reason, and
/// an evaluation fails with the same one. A provider then verifies the person in its own interface.
// SAFETY: what can change lies behind a lock; `verification` is set by the initialisers alone.
open class LAContext: NSObject, @unchecked Sendable {
    private struct Settings {
        var isInvalid = false
        var fallbackTitle: String?
        var cancelTitle: String?
        var reason = ""
        var reuseDuration: TimeInterval = 0
        var interactionNotAllowed = false
    }

    private let settings = Mutex(Settings())
    private(set) var verification: any PersonVerification = NoPersonVerification()

    /// A context in which nobody has been verified.
    public override init() {
        super.init()
    }

    /// A context that asks `verification`.
    package convenience init(verification: any PersonVerification) {
        self.init()
        self.verification = verification
    }

    // MARK: Verifying

    /// Whether `policy` could be evaluated now; where not, the reason is left in `error`.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let obstacle = obstacle(to: policy) else { return true }
        error?.pointee = LAError(obstacle)._nsError
        return false
    }

    /// Asks the person; `reply` learns how it ended, on a thread of the system's choice.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Task {
            do throws(LAError) {
                try await verify(policy, localizedReason)
                reply(true, nil)
            } catch {
                reply(false, error)
            }
        }
    }

    /// Asks the person. True, or an ``LAError``.
    @discardableResult
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await verify(policy, localizedReason)
        return true
    }

    /// Ends whatever is asked; every later evaluation fails with `invalidContext`.
    open func invalidate() {
        settings.withLock { $0.isInvalid = true }
    }

    private func obstacle(to policy: LAPolicy) -> LAError.Code? {
        settings.withLock(\.isInvalid) ? .invalidContext : verification.obstacle(to: policy)
    }

    private func verify(_ policy: LAPolicy, _ reason: String) async throws(LAError) {
        if let obstacle = obstacle(to: policy) { throw LAError(obstacle) }
        if interactionNotAllowed { throw LAError(.notInteractive) }
        try await verification.verify(policy, reason: reason)
        if let obstacle = obstacle(to: policy) { throw LAError(obstacle) }
    }

    // MARK: Settings

    /// Which sensor there is.
    open var biometryType: LABiometryType { verification.biometryType }

    /// What stands on the button for another way; nil for the system's own words.
    open var localizedFallbackTitle: String? {
        get { settings.withLock(\.fallbackTitle) }
        set { settings.withLock { $0.fallbackTitle = newValue } }
    }

    /// What stands on the button for backing out; nil for the system's own words.
    open var localizedCancelTitle: String? {
        get { settings.withLock(\.cancelTitle) }
        set { settings.withLock { $0.cancelTitle = newValue } }
    }

    /// What the person is told where an evaluation gives no reason.
    open var localizedReason: String {
        get { settings.withLock(\.reason) }
        set { settings.withLock { $0.reason = newValue } }
    }

    /// For how many seconds after the session was unlocked by a sensor that counts as a verification.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { settings.withLock(\.reuseDuration) }
        set { settings.withLock { $0.reuseDuration = newValue } }
    }

    /// Whether an evaluation fails with `notInteractive` rather than asking the person.
    open var interactionNotAllowed: Bool {
        get { settings.withLock(\.interactionNotAllowed) }
        set { settings.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// What changes when a finger or face is added or taken away: nil where there is no sensor.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// False: this system takes no credential of a program's own.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool { false }

    /// False: this system takes no credential of a program's own.
    open func isCredentialSet(_ type: LACredentialType) -> Bool { false }
}
