public import Foundation

/// Performs the requests of an application and tells its delegate what came of them.
///
/// One credential ends a run: that of the request which the person took up. The controller stays until the delegate has
/// been told.
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
    }

    private let lock = NSLock()
    private let requests: [ASAuthorizationRequest]
    private var state = State()
    /// What is under way.
    let runs: ControllerRuns

    /// A controller for `authorizationRequests`; at least one is needed.
    public init(authorizationRequests: [ASAuthorizationRequest]) {
        requests = authorizationRequests
        runs = ControllerRuns(broker: .process)
        super.init()
    }

    /// A controller that reaches the broker over `broker`.
    package init(_ requests: [ASAuthorizationRequest], over broker: BrokerLink) {
        self.requests = requests
        runs = ControllerRuns(broker: broker)
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
        begin(options: options, atFields: false)
    }

    /// Performs the requests when the person chooses one of the suggestions at a field: shows nothing by itself. They
    /// appear when a ``UITextField`` for a user name or a password gets the focus.
    open func performAutoFillAssistedRequests() {
        begin(options: [], atFields: true)
    }

    /// Ends the requests that are under way; the delegate is told `ASAuthorizationError.canceled`.
    open func cancel() {
        endAll()
    }
}
