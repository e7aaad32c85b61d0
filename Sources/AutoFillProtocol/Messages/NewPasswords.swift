package import AutoFillWire

/// A password that a form was sent with, or is about to be (`ASSavePasswordRequest`).
package struct PasswordToSave: Codable, Hashable, Sendable {
    /// What happened (`ASSavePasswordRequest.Event`).
    package enum Event: String, Codable, Sendable {
        /// The person asked to save.
        case userInitiated
        /// The form was sent, or is gone.
        case formDidDisappear
        /// A generated password stands in a form that was not sent yet.
        case generatedPasswordFilled
    }

    /// Where the account is.
    package let service: ServiceIdentifier
    /// What people call the service, for an application.
    package let serviceName: String?
    /// The user name; may be empty.
    package let user: String
    /// The password, as a sealed memory file.
    package let password: Attachment
    /// What the credential is called, where the caller says.
    package let title: String?
    /// The same for all events about one form.
    package let session: String
    /// Why it is offered.
    package let event: Event
    /// The kind of the generated password, where it is one (`ASGeneratedPassword.Kind`).
    package let generatedKind: String?

    /// A password for `user` at `service`.
    package init(
        service: ServiceIdentifier, serviceName: String? = nil, user: String, password: Attachment,
        title: String? = nil, session: String, event: Event, generatedKind: String? = nil
    ) {
        self.service = service
        self.serviceName = serviceName
        self.user = user
        self.password = password
        self.title = title
        self.session = session
        self.event = event
        self.generatedKind = generatedKind
    }
}

/// What passwords are wanted (`ASGeneratePasswordsRequest`).
package struct PasswordsToGenerate: Codable, Hashable, Sendable {
    /// Where the account will be.
    package let service: ServiceIdentifier
    /// What people call the service, for an application.
    package let serviceName: String?
    /// The password rules of the form's field (`passwordrules`).
    package let passwordRules: String?
    /// Those of the field that repeats it.
    package let confirmationRules: String?
    /// Those that are known of the site.
    package let quirkRules: String?

    /// Passwords for `service` that keep these rules.
    package init(
        service: ServiceIdentifier, serviceName: String? = nil, passwordRules: String? = nil,
        confirmationRules: String? = nil, quirkRules: String? = nil
    ) {
        self.service = service
        self.serviceName = serviceName
        self.passwordRules = passwordRules
        self.confirmationRules = confirmationRules
        self.quirkRules = quirkRules
    }
}

/// A password that a provider proposes (`ASGeneratedPassword`).
package struct ProposedPassword: Codable, Hashable, Sendable {
    /// `STRONG`, `ALPHANUMERIC`, `PASSPHRASE` or another word of the provider.
    package let kind: String
    /// The password, as a sealed memory file.
    package let value: Attachment

    /// A proposal of `kind`.
    package init(kind: String, value: Attachment) {
        self.kind = kind
        self.value = value
    }
}

/// Offers one provider a password to keep.
package enum SavePassword: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// What is offered.
        package let password: PasswordToSave
        /// Whom; the first enabled provider that saves passwords where none is named.
        package let provider: String?
        /// Whether the caller draws interfaces (`presentation.show`).
        package let presents: Bool
        /// Whether it is from a private window: the history learns nothing of it. No, where it is missing.
        package let isPrivate: Bool?

        /// Offers `password`.
        package init(password: PasswordToSave, provider: String?, presents: Bool, isPrivate: Bool? = nil) {
            self.password = password
            self.isPrivate = isPrivate
            self.provider = provider
            self.presents = presents
        }
    }

    /// What became of it.
    package enum Outcome: String, Codable, Sendable {
        /// It is kept.
        case saved
        /// It was kept already; nobody was asked.
        case unchanged
        /// The person did not want it, now or a moment ago.
        case declined
        /// The person wants nobody asked about this site.
        case never
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Who keeps it, or would.
        package let provider: ProviderReference
        /// What became of it. Kept, where it is missing.
        package let outcome: Outcome?

        /// `provider` keeps it, if the outcome is no other.
        package init(provider: ProviderReference, outcome: Outcome? = nil) {
            self.provider = provider
            self.outcome = outcome
        }
    }

    package static let name = "credentials.savePassword"
    package static let callers: Set<Role> = [.terminal, .browser, .application]
}

/// Asks one provider for passwords to choose from. Nothing is kept by it.
package enum GeneratePasswords: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// What is wanted.
        package let request: PasswordsToGenerate
        /// Whom; the first enabled provider that generates passwords where none is named.
        package let provider: String?
        /// Whether the caller draws interfaces (`presentation.show`).
        package let presents: Bool

        /// Asks for `request`.
        package init(request: PasswordsToGenerate, provider: String?, presents: Bool) {
            self.request = request
            self.provider = provider
            self.presents = presents
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// What the provider proposes, the preferred first.
        package let passwords: [ProposedPassword]
        /// Who proposes.
        package let provider: ProviderReference

        /// The proposals of `provider`.
        package init(passwords: [ProposedPassword], provider: ProviderReference) {
            self.passwords = passwords
            self.provider = provider
        }
    }

    package static let name = "credentials.generatePasswords"
    package static let callers: Set<Role> = [.terminal, .browser]
}
