import KeywayCrypto
import PasskeySignatures
import Testing
import WebAuthnValues

@testable import Authenticator

struct RegistrationTests {
    static let hash = [UInt8](repeating: 3, count: 32)

    static func request(
        algorithms: [Int] = [-7], excluded: [[UInt8]] = [], verification: UserVerificationPreference = .preferred,
        isConditional: Bool = false, conveyance: AttestationConveyance = .none,
        extensions: RegistrationInputs = RegistrationInputs()
    ) throws -> RegistrationRequest {
        try RegistrationRequest(
            relyingParty: "example.org", userHandle: [1, 2, 3], clientDataHash: hash, algorithms: algorithms,
            excluded: excluded, verification: verification, isConditional: isConditional, conveyance: conveyance,
            extensions: extensions)
    }

    static func register(
        _ request: RegistrationRequest, existing: Set<[UInt8]> = [], person: PersonState = .verified,
        backup: BackupState = .eligible
    ) throws -> Registration {
        try PasskeyAuthenticator().register(request, existing: existing, person: person, backup: backup)
    }

    @Test func theRelyingPartyGetsTheKeyThatIsStored() throws {
        let registration = try Self.register(Self.request())
        let passkey = registration.passkey
        let data = registration.attestation.authenticatorData
        #expect(data.relyingPartyHash == Digest.sha256("example.org".utf8))
        #expect(data.counter == 0)
        #expect(data.extensions == nil)
        #expect(data.credential?.identifier == passkey.identifier)
        #expect(data.credential?.publicKey == (try PrivateKey(passkey.key).publicKey))
        #expect(registration.publicKey == data.credential?.publicKey)
        #expect(data.credential?.aaguid == PasskeyAuthenticator.aaguid)
        #expect(passkey.identifier.count == 32)
        #expect(passkey.relyingParty == "example.org")
        #expect(passkey.userHandle == [1, 2, 3])
        #expect(passkey.largeBlob == nil)
        #expect(try AttestationObject(registration.attestation.bytes) == registration.attestation)
    }

    @Test func everyPasskeyHasItsOwnIDKeyAndSecret() throws {
        let (one, other) = (try Self.register(Self.request()), try Self.register(Self.request()))
        #expect(one.passkey.identifier != other.passkey.identifier)
        #expect(one.publicKey != other.publicKey)
        #expect(one.passkey.pseudoRandomSecret != other.passkey.pseudoRandomSecret)
    }

    @Test(arguments: PersonState.allCases, BackupState.allCases)
    func theFlagsTellWhatWasTheCase(person: PersonState, backup: BackupState) throws {
        let request = try Self.request(isConditional: person == .absent)
        let registration = try Self.register(request, person: person, backup: backup)
        let flags = registration.attestation.authenticatorData.flags
        #expect(flags.contains(.attestedCredential))
        #expect(flags.contains(.userPresent) == (person != .absent))
        #expect(flags.contains(.userVerified) == (person == .verified))
        #expect(flags.contains(.backupEligible) == (backup != .deviceBound))
        #expect(flags.contains(.backedUp) == (backup == .backedUp))
        #expect(!flags.contains(.extensions))
        #expect(registration.passkey.isBackupEligible == (backup != .deviceBound))
    }

    @Test(arguments: UserVerificationPreference.allCases, PersonState.allCases)
    func verificationIsRequiredWhereItIsRequired(verification: UserVerificationPreference, person: PersonState) throws {
        for isConditional in [false, true] {
            try Self.expectVerification(verification, person, isConditional)
        }
    }

    private static func expectVerification(
        _ verification: UserVerificationPreference, _ person: PersonState, _ isConditional: Bool
    ) throws {
        let request = try request(verification: verification, isConditional: isConditional)
        let expected: AuthenticatorError.Code? =
            switch person {
            case .absent where !isConditional: .presenceRequired
            case .absent, .present: verification == .required ? .verificationRequired : nil
            case .verified: nil
            }
        do {
            _ = try register(request, person: person)
            #expect(expected == nil)
        } catch let error as AuthenticatorError {
            #expect(error.code == expected)
        }
    }

