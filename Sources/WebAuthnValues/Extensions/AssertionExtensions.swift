package import FoundationEssentials

/// What signing in asks of extensions; a blob is carried as a `Secret`. What we do not know is ignored, as WebAuthn wants
/// it.
package struct AssertionInputs<Secret> {
    /// What is asked of `largeBlob` (WebAuthn Level 3, section 10.1.5).
    package enum LargeBlob {
        /// What is stored.
        case read
        /// That this is stored.
        case write(Secret)
    }

    /// What is asked of `largeBlob`.
    package let largeBlob: LargeBlob?
    /// What is asked of `prf`.
    package let prf: PRFAssertionInput?

    /// Inputs by extension; none, unless said.
    package init(largeBlob: LargeBlob? = nil, prf: PRFAssertionInput? = nil) {
        self.largeBlob = largeBlob
        self.prf = prf
    }

    /// Whether nothing is asked.
    package var isEmpty: Bool {
        if case nil = largeBlob { prf == nil } else { false }
    }

    /// The same without what is for other passkeys.
    package func narrowed(to credentialID: Data) -> Self {
        Self(
            largeBlob: largeBlob,
            prf: prf.map { prf in
                PRFAssertionInput(
                    values: prf.values, byCredential: prf.byCredential.filter { $0.credentialID == credentialID })
            })
    }

    /// The same, with the blob carried in another way.
    package func map<Other, Failure: Error>(
        _ carry: (Secret) throws(Failure) -> Other
    ) throws(Failure) -> AssertionInputs<Other> {
        switch largeBlob {
        case nil: AssertionInputs<Other>(largeBlob: nil, prf: prf)
        case .read: AssertionInputs<Other>(largeBlob: .read, prf: prf)
        case .write(let blob): AssertionInputs<Other>(largeBlob: .write(try carry(blob)), prf: prf)
        }
    }
}

/// What extensions answer to signing in; secrets are carried as `Secret`s.
package struct AssertionOutputs<Secret> {
    /// What came of `largeBlob`.
    package enum LargeBlob {
        /// What was stored, where there was something.
        case read(Secret?)
        /// Whether it was stored.
        case wrote(Bool)
    }

    /// What came of `largeBlob`.
    package let largeBlob: LargeBlob?
    /// What came of `prf`.
    package let prf: PRFOutputs<Secret>?

    /// Outputs by extension.
    package init(largeBlob: LargeBlob?, prf: PRFOutputs<Secret>?) {
        self.largeBlob = largeBlob
        self.prf = prf
    }

    /// Whether nothing is answered.
    package var isEmpty: Bool {
        if case nil = largeBlob, case nil = prf { true } else { false }
    }

    /// The same, with the secrets carried in another way.
    package func map<Other, Failure: Error>(
        _ carry: (Secret) throws(Failure) -> Other
    ) throws(Failure) -> AssertionOutputs<Other> {
        var blob: AssertionOutputs<Other>.LargeBlob?
        switch largeBlob {
        case .read(let stored?): blob = .read(try carry(stored))
        case .read(nil): blob = .read(nil)
        case .wrote(let isWritten): blob = .wrote(isWritten)
        case nil: break
        }
        var outputs: PRFOutputs<Other>?
        if let prf { outputs = try prf.map(carry) }
        return AssertionOutputs<Other>(largeBlob: blob, prf: outputs)
    }
}

extension AssertionInputs: Encodable where Secret: Encodable {}
extension AssertionInputs: Decodable where Secret: Decodable {}
extension AssertionInputs: Equatable where Secret: Equatable {}
extension AssertionInputs: Hashable where Secret: Hashable {}
extension AssertionInputs: Sendable where Secret: Sendable {}

extension AssertionInputs.LargeBlob: Encodable where Secret: Encodable {}
extension AssertionInputs.LargeBlob: Decodable where Secret: Decodable {}
extension AssertionInputs.LargeBlob: Equatable where Secret: Equatable {}
extension AssertionInputs.LargeBlob: Hashable where Secret: Hashable {}
extension AssertionInputs.LargeBlob: Sendable where Secret: Sendable {}

extension AssertionOutputs: Encodable where Secret: Encodable {}
extension AssertionOutputs: Decodable where Secret: Decodable {}
extension AssertionOutputs: Equatable where Secret: Equatable {}
extension AssertionOutputs: Hashable where Secret: Hashable {}
extension AssertionOutputs: Sendable where Secret: Sendable {}

extension AssertionOutputs.LargeBlob: Encodable where Secret: Encodable {}
extension AssertionOutputs.LargeBlob: Decodable where Secret: Decodable {}
extension AssertionOutputs.LargeBlob: Equatable where Secret: Equatable {}
extension AssertionOutputs.LargeBlob: Hashable where Secret: Hashable {}
extension AssertionOutputs.LargeBlob: Sendable where Secret: Sendable {}
