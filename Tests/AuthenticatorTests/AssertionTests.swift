import FoundationEssentials
import KeywayCrypto
import PasskeySignatures
import Testing
import WebAuthnValues

@testable import Authenticator

struct AssertionTests {
    private static let hash = [UInt8](repeating: 4, count: 32)

    private static func passkey(
        algorithm: Int = -7, backup: BackupState = .eligible
    ) throws -> (Passkey, PublicKey) {
        let request = try RegistrationTests.request(algorithms: [algorithm])
        let registration = try RegistrationTests.register(request, backup: backup)
        return (registration.passkey, registration.publicKey)
    }

    private static func request(
        relyingParty: String = "example.org", allowed: [[UInt8]] = [],
        verification: UserVerificationPreference = .preferred,
        extensions: AssertionInputs<SecretBytes> = AssertionInputs()
    ) throws -> AssertionRequest {
        try AssertionRequest(
            relyingParty: relyingParty, clientDataHash: hash, allowed: allowed, verification: verification,
            extensions: extensions)
    }

    private static func sign(
        _ request: AssertionRequest, with passkey: Passkey, person: PersonState = .verified, isBackedUp: Bool = false
    ) throws -> Assertion {
        try PasskeyAuthenticator().sign(request, with: passkey, person: person, isBackedUp: isBackedUp)
    }

    @Test(arguments: [-7, -8, -257])
    func theSignatureIsThatOfTheRegisteredKey(algorithm: Int) throws {
        let (passkey, key) = try Self.passkey(algorithm: algorithm)
        let assertion = try Self.sign(Self.request(), with: passkey)
        #expect(assertion.identifier == passkey.identifier)
        #expect(assertion.userHandle == passkey.userHandle)
        #expect(key.isSignature(assertion.signature, of: assertion.authenticatorData + Self.hash))
        let data = try AuthenticatorData(assertion.authenticatorData)
        #expect(data.relyingPartyHash == Digest.sha256("example.org".utf8))
        #expect(data.counter == 0)
        #expect(data.credential == nil)
        #expect(assertion.newLargeBlob == nil)
    }

    @Test(arguments: [(PersonState.present, false), (.verified, true)], BackupState.allCases)
    func theFlagsTellWhatIsTheCase(facts: (person: PersonState, isBackedUp: Bool), backup: BackupState) throws {
        let (person, isBackedUp) = facts
        let (passkey, _) = try Self.passkey(backup: backup)
        let assertion = try Self.sign(Self.request(), with: passkey, person: person, isBackedUp: isBackedUp)
        let flags = try AuthenticatorData(assertion.authenticatorData).flags
        #expect(flags.contains(.userPresent))
        #expect(flags.contains(.userVerified) == (person == .verified))
        // Eligible is what it was at the registration; nothing that is bound to its device is backed up.
        #expect(flags.contains(.backupEligible) == (backup != .deviceBound))
        #expect(flags.contains(.backedUp) == (backup != .deviceBound && isBackedUp))
        #expect(!flags.contains(.attestedCredential))
    }

    @Test(arguments: UserVerificationPreference.allCases, PersonState.allCases)
    func verificationIsRequiredWhereItIsRequired(verification: UserVerificationPreference, person: PersonState) throws {
        let (passkey, _) = try Self.passkey()
        let request = try Self.request(verification: verification)
        let expected: AuthenticatorError.Code? =
            switch person {
            case .absent: .presenceRequired
            case .present: verification == .required ? .verificationRequired : nil
            case .verified: nil
            }
        do {
            _ = try Self.sign(request, with: passkey, person: person)
            #expect(expected == nil)
        } catch let error as AuthenticatorError {
            #expect(error.code == expected)
        }
    }

    @Test func signsForItsRelyingPartyAndTheAllowListOnly() throws {
        let (passkey, _) = try Self.passkey()
        #expect(throws: Never.self) { try Self.sign(Self.request(allowed: [[1], passkey.identifier]), with: passkey) }
        for request in [try Self.request(relyingParty: "example.com"), try Self.request(allowed: [[1]])] {
            #expect(throws: AuthenticatorError(.noCredential, "")) { try Self.sign(request, with: passkey) }
        }
    }

