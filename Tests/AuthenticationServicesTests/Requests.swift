import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem

extension CredentialIdentity {
    /// An identity of `record`, as the broker sends it.
    static func example(record: String? = "7", user: String = "ada", rank: Int = 0) -> CredentialIdentity {
        CredentialIdentity(
            kind: .password, service: ServiceIdentifier("example.com", kind: .domain), user: user,
            recordIdentifier: record, rank: rank)
    }
}

extension PerformRequest.Result {
    /// User and password, when that is the result.
    var credential: (user: String, password: String)? {
        get throws {
            guard case .password(let user, let password) = self else { return nil }
            let text = try password.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            return (user, text)
        }
    }

    /// Domain, code and reason, when it was cancelled.
    var cancellation: (domain: String, code: Int, reason: String?)? {
        guard case .cancelled(let domain, let code, let reason) = self else { return nil }
        return (domain, code, reason)
    }
}

extension PerformRequest.Request {
    /// Client data that a passkey signs.
    static let clientDataHash = Data(repeating: 7, count: 32)
    /// An assertion over ``clientDataHash`` for `example.com`.
    static let assertion = PasskeyAssertion(clientDataHash: clientDataHash, userVerification: .preferred)

    /// A request for the credential of an identity of `kind`.
    static func credential(_ kind: CredentialKind) -> PerformRequest.CredentialRequest {
        .init(
            identity: CredentialIdentity(
                kind: kind, service: ServiceIdentifier("example.com", kind: .domain), user: "ada",
                recordIdentifier: "7", rank: 3,
                passkey: kind == .passkey ? .init(credentialID: Data([1, 2]), userHandle: Data([3])) : nil),
            assertion: kind == .passkey ? assertion : nil)
    }

    /// A new passkey for `ada` at `example.com`.
    static let registration = PasskeyRegistration(
        relyingParty: "example.com", userName: "ada", userHandle: Data([3]), clientDataHash: clientDataHash,
        userVerification: .required, algorithms: [-8, -7], excludedCredentials: [Data([4])])

    /// A password to keep.
    static func toSave() throws -> PasswordToSave {
        PasswordToSave(
            service: ServiceIdentifier("org.example.App", kind: .app), serviceName: "Example", user: "ada",
            password: try Attachment(text: "pässword"), title: "Work", session: "9d0f",
            event: .generatedPasswordFilled, generatedKind: "PASSPHRASE")
    }

    /// Passwords for a page.
    static let toGenerate = PasswordsToGenerate(
        service: ServiceIdentifier("https://example.com/join", kind: .url), passwordRules: "minlength: 12;",
        confirmationRules: nil, quirkRules: "maxlength: 20;")

    /// One request for every entry, by a name.
    static func everyOne() throws -> [String: PerformRequest.Request] {
        [
            "provide password": .provideWithoutInteraction(credential(.password)),
            "provide passkey": .provideWithoutInteraction(credential(.passkey)),
            "provide code": .provideWithoutInteraction(credential(.oneTimeCode)),
            "prepare password": .provideWithInteraction(credential(.password)),
            "prepare passkey": .provideWithInteraction(credential(.passkey)),
            "prepare code": .provideWithInteraction(credential(.oneTimeCode)),
            "list": .list([], passkeys: nil),
            "list with passkeys": .list([], passkeys: .init(relyingParty: "example.com", assertion: assertion)),
            "codes": .oneTimeCodeList([]),
            "text": .textToInsert,
            "register silently": .registerPasskeyWithoutInteraction(registration),
            "register": .registerPasskey(registration),
            "save silently": .savePasswordWithoutInteraction(try toSave()),
            "save": .savePassword(try toSave()),
            "generate silently": .generatePasswordsWithoutInteraction(toGenerate),
            "generate": .generatePasswords(toGenerate),
            "configure": .configuration,
            "report": .report(.passwordUnused(domain: "example.com", userName: "ada")),
        ]
    }
}

extension Attachment {
    /// A memory file with `text`.
    init(text: String) throws {
        self.init(try Array(text.utf8).withUnsafeBytes { try SealedMemory(copying: $0) })
    }

    /// What the memory file holds.
    var text: String {
        get throws { try sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }
}
