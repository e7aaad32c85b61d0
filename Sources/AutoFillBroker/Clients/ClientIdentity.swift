import AutoFillProtocol
import KeywayCrypto

/// Who is behind a connection: what the person's answer is remembered for.
struct ClientIdentity: Hashable, Sendable {
    /// What it said it is.
    let role: Role
    /// Whether the system vouches for it: it had the group of Keyway's own programs when it connected.
    let isKnown: Bool
    /// The file that it runs; nil for a known program, which the kernel hides.
    let path: String?
    /// Which profile, of a browser.
    let profile: String?
    /// The program of the browser that started the host; nil for what is no host of ours, or where that is not told.
    let browser: String?

    /// The file's name of the program that browsers start.
    static let hostName = "keyway-browser-host"

    /// Eight hexadecimal digits that name it.
    var identifier: String {
        let parts = [role.rawValue, isKnown ? "known" : "", path ?? "", profile ?? "", browser ?? ""]
        let text = Array(parts.joined(separator: "\n").utf8)
        let digest = text.withUnsafeBytes { Digest.blake2b($0, count: 32) }
        return Array(digest.prefix(4)).hexadecimal
    }
}

/// One connection's client, as it was when it connected.
struct ConnectedClient: Sendable {
    let identity: ClientIdentity
    /// The program; nil for a known one that hides.
    let program: ClientProgram?
    /// What the browser's profile is called; nil for what is no browser.
    let profile: BrowserProfile?

    /// What it is called where the person is asked.
    var name: String {
        if let profile { return DisplayText.line(profile.browser) }
        if let program, program.name != ClientIdentity.hostName || identity.browser == nil { return program.name }
        if let browser = identity.browser {
            return DisplayText.line(browser.split(separator: "/").last.map(String.init) ?? browser)
        }
        return identity.role == .terminal ? "keyway" : ClientIdentity.hostName
    }

    /// The file that the person would know it by.
    var shownPath: String? { identity.browser ?? program?.path }
}
