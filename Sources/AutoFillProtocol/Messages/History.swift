package import AutoFillWire

/// One thing that happened: who asked, which account, when, verified how. Never a secret.
package struct HistoryEntry: Codable, Hashable, Sendable {
    /// What happened.
    package enum Event: String, Codable, CaseIterable, Sendable {
        /// A credential was given.
        case fill
        /// A passkey was made.
        case registration
        /// A password was saved.
        case save
        /// Nothing was given; ``HistoryEntry/detail`` says why.
        case refusal
        /// A program was approved, a provider turned on, or such an approval taken back.
        case approval
        /// A setting of the broker was changed.
        case change
        /// Names of accounts were shown in a terminal, and no secret.
        case list
        /// The secrets of an account were shown in a terminal.
        case show
        /// The accounts that a provider exported were given to another one.
        case exchange
    }

    /// When, in milliseconds since 1970.
    package let time: Int64
    /// What happened.
    package let event: Event
    /// Who asked, as the person knows the program.
    package let client: String
    /// Whose account; nil where no provider is concerned.
    package let provider: ProviderReference?
    /// For which service.
    package let service: String?
    /// Which account.
    package let account: String?
    /// What kind of credential.
    package let kind: CredentialKind?
    /// How the person was verified in that request; nil where they were not.
    package let method: VerificationMethod?
    /// More about it, in a sentence.
    package let detail: String?

    /// An entry by its parts.
    package init(
        time: Int64, event: Event, client: String, provider: ProviderReference? = nil, service: String? = nil,
        account: String? = nil, kind: CredentialKind? = nil, method: VerificationMethod? = nil, detail: String? = nil
    ) {
        self.time = time
        self.event = event
        self.client = client
        self.provider = provider
        self.service = service
        self.account = account
        self.kind = kind
        self.method = method
        self.detail = detail
    }
}

/// What happened, newest first.
package enum ListHistory: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The most entries wanted; 100 where it is missing, 1000 at most.
        package let limit: Int?
        /// Only what was before this time, in milliseconds since 1970.
        package let before: Int64?

        /// Asks for `limit` entries.
        package init(limit: Int? = nil, before: Int64? = nil) {
            self.limit = limit
            self.before = before
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The entries, newest first.
        package let entries: [HistoryEntry]
        /// Whether there are older ones.
        package let hasMore: Bool

        /// A list.
        package init(entries: [HistoryEntry], hasMore: Bool) {
            self.entries = entries
            self.hasMore = hasMore
        }
    }

    package static let name = "history.list"
    package static let callers: Set<Role> = [.terminal]
}

/// Forgets all of it.
package enum ClearHistory: RemoteMethod {
    package typealias Parameters = Nothing
    package typealias Result = Nothing

    package static let name = "history.clear"
    package static let callers: Set<Role> = [.terminal]
}
