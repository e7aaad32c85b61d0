package import FoundationEssentials

/// A service to sign in to, as the API names it (`ASCredentialServiceIdentifier`).
package struct ServiceIdentifier: Codable, Hashable, Sendable {
    /// What `identifier` is. The raw values on the wire are words; the API's are numbers.
    package enum Kind: String, Codable, Sendable {
        /// A domain name, such as `example.org`.
        case domain
        /// A URL, such as `https://example.org/login`.
        case url = "URL"
        /// An application's identifier.
        case app
    }

    /// The name or URL itself.
    package let identifier: String
    /// What it is.
    package let kind: Kind
    /// What the server calls the area that it guards by HTTP itself (RFC 9110, section 11.5); nil for forms. Of an
    /// identity: it is for that area alone, and for all of the server where it is empty.
    package let realm: String?

    /// A service named `identifier`; with `realm`, one that asks by HTTP itself.
    package init(_ identifier: String, kind: Kind, realm: String? = nil) {
        self.identifier = identifier
        self.kind = kind
        self.realm = realm
    }
}

/// Where an account is offered, if not wherever its service fits.
package enum CredentialUse: String, Codable, CaseIterable, Sendable {
    /// In forms of pages alone.
    case forms
    /// Where a server asks by HTTP itself, alone (RFC 9110, section 11).
    case http
}

/// What kind of credential an identity promises.
package enum CredentialKind: String, Codable, CaseIterable, Sendable {
    /// A user name and a password.
    case password
    /// A public key credential of WebAuthn.
    case passkey
    /// A code that is good once.
    case oneTimeCode
}

/// What a passkey's identity says beyond user and relying party.
package struct PasskeyReference: Codable, Hashable, Sendable {
    /// The credential ID (WebAuthn Level 3, section 4).
    package let credentialID: Data
    /// The user handle that the relying party gave the account.
    package let userHandle: Data

    /// The passkey `credentialID` of the account `userHandle`.
    package init(credentialID: Data, userHandle: Data) {
        self.credentialID = credentialID
        self.userHandle = userHandle
    }
}

/// What a provider told the system to suggest: never a secret.
package struct CredentialIdentity: Codable, Hashable, Sendable {
    /// The kind of credential behind it.
    package let kind: CredentialKind
    /// Where it signs in to.
    package let service: ServiceIdentifier
    /// The user name, as it is shown.
    package let user: String
    /// The provider's own key of the record, handed back to it unchanged.
    package let recordIdentifier: String?
    /// Orders identities of one service: larger first.
    package let rank: Int
    /// Where a password is offered; nil for wherever its service fits. One whose service has a realm is for HTTP alone.
    package let use: CredentialUse?
    /// Which passkey; set for passkeys, and only for them. Their service is the relying party, as a domain.
    package let passkey: PasskeyReference?
    /// How long each code by time is good for, in seconds, counted from 1970; nil for one by counter, for everything else,
    /// and where the provider does not say.
    package let period: Int?

    /// An identity of `user` at `service`; for a code, `user` is its label.
    package init(
        kind: CredentialKind, service: ServiceIdentifier, user: String, recordIdentifier: String?, rank: Int = 0,
        passkey: PasskeyReference? = nil, use: CredentialUse? = nil, period: Int? = nil
    ) {
        self.period = period
        self.use = use ?? (service.realm == nil ? nil : .http)
        self.kind = kind
        self.service = service
        self.user = user
        self.recordIdentifier = recordIdentifier
        self.rank = rank
        self.passkey = passkey
    }
}

extension CredentialIdentity {
    /// Whether it may be offered to who asks as `service`: a form, or, where a realm is named, a server by HTTP itself.
    package func serves(_ service: ServiceIdentifier) -> Bool {
        guard let realm = service.realm else { return use != .http }
        return use != .forms && [nil, "", realm].contains(self.service.realm)
    }
}

/// A provider's name, for people and for messages.
package struct ProviderReference: Codable, Hashable, Sendable {
    /// `CFBundleIdentifier`.
    package let identifier: String
    /// What people call it.
    package let name: String

    /// The provider `identifier`, called `name`.
    package init(identifier: String, name: String) {
        self.identifier = identifier
        self.name = name
    }
}

/// How an identity fits the page that asks.
package enum ServiceMatch: String, Codable, CaseIterable, Sendable {
    /// Scheme, host and port are the same.
    case origin
    /// The host is the same.
    case host
    /// The registrable domain is the same.
    case site
    /// It is another site, of which is known in public that its accounts are good here. Said to those who ask for it, and
    /// filled only after the person was shown both names outside the page.
    case shared
}