    @Test func candidatesComeInTheOrderOfTheAllowList() throws {
        let known: [[UInt8]] = [[1], [2], [3]]
        #expect(try Self.request().candidates(among: known) == known)
        #expect(try Self.request(allowed: [[3], [9], [1], [3]]).candidates(among: known) == [[3], [1]])
        #expect(try Self.request(allowed: [[9]]).candidates(among: known) == [])
    }

    @Test func anAllowListOfUnknownTypesAllowsNothing() throws {
        #expect(try AssertionRequest.allowed(stated: []) == [])
        #expect(try AssertionRequest.allowed(stated: [("other", [1]), ("public-key", [2])]) == [[2]])
        #expect(throws: AuthenticatorError(.noCredential, "")) {
            try AssertionRequest.allowed(stated: [("other", [1])])
        }
    }

    @Test func aDamagedKeySignsNothing() throws {
        let (passkey, _) = try Self.passkey()
        let damaged = Passkey(
            identifier: passkey.identifier, relyingParty: passkey.relyingParty, userHandle: passkey.userHandle,
            key: SecretBytes(copying: [1, 2, 3]))
        #expect(throws: AuthenticatorError(.keyFailed, "")) { try Self.sign(Self.request(), with: damaged) }
    }

    // MARK: - Extensions

    private static let values = PRFValues(first: Data([1]), second: Data([2]))
    private static let others = PRFValues(first: Data([3]))

    private static func others(for identifier: [UInt8]) -> PRFCredentialValues {
        PRFCredentialValues(credentialID: Data(identifier), values: others)
    }

    @Test func theOutputsOfARegistrationAreThoseOfEverySignIn() throws {
        let extensions = RegistrationInputs(prf: .init(values: Self.values))
        let registration = try RegistrationTests.register(RegistrationTests.request(extensions: extensions))
        let atFirst = try #require(registration.extensions.prf?.values)
        #expect(registration.extensions.prf?.isSupported == true)
        let request = try Self.request(extensions: AssertionInputs(prf: .init(values: Self.values)))
        for _ in 0..<2 {
            let assertion = try Self.sign(request, with: registration.passkey)
            #expect(assertion.extensions.prf == atFirst)
        }
        #expect(atFirst.first != atFirst.second)
        let swapped = try Self.request(
            extensions: AssertionInputs(prf: .init(values: PRFValues(first: Data([2])))))
        let results = try Self.sign(swapped, with: registration.passkey).extensions.prf
        #expect(results?.first == atFirst.second)
        #expect(results?.second == nil)
    }

    @Test func outputsNeedAVerifiedPerson() throws {
        let extensions = RegistrationInputs(prf: .init(values: Self.values))
        let request = try RegistrationTests.request(isConditional: true, extensions: extensions)
        for person in [PersonState.absent, .present] {
            let outputs = try RegistrationTests.register(request, person: person).extensions.prf
            #expect(outputs == .init(isSupported: true, values: nil))
        }
        let (passkey, _) = try Self.passkey()
        let asking = try Self.request(
            verification: .discouraged, extensions: AssertionInputs(prf: .init(values: Self.values)))
        #expect(asking.requiresVerification(for: passkey.identifier))
        #expect(throws: AuthenticatorError(.verificationRequired, "")) {
            try Self.sign(asking, with: passkey, person: .present)
        }
        let silent = try Self.request(extensions: AssertionInputs(prf: .init(values: nil)))
        #expect(!silent.requiresVerification(for: passkey.identifier))
        #expect(try Self.sign(silent, with: passkey, person: .present).extensions.prf == nil)
    }

    @Test func saltsOfTheCredentialComeBeforeTheGeneralOnes() throws {
        let (passkey, _) = try Self.passkey()
        func first(_ prf: PRFAssertionInput, allowed: [[UInt8]]) throws -> SecretBytes? {
            let extensions = AssertionInputs<SecretBytes>(prf: prf)
            let request = try Self.request(allowed: allowed, extensions: extensions)
            return try Self.sign(request, with: passkey).extensions.prf?.first
        }
        let allowed = [passkey.identifier, [1]]
        let own = try first(
            .init(values: Self.values, byCredential: [Self.others(for: passkey.identifier)]), allowed: allowed)
        #expect(try own == first(.init(values: Self.others), allowed: []))
        let general = try first(.init(values: Self.values, byCredential: [Self.others(for: [1])]), allowed: allowed)
        #expect(try general == first(.init(values: Self.values), allowed: []))
        #expect(try first(.init(values: nil, byCredential: [Self.others(for: [1])]), allowed: allowed) == nil)
        #expect(throws: AuthenticatorError(.notSupported, "")) {
            try first(.init(values: nil, byCredential: [Self.others(for: passkey.identifier)]), allowed: [])
        }
        #expect(throws: AuthenticatorError(.syntax, "")) {
            try first(.init(values: nil, byCredential: [Self.others(for: [2])]), allowed: allowed)
        }
    }

    @Test func aPasskeyWithoutASecretHasNoOutputs() throws {
        let (passkey, _) = try Self.passkey()
        let imported = Passkey(
            identifier: passkey.identifier, relyingParty: passkey.relyingParty, userHandle: passkey.userHandle,
            key: passkey.key)
        let request = try Self.request(extensions: AssertionInputs(prf: .init(values: Self.values)))
        #expect(try Self.sign(request, with: imported).extensions.prf == nil)
    }

    @Test func aBlobIsReadAndWritten() throws {
        let (passkey, _) = try Self.passkey()
        let blob = SecretBytes(copying: [5, 6])
        let write = try Self.request(
            allowed: [passkey.identifier], extensions: AssertionInputs(largeBlob: .write(blob)))
        let written = try Self.sign(write, with: passkey)
        #expect(written.extensions.largeBlob == .wrote(true))
        #expect(written.newLargeBlob == blob)
        let read = try Self.request(extensions: AssertionInputs(largeBlob: .read))
        #expect(try Self.sign(read, with: passkey).extensions.largeBlob == .read(nil))
        let stored = Passkey(
            identifier: passkey.identifier, relyingParty: passkey.relyingParty, userHandle: passkey.userHandle,
            key: passkey.key, largeBlob: written.newLargeBlob)
        let answer = try Self.sign(read, with: stored)
        #expect(answer.extensions.largeBlob == .read(blob))
        #expect(answer.newLargeBlob == nil)
    }

    @Test func aBlobThatIsTooLargeIsNotWritten() throws {
        let (passkey, _) = try Self.passkey()
        for (extra, isWritten) in [(0, true), (1, false)] {
            let blob = SecretBytes(count: Passkey.largestBlob + extra) { _ in }
            let request = try Self.request(
                allowed: [passkey.identifier], extensions: AssertionInputs(largeBlob: .write(blob)))
            let assertion = try Self.sign(request, with: passkey)
            #expect(assertion.extensions.largeBlob == .wrote(isWritten))
            #expect((assertion.newLargeBlob != nil) == isWritten)
        }
    }

    @Test(arguments: [[], [[1], [2]]] as [[[UInt8]]])
    func aBlobIsWrittenToOneNamedPasskeyOnly(allowed: [[UInt8]]) {
        let extensions = AssertionInputs(largeBlob: .write(SecretBytes(copying: [1])))
        #expect(throws: AuthenticatorError(.notSupported, "")) {
            try Self.request(allowed: allowed, extensions: extensions)
        }
    }

    @Test func whatIsNotAskedForIsNotAnswered() throws {
        let registration = try RegistrationTests.register(RegistrationTests.request())
        #expect(
            registration.extensions
                == RegistrationOutputs(isDiscoverable: nil, isLargeBlobSupported: nil, prf: nil))
        let assertion = try Self.sign(Self.request(), with: registration.passkey)
        #expect(assertion.extensions == AssertionOutputs(largeBlob: nil, prf: nil))
        let asked = RegistrationInputs(credProps: true, largeBlob: .preferred, prf: .init(values: nil))
        let outputs = try RegistrationTests.register(RegistrationTests.request(extensions: asked)).extensions
        #expect(
            outputs
                == RegistrationOutputs(
                    isDiscoverable: true, isLargeBlobSupported: true, prf: .init(isSupported: true, values: nil)))
    }
}
