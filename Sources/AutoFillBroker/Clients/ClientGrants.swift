import AutoFillProtocol
import AutoFillWire
import BrokerBase

/// The settings file with the person's decisions about programs.
struct ClientGrants: Codable, Sendable {
    /// One program, and the answer.
    struct Grant: Codable, Hashable, Sendable {
        /// ``ClientIdentity/identifier``.
        let identifier: String
        /// What it is called.
        var name: String
        let role: Role
        let isKnown: Bool
        /// The file that it runs.
        let path: String?
        /// What that file held, in hexadecimal digits; nil where its path is enough.
        let digest: String?
        /// Which profile, of a browser.
        let profile: BrowserProfile?
        /// Whether it holds for every profile; written by whoever prepares a machine, never by a question.
        let coversAllProfiles: Bool?
        /// Whether nothing that it asks is counted (``AskingLimits``); written like the former, to measure the broker.
        let isUncounted: Bool?
        /// Whether the person is asked about no new site; written like the former.
        var coversAllSites: Bool?
        /// The program of the browser.
        let browser: String?
        var decision: ApprovedClient.Decision
        let decidedAt: Int64?
        let method: VerificationMethod?

        /// What the history calls it.
        var historyName: String { isKnown ? name : "\(name) (\(identifier.shownIdentifier))" }

        /// Whether it is about `client`, whose program holds `digest`.
        func covers(_ client: ConnectedClient, digest: String?) -> Bool {
            let identity = client.identity
            guard role == identity.role, isKnown == identity.isKnown, path == identity.path else { return false }
            guard browser == identity.browser else { return false }
            guard coversAllProfiles == true || profile?.identifier == identity.profile else { return false }
            return isKnown || client.program?.isSystems == true || (digest != nil && self.digest == digest)
        }
    }

    /// The most programs that are remembered; of those that were refused or never answered, the oldest go first.
    static let capacity = 512

    var clients: [Grant] = []

    /// The file in `folder`.
    static func file(in folder: String, _ seal: SettingsSeal) -> SettingsFile<ClientGrants> {
        SettingsFile(
            folder: folder, name: "clients.json",
            consequence: "no program may use Keyway. Keyway asks you again about each one.", seal: seal)
    }

    /// What was said to `client`; one answer for exactly its profile goes before one for all.
    func grant(for client: ConnectedClient, digest: String?) -> Grant? {
        let fitting = clients.filter { $0.covers(client, digest: digest) }
        return fitting.first { $0.coversAllProfiles != true } ?? fitting.first
    }

    /// Puts an answer in the place of the one before.
    mutating func put(_ grant: Grant) {
        clients.removeAll { $0.identifier == grant.identifier }
        clients.append(grant)
        while clients.count > Self.capacity {
            clients.remove(at: clients.firstIndex { $0.decision != .approved } ?? 0)
        }
    }
}
