import AutoFillProtocol

/// `params` of `hello`.
struct HelloParameters: Decodable {
    /// The version of the protocol that the extension speaks.
    let `protocol`: ProtocolVersion

    init(from decoder: any Decoder) throws {
        // Only the version is read before it is known to be ours: a later one may greet with more.
        let members = try decoder.container(keyedBy: MemberName.self)
        `protocol` = try members.decode(ProtocolVersion.self, forKey: "protocol")
        guard `protocol`.major == ProtocolVersion.current.major else { return }
        let known = try decoder.members(["protocol", "version", "browser"])
        _ = try known.text("version", within: 1...64)
        _ = try known.text("browser", within: 1...64)
    }
}

/// The page that asks, as the browser (never the page) told the extension: `params` of `suggest`.
struct Page: Decodable, Hashable, Sendable {
    /// Origin and path.
    let url: String
    /// Whether it is in a private window.
    let isPrivate: Bool

    static let members: Set<String> = ["url", "private"]

    init(url: String, isPrivate: Bool) {
        self.url = url
        self.isPrivate = isPrivate
    }

    init(from decoder: any Decoder) throws {
        try self.init(members: decoder.members(Self.members))
    }

    init(members: KeyedDecodingContainer<MemberName>) throws {
        url = try members.text("url", within: 1...65_536)
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw HostFailure(.refused, "Only pages of the web are filled.")
        }
        isPrivate = try members.decode(Bool.self, forKey: "private")
    }

    /// The page as the broker knows services.
    var services: [ServiceIdentifier] { [ServiceIdentifier(shortURL, kind: .url)] }

    /// The URL, without its path where that is longer than the broker takes: accounts are found by the host.
    private var shortURL: String {
        guard url.utf8.count > Self.longestURL else { return url }
        return url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(
            separator: "/")
    }

    private static let longestURL = 4096
}

/// What the person chose under a field: `params` of `fill`.
struct FillChoice: Decodable, Hashable, Sendable {
    /// A part of a credential.
    enum Field: String, Decodable, Sendable {
        case username
        case password
    }

    /// The page that it is for.
    let page: Page
    /// The suggestion, as `suggest` named it.
    let handle: String
    /// What the page has room for; nothing else leaves this process.
    let fields: Set<Field>

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(Page.members.union(["handle", "fields"]))
        page = try Page(members: members)
        handle = try members.text("handle", within: 1...1024)
        let wanted = try members.decode([Field].self, forKey: "fields")
        fields = Set(wanted)
        guard !wanted.isEmpty, wanted.count == fields.count else {
            throw HostFailure.parameters("`fields` is empty or names one twice.")
        }
    }
}
