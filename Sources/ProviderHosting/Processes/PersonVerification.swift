package import AutoFillProtocol
package import KeywaySystem

/// Whether, and how, the person is verified in one request, as far as the provider that works on it has part in it.
package protocol PersonVerification: Sendable {
    /// The provider's own interface verified the person: it asked for a secret, and was given one.
    func noteProviderInterface()

    /// Answers `LAContext` of the provider whose extension works on the request.
    ///
    /// - Throws: ``ProtocolError``: `notVerified`, or `cancelled`.
    func answer(_ parameters: VerifyPerson.Parameters) async throws(ProtocolError) -> VerifyPerson.Result
}
