import FoundationEssentials
import Synchronization

/// What is known of sites in public: which passwords they take, where one changes them, and which share their accounts.
///
/// The data is Apple's (`Packaging/share/quirks`). A file is read when something of it is asked for and not kept: that
/// takes a few milliseconds, and is seldom. Only the groups of sites are kept, since every menu asks for them. Where a file
/// is missing or damaged, nothing is known.
///
/// Each question names the host and the `site` that it is part of: its registrable domain, or nil where it has none. What
/// is known of a domain above the site is not about it: some of the domains in the lists are public suffixes, where
/// anybody may have a name (`myshopify.com`).
package struct SiteQuirks: Sendable {
    private let folder: String
    private let groups = KeptGroups()

    /// What the files in `folder` say.
    package init(folder: String) {
        self.folder = folder
    }

    /// Where an installation keeps the files.
    package static func folder(inPrefix prefix: String) -> String { "\(prefix)/share/keyway/quirks" }

    /// The password rules of the site of `host`, as the list has them; nil where it has none.
    package func passwordRules(of host: String, in site: String?) -> String? {
        guard let sites: [String: Rules] = read("password-rules.json") else { return nil }
        return Self.domains(of: host, in: site).lazy.compactMap { domain -> String? in
            guard let rules = sites[domain], domain == host || rules.isExact != true else { return nil }
            return rules.text
        }.first
    }

    /// The page on which one changes a password of the site of `host`; nil where the list has none.
    package func changePasswordPage(of host: String, in site: String?) -> String? {
        guard let sites: [String: String] = read("change-password-URLs.json") else { return nil }
        return Self.domains(of: host, in: site).lazy.compactMap { sites[$0] }.first { $0.hasPrefix("https://") }
    }

    /// The other sites whose accounts are good at that of `host`. Where one site has taken the place of another, accounts
    /// of the old one are good at the new one, and not the other way.
    package func sitesSharing(with host: String, in site: String?) -> [String] {
        let domains = Self.domains(of: host, in: site)
        return groups.of(domains) { read("shared-credentials.json") ?? [] }.filter { !domains.contains($0) }
    }

    /// Whether the site of `host` takes the one-time code behind the password, in one field: what is sent is no password.
    package func appendsCode(_ host: String, in site: String?) -> Bool {
        guard let sites: [String] = read("websites-that-append-2fa-to-password.json") else { return false }
        return Self.domains(of: host, in: site).contains(where: sites.contains)
    }

    /// The host and the domains that it lies in, the longest first, up to its site.
    private static func domains(of host: String, in site: String?) -> [String] {
        let labels = host.lowercased().split(separator: ".")
        let siteLength = site?.split(separator: ".").count ?? labels.count
        return (0...max(0, labels.count - siteLength)).map { labels[$0...].joined(separator: ".") }
    }

    private struct Rules: Decodable {
        let text: String
        let isExact: Bool?

        enum CodingKeys: String, CodingKey {
            case text = "password-rules"
            case isExact = "exact-domain-match-only"
        }
    }

    fileprivate struct Group: Decodable {
        let shared: [String]?
        let from: [String]?
        let to: [String]?
    }

    private func read<Value: Decodable>(_ name: String) -> Value? {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return nil }
        return try? JSONDecoder().decode(Value.self, from: data)
    }
}

/// The groups of sites with shared accounts, read once, and found by each domain whose accounts come from them.
private final class KeptGroups: Sendable {
    private struct Index {
        /// For each group all domains whose accounts are good in it.
        var groups: [[String]] = []
        /// Which groups a domain takes accounts of.
        var places: [String: [Int]] = [:]
    }

    private let index = Mutex<Index?>(nil)

    /// All domains of the groups that one of `domains` takes accounts of, each once.
    func of(_ domains: [String], read: () -> [SiteQuirks.Group]) -> [String] {
        index.withLock { kept in
            let index = kept ?? Self.index(read())
            kept = index
            var seen: Set<String> = []
            let places = Set(domains.flatMap { index.places[$0] ?? [] }).sorted()
            return places.flatMap { index.groups[$0] }.filter { seen.insert($0).inserted }
        }
    }

    private static func index(_ groups: [SiteQuirks.Group]) -> Index {
        var index = Index()
        for group in groups {
            let takers = group.shared ?? group.to ?? []
            for domain in takers { index.places[domain, default: []].append(index.groups.count) }
            index.groups.append(group.shared ?? takers + (group.from ?? []))
        }
        return index
    }
}
