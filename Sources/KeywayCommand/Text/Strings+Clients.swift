import KeywaySystem
import AutoFillProtocol

/// What the commands about programs say.
extension Strings {
    static func state(_ client: ApprovedClient) -> String { client.decision.rawValue }
    static func role(_ client: ApprovedClient) -> String {
        guard client.role == .browser else { return client.role.rawValue }
        return client.profile.map { "profile \($0.identifier.prefix(8))" } ?? "browser"
    }
    static let knownClient = "Keyway's own, installed for everybody"
    static let hiddenClient = "(not told)"
    /// What it runs, and what started that.
    static func file(_ client: ApprovedClient) -> String {
        let file = client.path ?? (client.isKnown ? knownClient : hiddenClient)
        return client.browser.map { "\(file), started by \($0)" } ?? file
    }
    static func noSuchClient(_ word: String) -> String { "No program that asked is called “\(word)”." }
    static func severalClients(_ word: String) -> String { "Several programs are called “\(word)”." }
    static func nameClient(_ identifiers: [String]) -> String { "Name one: \(identifiers.joined(separator: ", "))." }
    static let listClients = "`keyway clients list` shows all of them."
    static let noClients = "no program has asked yet"
    static func clients(_ clients: [ApprovedClient]) -> String {
        let counts = ApprovedClient.Decision.allCases.map { decision in
            (decision.rawValue, clients.count { $0.decision == decision })
        }
        return counts.filter { $0.1 > 0 }.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
    }
    static func approveClient(_ client: ApprovedClient) -> String {
        "If you know \(client.name): keyway clients approve \(client.identifier.prefix(ApprovedClient.shownDigits))"
    }
    static func settingsAgain(_ paths: KeywayPaths) -> String {
        "It says what to do; see also Docs/settings-format.md. \(paths.remedy)"
    }
}
