package import AutoFillWire
package import FoundationEssentials
package import WebAuthnValues

/// What every assertion with a passkey carries (WebAuthn Level 3, section 6.3.3).
package struct PasskeyAssertion: Codable, Hashable, Sendable {
    /// SHA-256 of the client data; what is signed after the authenticator data.
    package let clientDataHash: Data
    /// How much the person is to be verified.
    package let userVerification: UserVerificationPreference
    /// The credential IDs that may be used; empty means any of the relying party.
    package let allowedCredentials: [Data]
    /// Inputs of extensions, where there are any.
    package let extensions: AssertionInputs<Attachment>?

    /// An assertion over `clientDataHash`.
    package init(
        clientDataHash: Data, userVerification: UserVerificationPreference, allowedCredentials: [Data] = [],
        extensions: AssertionInputs<Attachment>? = nil
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

    /// The same request, which says whether the person was verified.
    package func telling(isPersonVerified: Bool) -> Self {
        Self(relyingParty: relyingParty, assertion: assertion, isPersonVerified: isPersonVerified)
    }

    /// The same request for the passkey that was chosen.
    package func narrowed(to credentialID: Data) -> Self {
        Self(
            relyingParty: relyingParty,
            assertion: PasskeyAssertion(
                clientDataHash: assertion.clientDataHash, userVerification: assertion.userVerification,
                allowedCredentials: [credentialID], extensions: assertion.extensions?.narrowed(to: credentialID)),
            isPersonVerified: isPersonVerified)
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
    package let extensions: RegistrationInputs?
    /// Whether the system verified the person for this request before it asked; only the broker says so.
    package let isPersonVerified: Bool?

    /// A passkey for `userName` at `relyingParty`.
    package init(
        relyingParty: String, userName: String, userHandle: Data, clientDataHash: Data,
        userVerification: UserVerificationPreference, algorithms: [Int], excludedCredentials: [Data] = [],
        extensions: RegistrationInputs? = nil, isPersonVerified: Bool? = nil
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

    /// The same request, which says whether the person was verified.
    package func telling(isPersonVerified: Bool) -> Self {
        Self(
            relyingParty: relyingParty, userName: userName, userHandle: userHandle, clientDataHash: clientDataHash,
            userVerification: userVerification, algorithms: algorithms, excludedCredentials: excludedCredentials,
            extensions: extensions, isPersonVerified: isPersonVerified)
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
    package typealias Parameters = Nothing

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
}

// MARK: - Results

/// A signature with a passkey (`ASPasskeyAssertionCredential`).
package struct PasskeyAssertionCredential: Codable, Hashable, Sendable {
    package let userHandle: Data
    package let relyingParty: String
    package let signature: Data
    package let clientDataHash: Data
    package let authenticatorData: Data
    package let credentialID: Data
    package let extensions: AssertionOutputs<Attachment>?

    /// A signature by its parts.
    package init(
        userHandle: Data, relyingParty: String, signature: Data, clientDataHash: Data, authenticatorData: Data,
        credentialID: Data, extensions: AssertionOutputs<Attachment>?
    ) {
        self.userHandle = userHandle
        self.relyingParty = relyingParty
        self.signature = signature
        self.clientDataHash = clientDataHash
        self.authenticatorData = authenticatorData
        self.credentialID = credentialID
        self.extensions = extensions
    }

    /// The same signature, with these outputs of extensions.
    package func answering(_ extensions: AssertionOutputs<Attachment>?) -> Self {
        Self(
            userHandle: userHandle, relyingParty: relyingParty, signature: signature, clientDataHash: clientDataHash,
            authenticatorData: authenticatorData, credentialID: credentialID, extensions: extensions)
    }
}

/// A new passkey (`ASPasskeyRegistrationCredential`).
package struct PasskeyRegistrationCredential: Codable, Hashable, Sendable {
    package let relyingParty: String
    package let clientDataHash: Data
    package let credentialID: Data
    package let attestationObject: Data
    package let extensions: RegistrationOutputs<Attachment>?

    /// A passkey by its parts.
    package init(
        relyingParty: String, clientDataHash: Data, credentialID: Data, attestationObject: Data,
        extensions: RegistrationOutputs<Attachment>?
    ) {
        self.relyingParty = relyingParty
        self.clientDataHash = clientDataHash
        self.credentialID = credentialID
        self.attestationObject = attestationObject
        self.extensions = extensions
    }

    /// The same passkey, with these outputs of extensions.
    package func answering(_ extensions: RegistrationOutputs<Attachment>?) -> Self {
        Self(
            relyingParty: relyingParty, clientDataHash: clientDataHash, credentialID: credentialID,
            attestationObject: attestationObject, extensions: extensions)
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
}
