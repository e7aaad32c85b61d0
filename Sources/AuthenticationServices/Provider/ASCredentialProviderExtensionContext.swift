import Foundation
package import KeywaySystem

/// How a provider's extension ends a request: with a credential, or with an error.
///
/// A request is ended once, by the call that fits it; any other success makes it fail. A later call changes nothing; its
/// completion handler is told that its time is over. All methods may be called from any thread. Completion handlers run
/// on the main actor with low priority, after the answer went to the system; what they receive, and what the
/// asynchronous forms return, is whether the system is about to cut their time short.
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

    // MARK: Credentials

    /// Ends the request with a password; the system then fills it in.
    open func completeRequest(
        withSelectedCredential credential: ASPasswordCredential, completionHandler: ((Bool) -> Void)? = nil
    ) {
        answer.end(.init(credential), then: completionHandler)
    }

    /// Ends the request with a signature of a passkey.
    open func completeAssertionRequest(
        using credential: ASPasskeyAssertionCredential, completionHandler: ((Bool) -> Void)? = nil
    ) {
        answer.end(.init(credential), then: completionHandler)
    }

    /// Ends the request with a signature of a passkey; returns when the system has it.
    @discardableResult
    nonisolated(nonsending) open func completeAssertionRequest(
        using credential: ASPasskeyAssertionCredential
    ) async -> Bool {
        await answer.endAndWait(.init(credential))
    }

    /// Ends the request with a new passkey.
    open func completeRegistrationRequest(
        using credential: ASPasskeyRegistrationCredential, completionHandler: ((Bool) -> Void)? = nil
    ) {
        answer.end(.init(credential), then: completionHandler)
    }

    /// Ends the request with a new passkey; returns when the system has it.
    @discardableResult
    nonisolated(nonsending) open func completeRegistrationRequest(
        using credential: ASPasskeyRegistrationCredential
    ) async -> Bool {
        await answer.endAndWait(.init(credential))
    }

    /// Ends the request with a one-time code; the system then fills it in.
    open func completeOneTimeCodeRequest(
        using credential: ASOneTimeCodeCredential, completionHandler: ((Bool) -> Void)? = nil
    ) {
        answer.end(.init(credential), then: completionHandler)
    }

    /// Ends the request with a one-time code; returns when the system has it.
    @discardableResult
    nonisolated(nonsending) open func completeOneTimeCodeRequest(
        using credential: ASOneTimeCodeCredential
    ) async -> Bool {
        await answer.endAndWait(.init(credential))
    }

    /// Ends the request with text for one field. Whether it got there is told to nobody.
    open func completeRequest(withTextToInsert text: String, completionHandler: ((Bool) -> Void)? = nil) {
        answer.end(.init(text: text), then: completionHandler)
    }

    /// The same, with text that a service of the provider gave sealed, and that nobody here reads.
    package func completeRequest(withSealedTextToInsert memory: SealedMemory) {
        answer.end(.init(sealedText: memory), then: nil)
    }

    /// Ends the request with text for one field; returns when the system has it.
    @discardableResult
    nonisolated(nonsending) open func completeRequest(withTextToInsert text: String) async -> Bool {
        await answer.endAndWait(.init(text: text))
    }

    // MARK: New passwords

    /// Says that the password is kept. The provider itself tells the identity store of it.
    open func completeSavePasswordRequest(completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        answer.end(.saved, then: completionHandler)
    }

    /// Says that the password is kept; returns when the system knows.
    @discardableResult
    nonisolated(nonsending) open func completeSavePasswordRequest() async -> Bool {
        await answer.endAndWait(.saved)
    }

    /// Offers passwords to choose from, the preferred first.
    open func completeGeneratePasswordRequest(
        results: [ASGeneratedPassword], completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        answer.end(.init(results), then: completionHandler)
    }

    /// Offers passwords to choose from, the preferred first; returns when the system has them.
    @discardableResult
    nonisolated(nonsending) open func completeGeneratePasswordRequest(
        results: [ASGeneratedPassword]
    ) async -> Bool {
        await answer.endAndWait(.init(results))
    }

    // MARK: Other ends

    /// Says that what makes the one-time codes is kept. The provider itself tells the identity store of it.
    open func completeCodeSetup() {
        answer.end(.saved, then: nil)
    }

    /// Ends the configuration that ``ASCredentialProviderViewController/prepareInterfaceForExtensionConfiguration()``
    /// began.
    open func completeExtensionConfigurationRequest() {
        answer.end(.configured)
    }

    /// Ends the request without a result. `error` should be an ``ASExtensionError``, or an `NSError` of its domain; any
    /// other counts as a failure.
    open override func cancelRequest(withError error: any Error) {
        answer.end(.init(error))
    }

    /// Ends the request with a failure: an item is no credential. Use the method for the kind of credential.
    open override func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
        let reason = "A request for credentials was answered with items of an extension."
        Log.line(reason)
        answer.end(.failure(reason), then: completionHandler)
    }
}
