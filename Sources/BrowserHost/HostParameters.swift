import AutoFillProtocol
import AutoFillWire
import FoundationEssentials

/// `params` of `hello`.
struct HelloParameters: Decodable, Hashable, Sendable {
    /// The version of the protocol that the extension speaks.
    let `protocol`: ProtocolVersion
    /// Which profile of which browser it runs in; nil from an extension that does not say, and for another major
    /// version, of which nothing else is read.
    let profile: BrowserProfile?

    init(`protocol`: ProtocolVersion, profile: BrowserProfile?) {
        self.protocol = `protocol`
        self.profile = profile
    }

    init(from decoder: any Decoder) throws {
        // Only the version is read before it is known to be ours: a later one may greet with more.
        let members = try decoder.container(keyedBy: MemberName.self)
        `protocol` = try members.decode(ProtocolVersion.self, forKey: "protocol")
        guard `protocol`.major == ProtocolVersion.current.major else {
            profile = nil
            return
        }
        let known = try decoder.members(["protocol", "version", "browser", "profile"])
        _ = try known.text("version", within: 1...64)
        let browser = try known.text("browser", within: 1...64)
        guard known.contains("profile") else {
            profile = nil
            return
        }
        let profile = BrowserProfile(identifier: try known.text("profile", within: 16...64), browser: browser)
        guard profile.isValid else { throw HostFailure.parameters("`profile` or `browser` is not named like that.") }
        self.profile = profile
    }
}

/// The page that asks, as the browser (never the page) told the extension: `params` of `suggest`.
struct Page: Decodable, Hashable, Sendable {
    /// Origin and path.
    let url: String
    /// Whether it is in a private window.
    let isPrivate: Bool

    /// What the server that asks by HTTP itself calls its area; nil for forms.
    let realm: String?

    static let members: Set<String> = ["url", "private"]
    /// The same where a server may ask by HTTP itself.
    static let membersWithRealm = members.union(["realm"])

    init(url: String, isPrivate: Bool, realm: String? = nil) {
        self.url = url
        self.isPrivate = isPrivate
        self.realm = realm
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
        realm = members.contains("realm") ? try members.text("realm", within: 0...Self.longestRealm) : nil
    }

    /// Scheme, host and port, as the browser writes them.
    var origin: String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// The page as the broker knows services.
    var services: [ServiceIdentifier] { [ServiceIdentifier(shortURL, kind: .url, realm: realm)] }

    /// The URL, without its path where that is longer than the broker takes: accounts are found by the host.
    private var shortURL: String {
        guard url.utf8.count > Self.longestURL else { return url }
        return origin
    }

    private static let longestURL = 4096
    /// In bytes; the extension cuts a realm to 256 UTF-16 units.
    private static let longestRealm = 1024
}

/// `params` of `suggest`.
struct SuggestParameters: Decodable, Hashable, Sendable {
    /// The page that asks.
    let page: Page
    /// Which passkeys it waits for, where it does.
    let passkeys: PasskeyFilter?
    /// Whether it asks for one-time codes and for nothing else.
    let wantsCodes: Bool

    init(page: Page, passkeys: PasskeyFilter? = nil, wantsCodes: Bool = false) {
        self.page = page
        self.passkeys = passkeys
        self.wantsCodes = wantsCodes
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(Page.membersWithRealm.union(["passkeys", "codes"]))
        page = try Page(members: members)
        wantsCodes = try members.decodeIfPresent(Bool.self, forKey: "codes") ?? false
        guard !wantsCodes || !members.contains("passkeys") else {
            throw HostFailure.parameters("Codes come alone.")
        }
        passkeys = try members.decodeIfPresent(Filter.self, forKey: "passkeys").map { [page] filter in
            PasskeyFilter(
                relyingParty: filter.relyingParty ?? AskingFrame(page: page).host, allowedCredentials: filter.allowed)
        }
    }

    private struct Filter: Decodable {
        let relyingParty: String?
        let allowed: [Data]

        init(from decoder: any Decoder) throws {
            let members = try decoder.members(["relyingParty", "allowed"])
            relyingParty = try members.relyingParty()
            allowed = try members.identifiers("allowed")
        }
    }
}

/// What the person chose under a field: `params` of `fill` and of `list`.
struct FillChoice: Hashable, Sendable {
    /// A part of a credential.
    enum Field: String, Decodable, Sendable {
        case username
        case password
        case oneTimeCode
    }

    /// Where it is taken from.
    enum Source: Hashable, Sendable {
        /// The suggestion, as `suggest` named it.
        case suggestion(handle: String)
        /// The list of the provider with this identifier, for the person to choose from.
        case list(provider: String)
    }

    /// The page that it is for.
    let page: Page
    /// Where it is taken from.
    let source: Source
    /// What the page has room for; nothing else leaves this process.
    let fields: Set<Field>
    /// What a passkey would sign instead, where the page waits for one.
    var passkey: PageAssertion?

    /// What the broker is asked for.
    var target: Fill.Target {
        switch source {
        case .suggestion(let handle): .suggestion(handle: handle)
        case .list(let provider) where fields == [.oneTimeCode]: .oneTimeCodes(provider: provider)
        case .list(let provider): .list(provider: provider)
        }
    }

    fileprivate static func fields(
        _ members: KeyedDecodingContainer<MemberName>, mayBeEmpty: Bool = false
    ) throws -> Set<Field> {
        let wanted = try members.decode([Field].self, forKey: "fields")
        let fields = Set(wanted)
        guard mayBeEmpty || !wanted.isEmpty, wanted.count == fields.count else {
            throw HostFailure.parameters("`fields` is empty or names one twice.")
        }
        guard !fields.contains(.oneTimeCode) || fields.count == 1 else {
            throw HostFailure.parameters("A one-time code comes alone.")
        }
        return fields
    }
}

/// `params` of `fill`.
struct FillParameters: Decodable {
    let choice: FillChoice

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(Page.membersWithRealm.union(["handle", "fields"]))
        choice = FillChoice(
            page: try Page(members: members),
            source: .suggestion(handle: try members.text("handle", within: 1...ExtensionBounds.handle)),
            fields: try FillChoice.fields(members))
    }
}

/// `params` of `state`.
struct StateParameters: Decodable {
    init(from decoder: any Decoder) throws {
        _ = try decoder.members([])
    }
}

/// `params` of `lock`.
struct LockParameters: Decodable {
    let provider: String

    init(from decoder: any Decoder) throws {
        provider = try decoder.members(["provider"]).text("provider", within: 1...ExtensionBounds.name)
    }
}

/// `params` of `list`.
struct ListParameters: Decodable {
    let choice: FillChoice

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(Page.membersWithRealm.union(["provider", "fields", "passkey"]))
        let passkey = try members.decodeIfPresent(PageAssertion.self, forKey: "passkey")
        let fields = try FillChoice.fields(members, mayBeEmpty: passkey != nil)
        guard passkey == nil || !fields.contains(.oneTimeCode) else {
            throw HostFailure.parameters("A one-time code comes alone.")
        }
        choice = FillChoice(
            page: try Page(members: members),
            source: .list(provider: try members.text("provider", within: 1...ExtensionBounds.name)),
            fields: fields, passkey: passkey)
    }
}

/// `params` of `insert`.
struct InsertParameters: Decodable, Hashable, Sendable {
    /// The page that it is for.
    let page: Page
    /// Whose texts the person chooses from.
    let provider: String

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(Page.members.union(["provider"]))
        page = try Page(members: members)
        provider = try members.text("provider", within: 1...ExtensionBounds.name)
    }
}
