import Authenticator
import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import PasswordsProtocol
import Testing
import WebAuthnValues

@testable import PasswordsService

/// What the extension asks of passkeys, as the tests put it.
extension Connection {
    static let clientDataHash = Data(repeating: 4, count: 32)

    /// Asks for a passkey; verified unless said.
    @discardableResult
    func makePasskey(
        _ user: String = "ada", at party: String = "example.com", handle: [UInt8] = [1], isVerified: Bool = true,
        verification: UserVerificationPreference = .preferred, excluded: [Data] = [], isConditional: Bool = false,
        algorithms: [Int] = [-7], extensions: RegistrationInputs? = nil
    ) async throws -> PasskeyRegistrationCredential {
        let registration = PasskeyRegistration(
            relyingParty: party, userName: user, userHandle: Data(handle), clientDataHash: Self.clientDataHash,
            userVerification: verification, algorithms: algorithms, excludedCredentials: excluded,
            extensions: extensions, isPersonVerified: isVerified)
        return try await call(MakePasskey.self, .init(registration: registration, isConditional: isConditional))
    }

    /// Signs with the passkey of one item; verified unless said.
    func sign(
        _ item: String, at party: String = "example.com", allowed: [Data] = [], isVerified: Bool? = true,
        verification: UserVerificationPreference = .preferred,
        extensions: AssertionInputs<AutoFillWire.Attachment>? = nil
    ) async throws -> PasskeyAssertionCredential {
        let assertion = PasskeyAssertion(
            clientDataHash: Self.clientDataHash, userVerification: verification, allowedCredentials: allowed,
            extensions: extensions)
        let request = PasskeyRequestParameters(
            relyingParty: party, assertion: assertion, isPersonVerified: isVerified)
        return try await call(SignWithPasskey.self, .init(item: item, request: request))
    }

    func passkeys(at party: String = "example.com", allowed: [Data] = []) async throws -> [ItemSummary] {
        try await call(FindPasskeys.self, .init(relyingParty: party, allowedCredentials: allowed)).items
    }

    func report(_ report: CredentialReport) async throws {
        _ = try await call(HearReport.self, .init(report: report))
    }

    /// All items, hidden ones too, by user name.
    func hidden(_ kind: ItemKind? = nil) async throws -> [String] {
        try await call(SearchItems.self, .init(text: "", kind: kind)).items.filter { $0.hidden != nil }.map(\.user)
    }
}

extension PasskeyRegistrationCredential {
    /// What is attested.
    var data: AuthenticatorData {
        get throws { try AttestationObject(attestationObject).authenticatorData }
    }
}

extension PasskeyAssertionCredential {
    /// What is signed, after the client data.
    var data: AuthenticatorData {
        get throws { try AuthenticatorData(authenticatorData) }
    }

    /// Whether it is signed by the passkey that was registered.
    func isSigned(by registration: PasskeyRegistrationCredential) throws -> Bool {
        guard let key = try registration.data.credential?.publicKey else { return false }
        return key.isSignature(Array(signature), of: Array(authenticatorData + clientDataHash))
    }
}
