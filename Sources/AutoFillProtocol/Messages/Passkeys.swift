package import AutoFillWire
package import FoundationEssentials

/// How much a relying party wants the person verified (WebAuthn Level 3, section 5.8.6).
package enum UserVerificationPreference: String, Codable, Sendable {
    /// The person must be verified.
    case required
    /// The person is verified where that is set up.
    case preferred
    /// The person need not be verified.
    case discouraged
}

/// What every assertion with a passkey carries (WebAuthn Level 3, section 6.3.3).
package struct PasskeyAssertion: Codable, Hashable, Sendable {
    /// SHA-256 of the client data; what is signed after the authenticator data.
    package let clientDataHash: Data
    /// How much the person is to be verified.
    package let userVerification: UserVerificationPreference
    /// The credential IDs that may be used; empty means any of the relying party.
    package let allowedCredentials: [Data]
    /// Inputs of extensions, where there are any.
    package let extensions: PasskeyAssertionInput?

    /// An assertion over `clientDataHash`.
    package init(
        clientDataHash: Data, userVerification: UserVerificationPreference, allowedCredentials: [Data] = [],
        extensions: PasskeyAssertionInput? = nil
    ) {
        self.clientDataHash = clientDataHash
        self.userVerification = userVerification
        self.allowedCredentials = allowedCredentials
        self.extensions = extensions
    }
}

/// An assertion before a passkey is chosen (`ASPasskeyCredentialRequestParameters`).
package struct PasskeyRequestParameters: Codable, Hashable, Sendable {
    /// The relying party ID.
    package let relyingParty: String
    /// What is to be signed, and how.
    package let assertion: PasskeyAssertion
    /// Whether the system verified the person for this request before it asked; only the broker says so.
    package let isPersonVerified: Bool?

    /// An assertion for `relyingParty`.
    package init(relyingParty: String, assertion: PasskeyAssertion, isPersonVerified: Bool? = nil) {
        self.isPersonVerified = isPersonVerified
        self.relyingParty = relyingParty
        self.assertion = assertion
    }
}

/// A new passkey that is wanted (WebAuthn Level 3, section 6.3.2).
package struct PasskeyRegistration: Codable, Hashable, Sendable {
    /// The relying party ID.
    package let relyingParty: String
    /// The account's name, as it is shown.
    package let userName: String
    /// The user handle of the account.
    package let userHandle: Data
    /// SHA-256 of the client data.
    package let clientDataHash: Data
    /// How much the person is to be verified.
    package let userVerification: UserVerificationPreference
    /// COSE algorithm identifiers, the preferred first; at least one.
    package let algorithms: [Int]
    /// Where one of these exists already, no new one is wanted.
    package let excludedCredentials: [Data]
    /// Inputs of extensions, where there are any.
    package let extensions: PasskeyRegistrationInput?
    /// Whether the system verified the person for this request before it asked; only the broker says so.
    package let isPersonVerified: Bool?

    /// A passkey for `userName` at `relyingParty`.
    package init(
        relyingParty: String, userName: String, userHandle: Data, clientDataHash: Data,
        userVerification: UserVerificationPreference, algorithms: [Int], excludedCredentials: [Data] = [],
        extensions: PasskeyRegistrationInput? = nil, isPersonVerified: Bool? = nil
    ) {
        self.isPersonVerified = isPersonVerified
        self.relyingParty = relyingParty
        self.userName = userName
        self.userHandle = userHandle
        self.clientDataHash = clientDataHash
        self.userVerification = userVerification
        self.algorithms = algorithms
        self.excludedCredentials = excludedCredentials
        self.extensions = extensions
    }
}

/// Which passkeys a page takes.
package struct PasskeyFilter: Codable, Hashable, Sendable {
    /// The relying party ID.
    package let relyingParty: String
    /// The credential IDs that may be used; empty means any of the relying party.
    package let allowedCredentials: [Data]

    /// Those of `relyingParty` that are among `allowedCredentials`.
    package init(relyingParty: String, allowedCredentials: [Data] = []) {
        self.relyingParty = relyingParty
        self.allowedCredentials = allowedCredentials
    }

    /// Whether `identity` is such a passkey.
    package func takes(_ identity: CredentialIdentity) -> Bool {
        guard identity.kind == .passkey, identity.service.identifier == relyingParty, let passkey = identity.passkey
        else { return false }
        return allowedCredentials.isEmpty || allowedCredentials.contains(passkey.credentialID)
    }
}

