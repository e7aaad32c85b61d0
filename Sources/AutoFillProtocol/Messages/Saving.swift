package import AutoFillWire

extension AskPerson {
    /// A password that a page was sent with, and that would be kept.
    package struct SavingPassword: Codable, Hashable, Sendable {
        /// The user name; empty where it is not known.
        package let account: String
        /// The page's origin, as the browser states it.
        package let service: String
        /// Whether what is sent there can be read on the way.
        package let isEncrypted: Bool
        /// Who would keep it.
        package let provider: ProviderReference
        /// Whether another password of the account would go into its history.
        package let replaces: Bool
        /// What that account is for, where it is not `service`: another host of the same site.
        package let storedFor: String?
        /// The password that was sent, where it is to be compared with the one that is kept.
        package let password: Attachment?
        /// The one that is kept: the same needs no question.
        package let stored: Attachment?

        /// `provider` would keep the password of `account`, with which a page of `service` was sent.
        package init(
            account: String, service: String, isEncrypted: Bool, provider: ProviderReference, replaces: Bool,
            storedFor: String? = nil, password: Attachment? = nil, stored: Attachment? = nil
        ) {
            self.account = account
            self.service = service
            self.isEncrypted = isEncrypted
            self.provider = provider
            self.replaces = replaces
            self.storedFor = storedFor
            self.password = password
            self.stored = stored
        }
    }
}

/// What can be done about new passwords.
package enum SavingSupport: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// Whether an enabled provider keeps passwords.
        package let saves: Bool
        /// Whether an enabled provider proposes some.
        package let generates: Bool

        /// What enabled providers do.
        package init(saves: Bool, generates: Bool) {
            self.saves = saves
            self.generates = generates
        }
    }

    package static let name = "saving.support"
    package static let callers: Set<Role> = [.browser]
}

/// The sites whose passwords are never asked about, as the person said.
package enum ListUnsavedSites: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// Registrable domains, or hosts without one; sorted.
        package let sites: [String]

        /// `sites` are not asked about.
        package init(sites: [String]) {
            self.sites = sites
        }
    }

    package static let name = "saving.listUnsaved"
    package static let callers: Set<Role> = [.terminal, .browser]
}

/// Where one changes the password of a site: the address that is known of it in public, else the one where every site
/// should have it (`/.well-known/change-password`). Nothing is fetched.
package enum ChangePasswordPage: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The site, as a URL or a domain.
        package let service: ServiceIdentifier

        /// Asks for the page of `service`.
        package init(service: ServiceIdentifier) {
            self.service = service
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// A URL with the scheme `https`.
        package let address: String
        /// Whether it is known of the site; else nobody knows whether the site has a page there.
        package let isKnown: Bool

        /// The page at `address`.
        package init(address: String, isKnown: Bool) {
            self.address = address
            self.isKnown = isKnown
        }
    }

    package static let name = "saving.changePage"
    package static let callers: Set<Role> = [.terminal, .browser]
}

/// Has the person asked again about the passwords of a site.
package enum AskAboutSite: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// The site, as it is listed, or a domain or URL of it.
        package let site: String

        /// Asks about `site` again.
        package init(site: String) {
            self.site = site
        }
    }

    package static let name = "saving.askAgain"
    package static let callers: Set<Role> = [.terminal, .browser]
}
