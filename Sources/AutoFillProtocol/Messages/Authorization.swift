package import AutoFillWire
package import FoundationEssentials
package import WebAuthnValues

/// What an app asks for (`ASAuthorizationController`): one credential, by whichever of its requests the person takes up.
///
/// The app names a challenge and no more: what is signed is written by the broker, which knows who asks.
package enum AuthorizeApplication: RemoteMethod {
    /// One request.
    package enum Wanted: Codable, Hashable, Sendable {
        /// A password that is kept for one of the app's domains.
        case password
        /// A sign-in with a passkey.
        case assertion(ApplicationAssertion)
        /// A new passkey.
        case registration(ApplicationRegistration)
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// The requests, in the app's order; 1 to 16.
        package let requests: [Wanted]
        /// The domains that the app says it belongs to; it counts if they say so too.
        package let domains: [String]
        /// Whether it all ends where nothing is suggested, and nobody is asked.
        package let onlyImmediate: Bool
        /// The app's own ways to sign in, by the names that the system knows.
        package let methods: [String]

        /// Asks for one of `requests`.
        package init(
            requests: [Wanted], domains: [String] = [], onlyImmediate: Bool = false, methods: [String] = []
        ) {
            self.requests = requests
            self.domains = domains
            self.onlyImmediate = onlyImmediate
            self.methods = methods
        }
    }

    /// What the person took up.
    package enum Credential: Codable, Hashable, Sendable {
        case password(user: String, password: Attachment)
        /// A signature, and what it is over.
        case assertion(PasskeyAssertionCredential, clientData: Data)
        /// A passkey, and what it was made for.
        case registration(PasskeyRegistrationCredential, clientData: Data)
        /// One of the app's own ways.
        case method(String)
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Which of the requests it answers, counted from 0; nil for a way of the app's own.
        package let request: Int?
        /// What there is.
        package let credential: Credential
        /// How the person wants a new account called; nil for every other.
        package let userName: String?

        /// `credential`, which answers `request`.
        package init(request: Int?, credential: Credential, userName: String? = nil) {
            self.request = request
            self.credential = credential
            self.userName = userName
        }
    }

    package static let name = "application.authorize"
    package static let callers: Set<Role> = [.application]
}

/// A sign-in with a passkey, as an app asks for it.
package struct ApplicationAssertion: Codable, Hashable, Sendable {
    /// The relying party ID.
    package let relyingParty: String
    /// What the server wants signed.
    package let challenge: Data
    /// How much the person is to be verified.
    package let userVerification: UserVerificationPreference
    /// The credential IDs that may be used; empty means any.
    package let allowedCredentials: [Data]
    /// Inputs of extensions.
    package let extensions: AssertionInputs<Attachment>?

    /// A sign-in at `relyingParty`.
    package init(
        relyingParty: String, challenge: Data, userVerification: UserVerificationPreference,
        allowedCredentials: [Data] = [], extensions: AssertionInputs<Attachment>? = nil
    ) {
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.userVerification = userVerification
        self.allowedCredentials = allowedCredentials
        self.extensions = extensions
    }
}

/// A new passkey, as an app asks for it.
package struct ApplicationRegistration: Codable, Hashable, Sendable {
    /// The relying party ID.
    package let relyingParty: String
    /// The account's name; nil for a new account, whose name the person gives.
    package let userName: String?
    /// The user handle of the account.
    package let userHandle: Data
    /// What the server wants signed.
    package let challenge: Data
    /// How much the person is to be verified.
    package let userVerification: UserVerificationPreference
    /// Where one of these exists already, no new one is wanted.
    package let excludedCredentials: [Data]
    /// Inputs of extensions.
    package let extensions: RegistrationInputs?
    /// Only if it needs nobody: the upgrade of an account that was just signed in to by its password.
    package let isConditional: Bool

    /// A passkey at `relyingParty`.
    package init(
        relyingParty: String, userName: String?, userHandle: Data, challenge: Data,
        userVerification: UserVerificationPreference, excludedCredentials: [Data] = [],
        extensions: RegistrationInputs? = nil, isConditional: Bool = false
    ) {
        self.relyingParty = relyingParty
        self.userName = userName
        self.userHandle = userHandle
        self.challenge = challenge
        self.userVerification = userVerification
        self.excludedCredentials = excludedCredentials
        self.extensions = extensions
        self.isConditional = isConditional
    }
}

/// Tells an app that nothing can be shown where it runs; the request goes on when the person did what it says.
package enum AuthorizationWaiting: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The id of the request that waits.
        package let request: Int
        /// What to type in a terminal.
        package let command: String

        /// A notice for `request`.
        package init(request: Int, command: String) {
            self.request = request
            self.command = command
        }
    }

    package static let name = "application.waiting"
    package static let callers: Set<Role> = [.broker]
}

/// Puts what an app waits for to the person in the terminal that calls.
package enum AnswerApplication: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Whether the caller draws interfaces (`presentation.show`).
        package let presents: Bool

        /// Answers here.
        package init(presents: Bool) {
            self.presents = presents
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The program that asked.
        package let program: String
        /// The file that it runs.
        package let path: String
        /// For which site; nil where it wanted to give its accounts away.
        package let service: String?
        /// Whether it got what it asked for.
        package let isGiven: Bool

        /// What became of the request of `program`.
        package init(program: String, path: String, service: String?, isGiven: Bool) {
            self.program = program
            self.path = path
            self.service = service
            self.isGiven = isGiven
        }
    }

    package static let name = "application.answer"
    package static let callers: Set<Role> = [.terminal]
}
