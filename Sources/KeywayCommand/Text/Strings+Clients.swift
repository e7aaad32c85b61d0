import AutoFillProtocol
import KeywaySystem

/// What the commands about programs say.
extension Strings {
    static func state(_ client: ApprovedClient) -> String { client.decision.rawValue }
    static func role(_ client: ApprovedClient) -> String {
        guard client.role == .browser else { return client.role.rawValue }
        return client.profile.map { "profile \($0.identifier.prefix(8))" } ?? "browser"
    }
    static let knownClient = "part of Keyway, installed for all users"
    static let hiddenClient = "(unknown)"
    /// What it runs, and what started that.
    static func file(_ client: ApprovedClient) -> String {
        let file = client.path ?? (client.isKnown ? knownClient : hiddenClient)
        return client.browser.map { "\(file), started by \($0)" } ?? file
    }
    static func noSuchClient(_ word: String) -> String { "No program named “\(word)” has asked to use Keyway." }
    static func severalClients(_ word: String) -> String { "Several programs are named “\(word)”." }
    static func nameClient(_ identifiers: [String]) -> String { "Choose one: \(identifiers.joined(separator: ", "))." }
    static let listClients = "`keyway clients list` shows all of them."
    static let noClients = "no program has asked to use Keyway yet"
    static func clients(_ clients: [ApprovedClient]) -> String {
        let counts = ApprovedClient.Decision.allCases.map { decision in
            (decision.rawValue, clients.count { $0.decision == decision })
        }
        return counts.filter { $0.1 > 0 }.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
    }
    static func approveClient(_ client: ApprovedClient) -> String {
        "If you trust \(client.name): keyway clients approve \(client.identifier.prefix(ApprovedClient.shownDigits))"
    }
    static func settingsAgain(_ paths: KeywayPaths) -> String {
        "See Docs/settings-format.md for details. \(paths.remedy)"
    }
}
