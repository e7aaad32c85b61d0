import AutoFillProtocol
import FoundationEssentials
import KeywayCrypto
import WebAuthnValues

/// Bounds on what a page sends; those of `Browser/src/protocol/passkeys.js`, in bytes.
enum PasskeyBounds {
    static let challenge = 0...16_384
    static let credentialID = 1...1023
    static let userHandle = 1...64
    static let blob = 0...(1 << 20)
    static let prfInput = 0...4096
    static let credentials = 1024
    static let algorithms = 1...64
    static let relyingParty = 1...253
    static let name = 0...4096
}

extension KeyedDecodingContainer where Key == MemberName {
    /// Bytes in base64url, as many as `bounds` say.
    func bytes(_ name: MemberName, within bounds: ClosedRange<Int>) throws -> Data {
        try Self.bytes(of: decode(String.self, forKey: name), name.stringValue, within: bounds)
    }

    /// The same, where it may be missing.
    func bytesIfPresent(_ name: MemberName, within bounds: ClosedRange<Int>) throws -> Data? {
        contains(name) ? try bytes(name, within: bounds) : nil
    }

    /// Credential IDs.
    func identifiers(_ name: MemberName) throws -> [Data] {
        let texts = try decode([String].self, forKey: name)
        guard texts.count <= PasskeyBounds.credentials else {
            throw HostFailure.parameters("`\(name.stringValue)` names too many.")
        }
        return try texts.map { try Self.bytes(of: $0, name.stringValue, within: PasskeyBounds.credentialID) }
    }

    /// The relying party; nil where the page's own host is meant.
    func relyingParty() throws -> String? {
        contains("relyingParty") ? try text("relyingParty", within: PasskeyBounds.relyingParty) : nil
    }

    fileprivate static func bytes(of text: String, _ name: String, within bounds: ClosedRange<Int>) throws -> Data {
        guard let bytes = Base64URL.bytes(of: text), bounds.contains(bytes.count) else {
            throw HostFailure.parameters("`\(name)` is no base64url, too short or too long.")
        }
        return Data(bytes)
    }
}

/// What a page wants signed: `request` of `passkeys.get`, `passkey` of `list`.
struct PageAssertion: Decodable, Hashable, Sendable {
    let challenge: Data
    let relyingParty: String?
    let allowed: [Data]
    let userVerification: UserVerificationPreference
    let extensions: AssertionInputs<Data>

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["challenge", "relyingParty", "allowed", "userVerification", "extensions"])
        challenge = try members.bytes("challenge", within: PasskeyBounds.challenge)
        relyingParty = try members.relyingParty()
        allowed = try members.identifiers("allowed")
        userVerification = try members.decode(UserVerificationPreference.self, forKey: "userVerification")
        extensions =
            try members.decodeIfPresent(PageAssertionInputs.self, forKey: "extensions")?.inputs ?? AssertionInputs()
    }

    /// What the broker is asked for `frame`, whose client data is signed.
    func parameters(_ frame: AskingFrame, _ clientData: ClientData) throws(HostFailure) -> PasskeyRequestParameters {
        PasskeyRequestParameters(
            relyingParty: relyingParty ?? frame.host,
            assertion: PasskeyAssertion(
                clientDataHash: Data(Digest.sha256(clientData.json)), userVerification: userVerification,
                allowedCredentials: allowed,
                extensions: try extensions.broker()))
    }
}

/// A new passkey that a page wants: `request` of `passkeys.create`.
struct PageRegistration: Decodable, Hashable, Sendable {
    struct User: Decodable, Hashable, Sendable {
        let id: Data
        let name: String
        let displayName: String

        init(from decoder: any Decoder) throws {
            let members = try decoder.members(["id", "name", "displayName"])
            id = try members.bytes("id", within: PasskeyBounds.userHandle)
            name = try members.text("name", within: PasskeyBounds.name)
            displayName = try members.text("displayName", within: PasskeyBounds.name)
        }
    }

    let challenge: Data
    let relyingParty: String?
    let user: User
    let algorithms: [Int]
    let excluded: [Data]
    let userVerification: UserVerificationPreference
    /// How much the page wants to know of what made the passkey.
    let conveyance: AttestationConveyance
    let extensions: RegistrationInputs