    @Test func anExcludedPasskeyIsToldOnlyToAPersonWhoAgreed() throws {
        let request = try Self.request(excluded: [[9], [8]], verification: .required)
        #expect(throws: AuthenticatorError(.excluded, "")) { try Self.register(request, existing: [[8], [7]]) }
        #expect(throws: AuthenticatorError(.verificationRequired, "")) {
            try Self.register(request, existing: [[8]], person: .present)
        }
        #expect(throws: AuthenticatorError(.presenceRequired, "")) {
            try Self.register(request, existing: [[8]], person: .absent)
        }
        #expect(throws: Never.self) { try Self.register(request, existing: [[7]]) }
        #expect(AuthenticatorError(.excluded, "").pageName() == "InvalidStateError")
        #expect(AuthenticatorError(.excluded, "").pageName(isConditional: true) == "NotAllowedError")
    }

    @Test func excludedCredentialsOfUnknownTypesAreIgnored() {
        #expect(RegistrationRequest.excluded(stated: [("other", [1]), ("public-key", [2])]) == [[2]])
        #expect(RegistrationRequest.excluded(stated: []) == [])
    }

    @Test(arguments: [
        ([-7, -257], SignatureAlgorithm.es256), ([-257, -7], .rs256), ([-8, -7], .edDSA), ([-36, 5, -8], .edDSA),
    ])
    func theFirstKnownAlgorithmIsTaken(algorithms: [Int], taken: SignatureAlgorithm) throws {
        let registration = try Self.register(Self.request(algorithms: algorithms))
        #expect(registration.publicKey.algorithm == taken)
        #expect(registration.attestation.authenticatorData.credential?.algorithm == taken.rawValue)
    }

    @Test func withoutAKnownAlgorithmThereIsNoPasskey() throws {
        for algorithms in [[], [-36, -47]] {
            #expect(throws: AuthenticatorError(.notSupported, "")) {
                try Self.register(Self.request(algorithms: algorithms))
            }
        }
        #expect(try RegistrationRequest.algorithms(stated: []) == [-7, -257])
        #expect(try RegistrationRequest.algorithms(stated: [("other", -8), ("public-key", -7)]) == [-7])
        #expect(throws: AuthenticatorError(.notSupported, "")) {
            try RegistrationRequest.algorithms(stated: [("other", -7)])
        }
    }

    @Test(arguments: AttestationConveyance.allCases, [-7, -8, -257])
    func whoWantsAnAttestationGetsSelfAttestation(
        conveyance: AttestationConveyance, algorithm: Int
    ) throws {
        let request = try Self.request(algorithms: [algorithm], conveyance: conveyance)
        let object = try Self.register(request).attestation
        guard conveyance == .direct || conveyance == .enterprise else {
            #expect(object.format == "none")
            #expect(object.statement == .map([:]))
            return
        }
        #expect(object.format == "packed")
        guard case .map(let entries) = object.statement, case .bytes(let signature) = entries[.text("sig")] else {
            Issue.record("no signature")
            return
        }
        #expect(entries.count == 2)
        #expect(entries[.text("alg")] == .integer(algorithm))
        let message = object.authenticatorData.bytes + Self.hash
        #expect(object.authenticatorData.credential?.publicKey?.isSignature(signature, of: message) == true)
    }

    @Test func unknownWishesAreTheDefaults() {
        #expect(AttestationConveyance(stated: "other") == .none)
        #expect(AttestationConveyance(stated: "direct") == .direct)
        #expect(UserVerificationPreference(stated: nil) == .preferred)
        #expect(UserVerificationPreference(stated: "always") == .preferred)
        #expect(UserVerificationPreference(stated: "required") == .required)
    }

    @Test(arguments: [("", 3, 32), ("example.org", 0, 32), ("example.org", 65, 32), ("example.org", 3, 31)])
    func refusesWhatWebAuthnHasNoRoomFor(relyingParty: String, userHandle: Int, hash: Int) {
        #expect(throws: AuthenticatorError(.invalidRequest, "")) {
            try RegistrationRequest(
                relyingParty: relyingParty, userHandle: [UInt8](repeating: 1, count: userHandle),
                clientDataHash: [UInt8](repeating: 1, count: hash), algorithms: [-7])
        }
    }

    /// A page learns the names of WebAuthn, and that a person or a passkey is missing never apart.
    @Test(arguments: [
        (AuthenticatorError.Code.invalidRequest, "TypeError"), (.notSupported, "NotSupportedError"),
        (.syntax, "SyntaxError"), (.verificationRequired, "NotAllowedError"),
        (.presenceRequired, "NotAllowedError"), (.noCredential, "NotAllowedError"), (.keyFailed, "NotAllowedError"),
    ])
    func pagesGetTheNamesOfWebAuthn(code: AuthenticatorError.Code, name: String) {
        #expect(AuthenticatorError(code, "").pageName() == name)
    }
}
