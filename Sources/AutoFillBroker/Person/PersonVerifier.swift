import AutoFillProtocol
import KeywaySystem

/// What the person is verified for.
struct VerificationSubject: Sendable {
    /// Whose credential, of which account, for which service; nil where none of a provider's is concerned.
    var provider: ProviderReference?
    var service: String?
    var account: String?
    /// What for, in a sentence, where those do not say it.
    var reason: String?
    /// The methods that count; nil for all that there are.
    var methods: Set<VerificationMethod>?
}

/// Whether the person could be verified.
enum VerificationOutlook: Sendable, Equatable {
    /// There is a method that could be used now.
    case ready
    /// There are methods, or nobody knows of one whether it is there, and none can be used now; with the reasons. That is
    /// not the same as none: whoever stops a service, or takes a file away, would get past it.
    case notNow(String)
    /// There is none on this machine, or none was set up.
    case notSetUp
}

/// Checks that the person who owns the session is at the keyboard. A seam: tests have one of their own.
protocol PersonVerifier: Sendable {
    /// Every method, in the order in which they are tried, as it is now.
    func methods() async -> [VerificationMethodState]

    /// Whether one of them could be used now for what is Keyway's own and no provider's.
    func outlookForKeyway() async -> VerificationOutlook

    /// Verifies the person now, whatever was verified before.
    ///
    /// - Parameter presenter: where what is to be typed, or what the sensor is wanted for, is asked.
    /// - Returns: the method that succeeded.
    /// - Throws: ``ProtocolError``: `cancelled` when the person backed out, `locked` when the session was
    ///   locked meanwhile, `notVerified` when no method is available or
    ///   all failed; the message names each with its reason.
    func verify(
        _ subject: VerificationSubject, through presenter: any PersonPresenter
    ) async throws(ProtocolError) -> VerificationMethod
}
