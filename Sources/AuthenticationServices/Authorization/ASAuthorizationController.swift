public import Foundation

/// Performs the requests of an application and tells its delegate what came of them.
///
/// Nothing serves applications yet: the delegate is told `ASAuthorizationError.notHandled`.
// SAFETY: everything that changes is behind the lock.
open class ASAuthorizationController: NSObject, @unchecked Sendable {
    /// How requests are performed.
    public struct RequestOptions: OptionSet, Sendable {
        /// The options as a number.
        public let rawValue: UInt

        /// Options from their number.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Only credentials that are on this system; without any, the requests fail and nobody is asked.
        public static var preferImmediatelyAvailableCredentials: RequestOptions { RequestOptions(rawValue: 1) }
    }

    private struct State {
        weak var delegate: (any ASAuthorizationControllerDelegate)?
        weak var context: (any ASAuthorizationControllerPresentationContextProviding)?
        var customMethods: [ASAuthorizationCustomMethod] = []
        /// The runs whose end the delegate has not been told, each with how it ends.
        var ends: [Int: ASAuthorizationError] = [:]
        var runs = 0
    }

    private let lock = NSLock()
    private let requests: [ASAuthorizationRequest]
    private var state = State()

    /// A controller for `authorizationRequests`; at least one is needed.
    public init(authorizationRequests: [ASAuthorizationRequest]) {
        requests = authorizationRequests
        super.init()
    }

    /// What is asked for.
    open var authorizationRequests: [ASAuthorizationRequest] { requests }

    /// Who is told what came of the requests.
    weak open var delegate: (any ASAuthorizationControllerDelegate)? {
        get { lock.withLock { state.delegate } }
        set { lock.withLock { state.delegate = newValue } }
    }

    /// Who says over which window the person may be asked.
    weak open var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)? {
        get { lock.withLock { state.context } }
        set { lock.withLock { state.context = newValue } }
    }

    /// Ways to sign in that the application brings itself.
    open var customAuthorizationMethods: [ASAuthorizationCustomMethod] {
        get { lock.withLock { state.customMethods } }
        set { lock.withLock { state.customMethods = newValue } }
    }

    /// Performs the requests; the delegate is told later, on the main actor.
    open func performRequests() {
        performRequests(options: [])
    }

    /// Performs the requests as `options` say; the delegate is told later, on the main actor.
    open func performRequests(options: ASAuthorizationController.RequestOptions = []) {
        begin()
    }

    /// Performs the requests when the person chooses one of the suggestions at a field.
    open func performAutoFillAssistedRequests() {
        begin()
    }

    /// Ends the requests that are under way; the delegate is told `ASAuthorizationError.canceled`.
    open func cancel() {
        lock.withLock { state.ends = state.ends.mapValues { _ in ASAuthorizationError(.canceled) } }
    }

    // MARK: One run

    /// Begins a run; the controller stays until the delegate has been told its end.
    private func begin() {
        let run = lock.withLock {
            state.runs += 1
            state.ends[state.runs] = .notServed(.notHandled, "Nothing performs the requests of applications yet.")
            return state.runs
        }
        Task { @MainActor in tellEnd(of: run) }
    }

    @MainActor
    private func tellEnd(of run: Int) {
        guard let error = lock.withLock({ state.ends.removeValue(forKey: run) }) else { return }
        delegate?.authorizationController(controller: self, didCompleteWithError: error)
    }
}