    init(from decoder: any Decoder) throws {
        let members = try decoder.members([
            "challenge", "relyingParty", "user", "algorithms", "excluded", "userVerification", "attestation",
            "extensions",
        ])
        challenge = try members.bytes("challenge", within: PasskeyBounds.challenge)
        relyingParty = try members.relyingParty()
        user = try members.decode(User.self, forKey: "user")
        algorithms = try members.decode([Int].self, forKey: "algorithms")
        excluded = try members.identifiers("excluded")
        userVerification = try members.decode(UserVerificationPreference.self, forKey: "userVerification")
        let attestation = try members.decodeIfPresent(String.self, forKey: "attestation")
        guard let conveyance = AttestationConveyance(rawValue: attestation ?? "none") else {
            throw HostFailure.parameters("`attestation` is not one of the choices.")
        }
        self.conveyance = conveyance
        extensions =
            try members.decodeIfPresent(PageRegistrationInputs.self, forKey: "extensions")?.inputs
            ?? RegistrationInputs()
        guard PasskeyBounds.algorithms.contains(algorithms.count) else {
            throw HostFailure.parameters("`algorithms` names none or too many.")
        }
    }

    /// What the broker is asked for `frame`, whose client data is attested.
    func registration(_ frame: AskingFrame, _ clientData: ClientData) -> PasskeyRegistration {
        PasskeyRegistration(
            relyingParty: relyingParty ?? frame.host, userName: user.name.isEmpty ? user.displayName : user.name,
            userHandle: user.id, clientDataHash: Data(Digest.sha256(clientData.json)),
            userVerification: userVerification,
            algorithms: algorithms, excludedCredentials: excluded, extensions: extensions.forProvider)
    }
}

/// `params` of `passkeys.get`.
struct GetParameters: Decodable, Hashable, Sendable {
    let frame: AskingFrame
    /// The passkey that the person chose in the menu; nil where they choose in a window of the system's.
    let handle: String?
    let request: PageAssertion

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(AskingFrame.members.union(["handle", "request"]))
        frame = try AskingFrame(members: members)
        handle = members.contains("handle") ? try members.text("handle", within: 1...ExtensionBounds.handle) : nil
        request = try members.decode(PageAssertion.self, forKey: "request")
    }
}

/// `params` of `passkeys.create`.
struct CreateParameters: Decodable, Hashable, Sendable {
    let frame: AskingFrame
    let isConditional: Bool
    let request: PageRegistration

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(AskingFrame.members.union(["isConditional", "request"]))
        frame = try AskingFrame(members: members)
        isConditional = try members.decode(Bool.self, forKey: "isConditional")
        request = try members.decode(PageRegistration.self, forKey: "request")
    }
}

/// `params` of `passkeys.report`.
struct ReportParameters: Decodable, Hashable, Sendable {
    let page: Page
    let report: CredentialReport

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(Page.members.union(["report"]))
        page = try Page(members: members)
        report = try members.decode(PageReport.self, forKey: "report").report
    }
}

/// `report` of `passkeys.report`.
private struct PageReport: Decodable {
    let report: CredentialReport

    init(from decoder: any Decoder) throws {
        let common: Set<String> = ["kind", "relyingParty"]
        let members = try decoder.members(common.union(["credential", "user", "credentials", "name"]))
        let party = try members.text("relyingParty", within: PasskeyBounds.relyingParty)
        func user() throws -> Data { try members.bytes("user", within: PasskeyBounds.userHandle) }
        switch try members.decode(String.self, forKey: "kind") {
        case "unknown":
            _ = try decoder.members(common.union(["credential"]))
            report = .passkeyUnknown(
                relyingParty: party, credentialID: try members.bytes("credential", within: PasskeyBounds.credentialID))
        case "accepted":
            _ = try decoder.members(common.union(["user", "credentials"]))
            report = .passkeysAccepted(
                relyingParty: party, userHandle: try user(), credentialIDs: try members.identifiers("credentials"))
        case "renamed":
            _ = try decoder.members(common.union(["user", "name"]))
            report = .passkeyUpdated(
                relyingParty: party, userHandle: try user(),
                newName: try members.text("name", within: PasskeyBounds.name))
        default: throw HostFailure.parameters("There is no such report.")
        }
    }
}
