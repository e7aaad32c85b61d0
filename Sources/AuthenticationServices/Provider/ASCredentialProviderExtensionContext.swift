import Foundation

/// How a provider's extension ends a request: with a credential, or with an error.
///
/// A request is ended once. A later call changes nothing; its completion handler is told that its time is over. All
/// methods may be called from any thread. Completion handlers run on the main actor with low priority, after the answer
/// went to the system; what they receive is whether the system is about to cut their time short.
// SAFETY: what is stored is Sendable and never changes after the initialiser.
open class ASCredentialProviderExtensionContext: NSExtensionContext, @unchecked Sendable {
    private(set) var answer = RequestAnswer()
    private(set) var broker = BrokerLink.process

    /// A context without a request: what it is told goes nowhere.
    public override init() {
        super.init()
    }

    /// The context of the request that `answer` ends.
    package convenience init(answer: RequestAnswer, broker: BrokerLink) {
        self.init()
        self.answer = answer
        self.broker = broker
    }

    /// Ends the request with a password; the system then fills it in.
    open func completeRequest(
        withSelectedCredential credential: ASPasswordCredential, completionHandler: ((Bool) -> Void)? = nil
    ) {
        answer.end(.init(credential), then: completionHandler)
    }

    /// Ends the configuration that ``ASCredentialProviderViewController/prepareInterfaceForExtensionConfiguration()``
    /// began.
    open func completeExtensionConfigurationRequest() {
        answer.end(.answered(.configured), then: nil)
    }

    /// Ends the request without a result. `error` should be an ``ASExtensionError``, or an `NSError` of its domain; any
    /// other counts as a failure.
    open override func cancelRequest(withError error: any Error) {
        answer.end(.init(error), then: nil)
    }
}
