import AutoFillProtocol
import WebAuthnValues

/// The frame that asks for a passkey, as the browser (never the page) told the extension.
struct AskingFrame: Hashable, Sendable {
    /// The frame's own page.
    let page: Page
    /// The origin of the page in the tab, where it stands around a frame of another origin, or beyond one.
    let top: String?

    static let members = Page.members.union(["top"])

    init(page: Page, top: String? = nil) {
        self.page = page
        self.top = top
    }

    init(members: KeyedDecodingContainer<MemberName>) throws {
        page = try Page(members: members)
        guard members.contains("top") else {
            top = nil
            return
        }
        let origin = try members.text("top", within: 1...2048)
        guard Self.origin(of: origin) == origin, origin.hasPrefix("https://") || origin.hasPrefix("http://") else {
            throw HostFailure.parameters("`top` is no origin of the web.")
        }
        top = origin
    }

    /// The client data that a passkey signs, written here, where no page can.
    func clientData(_ ceremony: ClientData.Ceremony, _ challenge: [UInt8]) -> ClientData {
        ClientData(
            ceremony: ceremony, challenge: challenge, origin: Self.origin(of: page.url),
            frame: top.map { .crossOrigin(top: $0) } ?? .sameOrigin)
    }

    /// The relying party where the page names none: its own host (WebAuthn Level 3, section 5.1.3).
    var host: String {
        let authority = Self.origin(of: page.url).split(separator: "/").last ?? ""
        // An address in brackets is no relying party, whatever is cut off it.
        return String(authority.prefix { $0 != ":" })
    }

    /// Scheme, host and port of an address.
    private static func origin(of url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }
}
