package import FoundationEssentials

/// One or two inputs of the pseudo-random function, as a page gave them (WebAuthn Level 3, section 10.1.4).
package struct PRFValues: Codable, Hashable, Sendable {
    package let first: Data
    package let second: Data?

    /// One input, or two.
    package init(first: Data, second: Data? = nil) {
        self.first = first
        self.second = second
    }
}

/// Inputs of the pseudo-random function for one passkey.
package struct PRFCredentialValues: Codable, Hashable, Sendable {
    package let credentialID: Data
    package let values: PRFValues

    /// `values` for the passkey `credentialID`.
    package init(credentialID: Data, values: PRFValues) {
        self.credentialID = credentialID
        self.values = values
    }
}

/// What an assertion asks of `prf`.
package struct PRFAssertionInput: Codable, Hashable, Sendable {
    /// For any passkey that has none of its own below.
    package let values: PRFValues?
    /// For single passkeys.
    package let byCredential: [PRFCredentialValues]

    /// Inputs by passkey, and for all others.
    package init(values: PRFValues?, byCredential: [PRFCredentialValues] = []) {
        self.values = values
        self.byCredential = byCredential
    }

    /// The inputs for one passkey; nil where there are none.
    package func values(for credentialID: some Sequence<UInt8>) -> PRFValues? {
        let credentialID = Data(credentialID)
        return byCredential.first { $0.credentialID == credentialID }?.values ?? values
    }
}

/// What a registration asks of `prf`: only for support where there are no values.
package struct PRFRegistrationInput: Codable, Hashable, Sendable {
    package let values: PRFValues?

    /// Inputs to evaluate at creation; nil only asks for support.
    package init(values: PRFValues?) {
        self.values = values
    }
}

/// One or two outputs of the pseudo-random function: keys to whoever asked.
///
/// `Secret` is how one is carried: in secret memory, or in a file of memory beside a message.
package struct PRFOutputs<Secret> {
    package let first: Secret
    package let second: Secret?

    /// One output, or two.
    package init(first: Secret, second: Secret?) {
        self.first = first
        self.second = second
    }

    /// The same, carried in another way.
    package func map<Other, Failure: Error>(
        _ carry: (Secret) throws(Failure) -> Other
    ) throws(Failure) -> PRFOutputs<Other> {
        let first = try carry(first)
        guard let second else { return PRFOutputs<Other>(first: first, second: nil) }
        return PRFOutputs<Other>(first: first, second: try carry(second))
    }
}

extension PRFOutputs: Encodable where Secret: Encodable {}
extension PRFOutputs: Decodable where Secret: Decodable {}
extension PRFOutputs: Equatable where Secret: Equatable {}
extension PRFOutputs: Hashable where Secret: Hashable {}
extension PRFOutputs: Sendable where Secret: Sendable {}
