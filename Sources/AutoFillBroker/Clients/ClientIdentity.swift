import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywayCrypto
import KeywaySystem

/// Identifies the program behind a connection. The person's decision is stored under this identity.
struct ClientIdentity: Hashable, Sendable {
    /// What it said it is.
    let role: Role
    /// Whether the system vouches for it: it had the group of Keyway's own programs when it connected.
    let isKnown: Bool
    /// The file that it runs; nil for a known program, which the kernel hides.
    let path: String?
    /// Which profile, of a browser, as Keyway's host tells it; nil for any other program.
    let profile: String?
    /// The program of the browser that started the host; nil for what is no host of ours, or where that is not told.
    let browser: String?

    /// The file's name of the program that browsers start.
    static let hostName = "keyway-browser-host"

    /// The same program, whatever the profile.
    var program: ClientIdentity {
        ClientIdentity(role: role, isKnown: isKnown, path: path, profile: nil, browser: browser)
    }

    /// 32 hexadecimal digits that name it: so many that nobody finds another program with the same.
    var identifier: String {
        let parts = [role.rawValue, isKnown ? "known" : "", path ?? "", profile ?? "", browser ?? ""]
        let text = Array(parts.joined(separator: "\n").utf8)
        let digest = text.withUnsafeBytes { Digest.blake2b($0, count: 32) }
        return Array(digest.prefix(16)).hexadecimal
    }
}

extension String {
    /// So much of a client's identifier as commands take.
    var shownIdentifier: String { String(prefix(ApprovedClient.shownDigits)) }
}

/// One connection's client, as it was when it connected.
struct ConnectedClient: Sendable {
    let identity: ClientIdentity
    /// The program; nil for a known one that hides.
    let program: ClientProgram?
    /// What the browser's profile is called; nil for what is no browser.
    let profile: BrowserProfile?

    /// What the history calls it. Only Keyway's own programs need no number: any file can have any name.
    var historyName: String { identity.isKnown ? name : "\(name) (\(identity.identifier.shownIdentifier))" }

    /// What it is called where the person is asked: a file as the kernel names it, not what the program says of itself.
    var name: String {
        if let browser = identity.browser {
            return DisplayText.line(FilePath.name(of: browser))
        }
        if let program { return program.name }
        if identity.role == .terminal { return "keyway" }
        // Keyway's own host says it, as its extension told it.
        return profile.map { DisplayText.line($0.browser) } ?? ClientIdentity.hostName
    }
}
