public import Foundation
import Synchronization

/// Verifies that the person who owns the session is at the keyboard.
///
/// In the extension of a provider, while it answers a request with an interface, the system asks: by a fingerprint, the
/// PIN of Keyway, polkit, the password of the login or a master password, whatever this machine has and the person set
/// up, in a window or a terminal that the provider cannot draw. Anywhere else nobody can be asked:
/// ``canEvaluatePolicy(_:error:)`` answers false with the reason, and an evaluation fails with the same one.
// SAFETY: what can change lies behind a lock; `verification` is set by the initialisers alone.
open class LAContext: NSObject, @unchecked Sendable {
    private struct Settings {
        var isInvalid = false
        var fallbackTitle: String?
        var cancelTitle: String?
        var reason = ""
        var reuseDuration: TimeInterval = 0
        var interactionNotAllowed = false
        var running: [Int: Task<Void, any Error>] = [:]
        var nextNumber = 0
    }

    private let settings = Mutex(Settings())
    private(set) var verification: any ContextVerification = BrokerVerification()

    /// A context in which nobody has been verified.
    public override init() {
        super.init()
    }

    /// A context that asks `verification`.
    package convenience init(verification: any ContextVerification) {
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

    /// Ends whatever is asked, which fails with `appCancel`; every later evaluation fails with `invalidContext`.
    open func invalidate() {
        let running = settings.withLock { settings in
            settings.isInvalid = true
            return Array(settings.running.values)
        }
        for task in running { task.cancel() }
    }

    /// Whether the person's settings ask for a verification in the request that is being answered, and there was none
    /// yet. An addition of Keyway: a provider that would show a secret without having asked for one asks this first.
    public var isVerificationWanted: Bool {
        get async { await verification.isWanted() }
    }

    private func obstacle(to policy: LAPolicy) -> LAError.Code? {
        settings.withLock(\.isInvalid) ? .invalidContext : verification.obstacle(to: policy)
    }

    private func verify(_ policy: LAPolicy, _ reason: String) async throws(LAError) {
        if settings.withLock(\.isInvalid) { throw LAError(.invalidContext) }
        if interactionNotAllowed { throw LAError(.notInteractive) }
        let reason = reason.isEmpty ? localizedReason : reason
        let task = Task { [verification] in try await verification.verify(policy, reason: reason) }
        let number = settings.withLock { settings in
            settings.nextNumber += 1
            settings.running[settings.nextNumber] = task
            return settings.nextNumber
        }
        if settings.withLock(\.isInvalid) { task.cancel() }
        defer { settings.withLock { _ = $0.running.removeValue(forKey: number) } }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        if settings.withLock(\.isInvalid) { throw LAError(.appCancel) }
        guard case .failure(let error) = result else { return }
        throw (error as? LAError) ?? LAError(Task.isCancelled ? .systemCancel : .authenticationFailed)
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
