package import KeywayCrypto

/// What signing in asks of extensions. What we do not know is ignored, as WebAuthn wants it.
package struct AssertionExtensions: Sendable {
    /// What is asked of `prf`.
    package struct PseudoRandom: Hashable, Sendable {
        /// The salts for every passkey that has none of its own.
        package let general: PseudoRandomSalts?
        /// The salts by credential ID.
        package let byCredential: [[UInt8]: PseudoRandomSalts]

        /// Asks for the outputs at these salts.
        package init(_ general: PseudoRandomSalts?, byCredential: [[UInt8]: PseudoRandomSalts] = [:]) {
            self.general = general
            self.byCredential = byCredential
        }

        /// The salts for one passkey; nil where there are none.
        package func salts(for identifier: [UInt8]) -> PseudoRandomSalts? {
            byCredential[identifier] ?? general
        }
    }

    /// What is asked of `largeBlob`.
    package enum LargeBlob: Sendable, Equatable {
        /// What is stored.
        case read
        /// That this is stored.
        case write(SecretBytes)
    }

    /// The largest blob that is stored, in bytes. Relying parties can count on 1,024 after compression (CTAP 2.1,
    /// section 6.10.3).
    package static let largestBlob = 1 << 14

    /// What is asked of `prf`.
    package let pseudoRandom: PseudoRandom?
    /// What is asked of `largeBlob`.
    package let largeBlob: LargeBlob?

    /// Asks for these; for nothing, unless said.
    package init(pseudoRandom: PseudoRandom? = nil, largeBlob: LargeBlob? = nil) {
        self.pseudoRandom = pseudoRandom
        self.largeBlob = largeBlob
    }

    /// Checks what can only be said beside the allow list.
    ///
    /// - Throws: `notSupported` for salts by credential without an allow list, and for writing a blob to other than
    ///   exactly one allowed passkey; `syntax` for salts of a credential that is not allowed.
    func check(allowed: [[UInt8]]) throws(AuthenticatorError) {
        if let identifiers = pseudoRandom?.byCredential.keys, !identifiers.isEmpty {
            guard !allowed.isEmpty else {
                throw AuthenticatorError(.notSupported, "prf: evalByCredential without allowCredentials")
            }
            guard Set(identifiers).isSubset(of: allowed) else {
                throw AuthenticatorError(.syntax, "prf: evalByCredential names a credential that is not allowed")
            }
        }
        if case .write = largeBlob, allowed.count != 1 {
            throw AuthenticatorError(.notSupported, "largeBlob: write with \(allowed.count) allowed credentials")
        }
    }
}

/// What extensions answer to signing in.
package struct AssertionExtensionOutputs: Sendable, Equatable {
    /// What `prf` answers: present where it was asked; without results where there are none.
    package struct PseudoRandom: Sendable, Equatable {
        /// Its outputs.
        package let results: PseudoRandomResults?
    }

    /// What `largeBlob` answers.
    package enum LargeBlob: Sendable, Equatable {
        /// What is stored; nil when nothing is.
        case read(SecretBytes?)
        /// Whether the new blob is to be stored: the caller stores ``Assertion/newLargeBlob`` before it answers.
        case written(Bool)
    }

    /// `prf`.
    package let pseudoRandom: PseudoRandom?
    /// `largeBlob`.
    package let largeBlob: LargeBlob?
}
