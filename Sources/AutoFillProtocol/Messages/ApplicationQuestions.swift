/// What the person is asked when an app asks.
extension AskPerson {
    /// An app asks for something of a site that does not name it.
    package struct UnnamedApplication: Codable, Hashable, Sendable {
        /// What the app is called.
        package let program: String
        /// The file that it runs.
        package let path: String
        /// What it wants.
        package let purpose: ApplicationPurpose
        /// The site.
        package let service: String

        /// `program`, which runs `path`, asks for something of `service`.
        package init(program: String, path: String, purpose: ApplicationPurpose, service: String) {
            self.program = program
            self.path = path
            self.purpose = purpose
            self.service = service
        }
    }

    /// What an app asks for.
    package enum ApplicationPurpose: String, Codable, CaseIterable, Sendable {
        /// An account to sign in with.
        case signIn
        /// A new passkey.
        case creation
        /// A password to keep.
        case save
        /// Something to tell the providers of an account.
        case report
    }

    /// An app asks for an account; what is chosen is what it gets.
    package struct AccountChoice: Codable, Hashable, Sendable {
        /// What the person may choose.
        package struct Choice: Codable, Hashable, Sendable {
            /// Whose; nil for a way of the app's own.
            package let provider: ProviderReference?
            /// Which account; nil for all of the provider's.
            package let account: String?
            /// The site that it is kept for, where it is known.
            package let service: String?
            /// What kind it is, where it is known.
            package let kind: CredentialKind?
            /// The app's own way to sign in, by the name that the system knows.
            package let method: String?
            /// Whether it is a passkey that the provider is to make.
            package let isNew: Bool

            /// One choice by its parts.
            package init(
                provider: ProviderReference?, account: String? = nil, service: String? = nil,
                kind: CredentialKind? = nil, method: String? = nil, isNew: Bool = false
            ) {
                self.provider = provider
                self.account = account
                self.service = service
                self.kind = kind
                self.method = method
                self.isNew = isNew
            }
        }

        /// What the app is called.
        package let program: String
        /// What it wants: ``ApplicationPurpose/signIn``, or a provider that makes or keeps something.
        package let purpose: ApplicationPurpose
        /// The site.
        package let service: String
        /// What there is to choose from.
        package let choices: [Choice]

        /// `program` asks for one of `choices`.
        package init(program: String, purpose: ApplicationPurpose, service: String, choices: [Choice]) {
            self.program = program
            self.purpose = purpose
            self.service = service
            self.choices = choices
        }
    }

    /// A new account is made for an app; the person says how it is called.
    package struct NewAccount: Codable, Hashable, Sendable {
        /// What the app is called.
        package let program: String
        /// The site.
        package let service: String

        /// A new account at `service`, for `program`.
        package init(program: String, service: String) {
            self.program = program
            self.service = service
        }
    }
}
