/// What a registration asks of extensions. What we do not know is ignored, as WebAuthn wants it.
package struct RegistrationExtensions: Hashable, Sendable {
    /// What is asked of `prf`.
    package enum PseudoRandom: Hashable, Sendable {
        /// That the passkey has it.
        case support
        /// Likewise, and its outputs.
        case evaluate(PseudoRandomSalts)
    }

    /// Whether the properties of the new passkey are asked for (`credProps`).
    package let wantsProperties: Bool
    /// What is asked of `prf`.
    package let pseudoRandom: PseudoRandom?
    /// Whether room for a blob is asked for (`largeBlob`); required or preferred, we have it.
    package let wantsLargeBlob: Bool

    /// Asks for these; for nothing, unless said.
    package init(wantsProperties: Bool = false, pseudoRandom: PseudoRandom? = nil, wantsLargeBlob: Bool = false) {
        self.wantsProperties = wantsProperties
        self.pseudoRandom = pseudoRandom
        self.wantsLargeBlob = wantsLargeBlob
    }
}

/// What extensions answer to a registration.
package struct RegistrationExtensionOutputs: Sendable, Equatable {
    /// What `prf` answers: that it is there, and its outputs, if they were asked for and the person was verified.
    package struct PseudoRandom: Sendable, Equatable {
        /// Whether the passkey has the function.
        package let isEnabled: Bool
        /// Its outputs.
        package let results: PseudoRandomResults?
    }

    /// `credProps`: whether the passkey is found without its ID, which ours always are.
    package let isDiscoverable: Bool?
    /// `prf`.
    package let pseudoRandom: PseudoRandom?
    /// `largeBlob`: whether there is room for one.
    package let supportsLargeBlob: Bool?
}
