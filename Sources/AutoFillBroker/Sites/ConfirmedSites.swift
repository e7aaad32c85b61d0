import BrokerBase
import KeywayCrypto
import KeywaySystem
import Synchronization

/// The settings file with the sites that the person allowed each browser profile to fill. It contains no site names,
/// only digests under a key derived from that of the settings.
final class ConfirmedSites: Sendable {
    struct Document: Codable, Sendable {
        /// For each profile the digests of its sites, with the number of the confirmation: the oldest go first.
        var profiles: [String: [String: Int]] = [:]
        /// The number of the next one.
        var next = 0
    }

    /// The most sites of one profile, and of all together.
    static let most = (ofProfile: 1000, all: 5000)

    private let file: SettingsFile<Document>
    private let seal: SettingsSeal
    private let writing = Mutex(())

    /// The file in `folder`.
    init(folder: String, seal: SettingsSeal) {
        self.seal = seal
        file = SettingsFile(
            folder: folder, name: "sites.json",
            consequence: "Keyway asks you again before a browser fills a site.", seal: seal)
    }

    /// Whether the person let `client` fill `site`.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` while that cannot be known.
    func contains(_ site: String, of client: ClientIdentity) throws(ProtocolError) -> Bool {
        let known = try document().profiles[Self.name(client)]
        return known?[try digest(site, client)] != nil
    }

    /// The person let `client` fill `site`.
    ///
    /// - Throws: ``ProtocolError``: `locked`, `system`.
    func add(_ site: String, of client: ClientIdentity) throws(ProtocolError) {
        let (name, digest) = (Self.name(client), try digest(site, client))
        try change { document in
            document.profiles[name, default: [:]][digest] = document.next
            document.next += 1
            if document.profiles[name, default: [:]].count > Self.most.ofProfile { document.dropOldest(of: name) }
            if document.profiles.values.reduce(0, { $0 + $1.count }) > Self.most.all { document.dropOldest() }
        }
    }

    /// Forgets the sites of `client`; of every profile of its program where `withProfiles` says so.
    func forget(_ client: ClientIdentity, withProfiles: Bool = false) throws(ProtocolError) {
        let name = withProfiles ? client.program.identifier : Self.name(client)
        try change { document in
            document.profiles = document.profiles.filter { !$0.key.hasPrefix(name) }
        }
    }

    /// Forgets all of them.
    func forgetAll() throws(ProtocolError) {
        try change { $0.profiles = [:] }
    }

    /// The program first: what is said of it, is said of all that begin so.
    private static func name(_ client: ClientIdentity) -> String {
        "\(client.program.identifier)\(client.identifier)"
    }

    private func digest(_ site: String, _ client: ClientIdentity) throws(ProtocolError) -> String {
        guard let key = seal.key else {
            throw ProtocolError(
                .locked, "Keyway can't look up which sites were filled while the login session is locked.")
        }
        let own = key.derive(1, context: "sites   ")
        return Array(own.hash(Array("\(client.identifier)\n\(site)".utf8)).prefix(16)).hexadecimal
    }

    private func document() throws(ProtocolError) -> Document { try file.read(or: Document()) }

    private func change(_ body: (inout Document) -> Void) throws(ProtocolError) {
        try writing.withLock { _ throws(ProtocolError) in
            let before = try document()
            var document = before
            body(&document)
            if document.profiles != before.profiles { try file.write(document) }
        }
    }
}

extension ConfirmedSites.Document {
    fileprivate mutating func dropOldest(of name: String) {
        guard let oldest = profiles[name]?.min(by: { $0.value < $1.value })?.key else { return }
        profiles[name]?[oldest] = nil
    }

    fileprivate mutating func dropOldest() {
        let oldest = profiles.compactMap { name, sites in sites.values.min().map { (name, $0) } }.min { $0.1 < $1.1 }
        if let oldest { dropOldest(of: oldest.0) }
    }
}
