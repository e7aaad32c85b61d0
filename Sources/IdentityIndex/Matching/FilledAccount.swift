package import KeywaySystem
package import ServiceMatching
import Synchronization

/// The account that was filled last on one connection: its one-time code comes first where the same site then asks for
/// one. Held in memory alone, for some minutes, and also for private windows, which it tells nobody but themselves.
package final class FilledAccount: Sendable {
    /// Whose account it was.
    package struct Account: Hashable, Sendable {
        /// The provider's identifier.
        package let provider: String
        /// The user name.
        package let user: String

        /// The account of `user` in the provider with this identifier.
        package init(provider: String, user: String) {
            self.provider = provider
            self.user = user
        }
    }

    private struct Filled {
        let account: Account
        let sites: Set<String>
        let isPrivate: Bool
        let time: MonotonicTime
    }

    /// How long a sign-in may take.
    private static let patience = Duration.seconds(600)
    private let filled = Mutex<Filled?>(nil)

    /// Nothing was filled yet.
    package init() {}

    /// `account` was filled on these pages.
    package func note(_ account: Account, on pages: [ServiceAddress], isPrivate: Bool, at time: MonotonicTime) {
        let sites = Set(pages.map(Self.site))
        filled.withLock { $0 = Filled(account: account, sites: sites, isPrivate: isPrivate, time: time) }
    }

    /// The account that was filled on the site of one of these pages; nil where it was another site, or long ago.
    package func account(on pages: [ServiceAddress], isPrivate: Bool, at time: MonotonicTime) -> Account? {
        guard let filled = filled.withLock({ $0 }), filled.isPrivate == isPrivate,
            time.since(filled.time) <= Self.patience, pages.contains(where: { filled.sites.contains(Self.site($0)) })
        else { return nil }
        return filled.account
    }

    /// What is one site: all hosts of a registrable domain, or a host that has none.
    private static func site(_ address: ServiceAddress) -> String { address.site ?? address.host.text }
}

extension FilledAccount: HoldsIdentities {
    /// Nothing was filled.
    package func forget() {
        filled.withLock { $0 = nil }
    }
}