/// What a page may count on.
package enum PasskeySupport: RemoteMethod {
    package struct Result: Codable, Hashable, Sendable {
        /// Whether an enabled provider keeps passkeys.
        package let isAvailable: Bool
        /// Whether the person can be verified on this machine.
        package let canVerify: Bool
        /// Whether a provider makes passkeys in the background.
        package let makesInBackground: Bool

        /// What there is.
        package init(isAvailable: Bool, canVerify: Bool, makesInBackground: Bool) {
            self.isAvailable = isAvailable
            self.canVerify = canVerify
            self.makesInBackground = makesInBackground
        }
    }

    package static let name = "passkeys.support"
    package static let callers: Set<Role> = [.terminal, .browser]
    package static let summary = "Whether there is anybody for passkeys here, and what they can do."
    package static var sample: (parameters: Nothing, result: Result) {
        (Nothing(), Result(isAvailable: true, canVerify: true, makesInBackground: false))
    }
}

// MARK: - Extensions of WebAuthn

/// Inputs of an assertion's extensions.
package struct PasskeyAssertionInput: Codable, Hashable, Sendable {
    /// `largeBlob` (section 10.1.5): read, or write what is attached.
    package enum LargeBlob: Codable, Hashable, Sendable {
        case read
        case write(Attachment)
    }

    /// `prf` (section 10.1.4).
    package struct PRF: Codable, Hashable, Sendable {
        /// For any passkey that has none of its own below.
        package let values: PRFValues?
        /// For single passkeys.
        package let byCredential: [PRFCredentialValues]

        /// Inputs by passkey, and for all others.
        package init(values: PRFValues?, byCredential: [PRFCredentialValues] = []) {
            self.values = values
            self.byCredential = byCredential
        }
    }

    package let largeBlob: LargeBlob?
    package let prf: PRF?

    /// Inputs by extension.
    package init(largeBlob: LargeBlob? = nil, prf: PRF? = nil) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}

/// Inputs of a registration's extensions.
package struct PasskeyRegistrationInput: Codable, Hashable, Sendable {
    /// `largeBlob`: whether a passkey without it is still wanted.
    package enum LargeBlob: String, Codable, Sendable {
        case required
        case preferred
    }

    /// `prf`: only asked for support where there are no values.
    package struct PRF: Codable, Hashable, Sendable {
        package let values: PRFValues?

        /// Inputs to evaluate at creation; nil only asks for support.
        package init(values: PRFValues?) {
            self.values = values
        }
    }

    package let largeBlob: LargeBlob?
    package let prf: PRF?

    /// Inputs by extension.
    package init(largeBlob: LargeBlob? = nil, prf: PRF? = nil) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}

/// One or two inputs of the pseudo-random function.
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

/// One or two outputs of the pseudo-random function: keys, so memory files.
package struct PRFOutput: Codable, Hashable, Sendable {
    package let first: Attachment
    package let second: Attachment?

    /// One output, or two.
    package init(first: Attachment, second: Attachment?) {
        self.first = first
        self.second = second
    }
}

// MARK: - Results

/// A signature with a passkey (`ASPasskeyAssertionCredential`).
package struct PasskeyAssertionCredential: Codable, Hashable, Sendable {
    /// Outputs of extensions.
    package struct Output: Codable, Hashable, Sendable {
        /// What came of `largeBlob`.
        package enum LargeBlob: Codable, Hashable, Sendable {
            /// What was stored, where there was something.
            case read(Attachment?)
            /// Whether it was stored.
            case wrote(Bool)
        }

        package let largeBlob: LargeBlob?
        package let prf: PRFOutput?

        /// Outputs by extension.
        package init(largeBlob: LargeBlob?, prf: PRFOutput?) {
            self.largeBlob = largeBlob
            self.prf = prf
        }
    }

    package let userHandle: Data
    package let relyingParty: String
    package let signature: Data
    package let clientDataHash: Data
    package let authenticatorData: Data
    package let credentialID: Data
    package let extensions: Output?

    /// A signature by its parts.
    package init(
        userHandle: Data, relyingParty: String, signature: Data, clientDataHash: Data, authenticatorData: Data,
        credentialID: Data, extensions: Output?
    ) {
        self.userHandle = userHandle
        self.relyingParty = relyingParty
        self.signature = signature
        self.clientDataHash = clientDataHash
        self.authenticatorData = authenticatorData
        self.credentialID = credentialID
        self.extensions = extensions
    }
}

