package import AutoFillWire

/// One line under the field: who would sign in, and an opaque handle to say so.
package struct Suggestion: Codable, Hashable, Sendable {
    /// Names this suggestion on the connection that asked, for some minutes; means nothing anywhere else.
    package let handle: String
    /// The user name, as the provider wants it shown.
    package let user: String
    /// The service that the identity was stored for.
    package let service: String
    /// Whose it is.
    package let provider: ProviderReference
    /// How well it fits.
    package let match: ServiceMatch
    /// What kind of credential it is.
    package let kind: CredentialKind
    /// What the provider calls it, which tells accounts of one name apart; nil for a browser, and where it has none.
    package let record: String?
    /// Of a code: how long each one is good for, in seconds, counted from 1970; nil where that is not known.
    package let period: Int?

    /// A suggestion by its parts.
    package init(
        handle: String, user: String, service: String, provider: ProviderReference, match: ServiceMatch,
        kind: CredentialKind, record: String? = nil, period: Int? = nil
    ) {
        self.period = period
        self.handle = handle
        self.user = user
        self.service = service
        self.provider = provider
        self.match = match
        self.kind = kind
        self.record = record
    }
}

/// An enabled provider, and what the lists hold that it can be asked for.
package struct ProviderLists: Codable, Hashable, Sendable {
    /// Whose lists.
    package let provider: ProviderReference
    /// One list for each kind: passwords, passkeys (in the same list), one-time codes.
    package let kinds: [CredentialKind]
    /// Whether the provider has named no account at all: it has none, or was not opened yet. Said where passkeys are
    /// asked for.
    package let isSilent: Bool?
    /// Whether it also has texts to choose from (`fill` with the target `text`).
    package let hasTexts: Bool?

    /// The lists of `provider`.
    package init(
        provider: ProviderReference, kinds: [CredentialKind], isSilent: Bool? = nil, hasTexts: Bool? = nil
    ) {
        self.hasTexts = hasTexts
        self.provider = provider
        self.kinds = kinds
        self.isSilent = isSilent
    }
}

/// What the enabled providers have for a page. Starts no process; answers while every vault is locked.
package enum Suggest: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The services, most specific first. A URL also stands for its host and its registrable domain.
        package let services: [ServiceIdentifier]
        /// The most suggestions wanted; 50 where it is missing, 1000 at most.
        package let limit: Int?
        /// Whether the page is in a private window: then nothing of this is remembered.
        package let isPrivate: Bool?
        /// The kinds of credential wanted; passwords where it is missing.
        package let kinds: [CredentialKind]?
        /// Which passkeys are wanted, where any are; all that the services may use, where it is missing.
        package let passkeys: PasskeyFilter?
        /// Whether passwords of other sites are wanted, too, whose accounts are known to be good at the first service (the
        /// match `shared`).
        package let includesShared: Bool?

        /// Asks for `services`.
        package init(
            services: [ServiceIdentifier], limit: Int? = nil, isPrivate: Bool? = nil, kinds: [CredentialKind]? = nil,
            passkeys: PasskeyFilter? = nil, includesShared: Bool? = nil
        ) {
            self.includesShared = includesShared
            self.passkeys = passkeys
            self.services = services
            self.limit = limit
            self.isPrivate = isPrivate
            self.kinds = kinds
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Best first: by how well they fit, then the provider's rank, then last used.
        package let suggestions: [Suggestion]
        /// How many more there are beyond the limit.
        package let more: Int
        /// The enabled providers, whether they have something or not.
        package let providers: [ProviderReference]
        /// The lists that the enabled providers have, in the person's order (`fill` with the target `list` or
        /// `oneTimeCodes`); nil from a broker that does not say.
        package let lists: [ProviderLists]?

        /// An answer by its parts.
        package init(
            suggestions: [Suggestion], more: Int, providers: [ProviderReference], lists: [ProviderLists]? = nil
        ) {
            self.suggestions = suggestions
            self.more = more
            self.providers = providers
            self.lists = lists
        }
    }

    package static let name = "suggest"
    package static let callers: Set<Role> = [.terminal, .browser]
}
