/// What a registration asks of extensions. What we do not know is ignored, as WebAuthn wants it.
package struct RegistrationInputs: Codable, Hashable, Sendable {
    /// `largeBlob`: whether a passkey without it is still wanted.
    package enum LargeBlob: String, Codable, Sendable {
        case required
        case preferred
    }

    /// Whether the properties of the new passkey are asked for. Providers are not asked: whoever has the page answers.
    package let credProps: Bool?
    /// What is asked of `largeBlob`.
    package let largeBlob: LargeBlob?
    /// What is asked of `prf`.
    package let prf: PRFRegistrationInput?

    /// Inputs by extension; none, unless said.
    package init(credProps: Bool? = nil, largeBlob: LargeBlob? = nil, prf: PRFRegistrationInput? = nil) {
        self.credProps = credProps
        self.largeBlob = largeBlob
        self.prf = prf
    }

    /// What a provider is asked: the same without `credProps`; nil where nothing is left.
    package var forProvider: RegistrationInputs? {
        largeBlob == nil && prf == nil ? nil : RegistrationInputs(largeBlob: largeBlob, prf: prf)
    }
}

/// What extensions answer to a registration; secrets are carried as `Secret`s.
package struct RegistrationOutputs<Secret> {
    /// What came of `prf`.
    package struct PRF {
        /// Whether the passkey has it.
        package let isSupported: Bool
        /// Its outputs, if they were asked for and the person was verified.
        package let values: PRFOutputs<Secret>?

        /// Whether the passkey has it, and what was asked of it.
        package init(isSupported: Bool, values: PRFOutputs<Secret>?) {
            self.isSupported = isSupported
            self.values = values
        }
    }

    /// `credProps`: whether the passkey is found without its ID; nil where that was not asked, as it is not of providers.
    package let isDiscoverable: Bool?
    /// Whether the passkey can store a blob; nil where that was not asked.
    package let isLargeBlobSupported: Bool?
    /// What came of `prf`.
    package let prf: PRF?

    /// Outputs by extension.
    package init(isDiscoverable: Bool? = nil, isLargeBlobSupported: Bool?, prf: PRF?) {
        self.isDiscoverable = isDiscoverable
        self.isLargeBlobSupported = isLargeBlobSupported
        self.prf = prf
    }

    /// What of it answers ``RegistrationInputs/forProvider``; nil where nothing does.
    package var ofProvider: RegistrationOutputs? {
        if isLargeBlobSupported == nil, case nil = prf { return nil }
        return RegistrationOutputs(isLargeBlobSupported: isLargeBlobSupported, prf: prf)
    }

    /// The same, with the secrets carried in another way.
    package func map<Other, Failure: Error>(
        _ carry: (Secret) throws(Failure) -> Other
    ) throws(Failure) -> RegistrationOutputs<Other> {
        var other: RegistrationOutputs<Other>.PRF?
        if let prf {
            var values: PRFOutputs<Other>?
            if let own = prf.values { values = try own.map(carry) }
            other = .init(isSupported: prf.isSupported, values: values)
        }
        return RegistrationOutputs<Other>(
            isDiscoverable: isDiscoverable, isLargeBlobSupported: isLargeBlobSupported, prf: other)
    }
}

extension RegistrationOutputs: Encodable where Secret: Encodable {}
extension RegistrationOutputs: Decodable where Secret: Decodable {}
extension RegistrationOutputs: Equatable where Secret: Equatable {}
extension RegistrationOutputs: Hashable where Secret: Hashable {}
extension RegistrationOutputs: Sendable where Secret: Sendable {}

extension RegistrationOutputs.PRF: Encodable where Secret: Encodable {}
extension RegistrationOutputs.PRF: Decodable where Secret: Decodable {}
extension RegistrationOutputs.PRF: Equatable where Secret: Equatable {}
extension RegistrationOutputs.PRF: Hashable where Secret: Hashable {}
extension RegistrationOutputs.PRF: Sendable where Secret: Sendable {}