/// A new passkey (`ASPasskeyRegistrationCredential`).
package struct PasskeyRegistrationCredential: Codable, Hashable, Sendable {
    /// Outputs of extensions.
    package struct Output: Codable, Hashable, Sendable {
        /// What came of `prf`.
        package struct PRF: Codable, Hashable, Sendable {
            package let isSupported: Bool
            package let values: PRFOutput?

            /// Whether the passkey has it, and what was asked of it.
            package init(isSupported: Bool, values: PRFOutput?) {
                self.isSupported = isSupported
                self.values = values
            }
        }

        /// Whether the passkey can store a blob; nil where that was not asked.
        package let isLargeBlobSupported: Bool?
        package let prf: PRF?

        /// Outputs by extension.
        package init(isLargeBlobSupported: Bool?, prf: PRF?) {
            self.isLargeBlobSupported = isLargeBlobSupported
            self.prf = prf
        }
    }

    package let relyingParty: String
    package let clientDataHash: Data
    package let credentialID: Data
    package let attestationObject: Data
    package let extensions: Output?

    /// A passkey by its parts.
    package init(
        relyingParty: String, clientDataHash: Data, credentialID: Data, attestationObject: Data, extensions: Output?
    ) {
        self.relyingParty = relyingParty
        self.clientDataHash = clientDataHash
        self.credentialID = credentialID
        self.attestationObject = attestationObject
        self.extensions = extensions
    }
}

/// Asks one provider for a new passkey.
package enum RegisterPasskey: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// What is wanted.
        package let registration: PasskeyRegistration
        /// Whose; the first enabled one that provides passkeys where none is named.
        package let provider: String?
        /// Only if it needs nobody: the automatic upgrade of a password account. No interface is shown for it.
        package let isConditional: Bool
        /// Whether the caller draws interfaces (`presentation.show`).
        package let presents: Bool
        /// Whether it is for a private window: the history learns nothing of it. No, where it is missing.
        package let isPrivate: Bool?
        /// The page that asks; from a browser always, which is asked about it: without a provider, the person chooses
        /// one in a window of the system's, or another device.
        package let services: [ServiceIdentifier]?

        /// Asks for `registration`.
        package init(
            registration: PasskeyRegistration, provider: String?, isConditional: Bool, presents: Bool,
            isPrivate: Bool? = nil, services: [ServiceIdentifier]? = nil
        ) {
            self.services = services
            self.registration = registration
            self.isPrivate = isPrivate
            self.provider = provider
            self.isConditional = isConditional
            self.presents = presents
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The new passkey.
        package let credential: PasskeyRegistrationCredential
        /// Who keeps it.
        package let provider: ProviderReference

        /// A passkey that `provider` keeps.
        package init(credential: PasskeyRegistrationCredential, provider: ProviderReference) {
            self.credential = credential
            self.provider = provider
        }
    }

    package static let name = "credentials.registerPasskey"
    package static let callers: Set<Role> = [.terminal, .browser]
    package static let summary = "A new passkey, kept by one provider; conditional ones never ask anybody."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(registration: .sample, provider: nil, isConditional: false, presents: true),
            Result(credential: .sample, provider: .sample)
        )
    }
}

extension PasskeyRegistration {
    static let sample = PasskeyRegistration(
        relyingParty: "example.com", userName: "ada", userHandle: Data([1]), clientDataHash: Data([2]),
        userVerification: .preferred, algorithms: [-7])
}

extension PasskeyRegistrationCredential {
    static let sample = PasskeyRegistrationCredential(
        relyingParty: "example.com", clientDataHash: Data([2]), credentialID: Data([3]), attestationObject: Data([4]),
        extensions: nil)
}
