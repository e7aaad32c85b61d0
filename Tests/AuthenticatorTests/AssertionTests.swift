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
        relyingParty: String = "example.org", allowed: [[UInt8]] = [], verification: UserVerification = .preferred,
        extensions: AssertionExtensions = AssertionExtensions()
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

    @Test(arguments: UserVerification.allCases, PersonState.allCases)
    func verificationIsRequiredWhereItIsRequired(verification: UserVerification, person: PersonState) throws {
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

    private static let salts = PseudoRandomSalts(hashing: [1], [2])
    private static let others = PseudoRandomSalts(hashing: [3])

    @Test func theOutputsOfARegistrationAreThoseOfEverySignIn() throws {
        let extensions = RegistrationExtensions(pseudoRandom: .evaluate(Self.salts))
        let registration = try RegistrationTests.register(RegistrationTests.request(extensions: extensions))
        let atFirst = try #require(registration.extensions.pseudoRandom?.results)
        #expect(registration.extensions.pseudoRandom?.isEnabled == true)
        let request = try Self.request(extensions: AssertionExtensions(pseudoRandom: .init(Self.salts)))
        for _ in 0..<2 {
            let assertion = try Self.sign(request, with: registration.passkey)
            #expect(assertion.extensions.pseudoRandom?.results == atFirst)
        }
        #expect(atFirst.first != atFirst.second)
        let swapped = try Self.request(
            extensions: AssertionExtensions(pseudoRandom: .init(PseudoRandomSalts(hashing: [2]))))
        let results = try Self.sign(swapped, with: registration.passkey).extensions.pseudoRandom?.results
        #expect(results?.first == atFirst.second)
        #expect(results?.second == nil)
    }

    @Test func outputsNeedAVerifiedPerson() throws {
        let extensions = RegistrationExtensions(pseudoRandom: .evaluate(Self.salts))
        let request = try RegistrationTests.request(isConditional: true, extensions: extensions)
        for person in [PersonState.absent, .present] {
            let outputs = try RegistrationTests.register(request, person: person).extensions.pseudoRandom
            #expect(outputs == .init(isEnabled: true, results: nil))
        }
        let (passkey, _) = try Self.passkey()
        let asking = try Self.request(
            verification: .discouraged, extensions: AssertionExtensions(pseudoRandom: .init(Self.salts)))
        #expect(asking.requiresVerification(for: passkey.identifier))
        #expect(throws: AuthenticatorError(.verificationRequired, "")) {
            try Self.sign(asking, with: passkey, person: .present)
        }
        let silent = try Self.request(extensions: AssertionExtensions(pseudoRandom: .init(nil)))
        #expect(!silent.requiresVerification(for: passkey.identifier))
        #expect(try Self.sign(silent, with: passkey, person: .present).extensions.pseudoRandom == .init(results: nil))
    }

    @Test func saltsOfTheCredentialComeBeforeTheGeneralOnes() throws {
        let (passkey, _) = try Self.passkey()
        func first(_ pseudoRandom: AssertionExtensions.PseudoRandom, allowed: [[UInt8]]) throws -> SecretBytes? {
            let extensions = AssertionExtensions(pseudoRandom: pseudoRandom)
            let request = try Self.request(allowed: allowed, extensions: extensions)
            return try Self.sign(request, with: passkey).extensions.pseudoRandom?.results?.first
        }
        let allowed = [passkey.identifier, [1]]
        let own = try first(.init(Self.salts, byCredential: [passkey.identifier: Self.others]), allowed: allowed)
        #expect(try own == first(.init(Self.others), allowed: []))
        let general = try first(.init(Self.salts, byCredential: [[1]: Self.others]), allowed: allowed)
        #expect(try general == first(.init(Self.salts), allowed: []))
        #expect(try first(.init(nil, byCredential: [[1]: Self.others]), allowed: allowed) == nil)
        #expect(throws: AuthenticatorError(.notSupported, "")) {
            try first(.init(nil, byCredential: [passkey.identifier: Self.others]), allowed: [])
        }
        #expect(throws: AuthenticatorError(.syntax, "")) {
            try first(.init(nil, byCredential: [[2]: Self.others]), allowed: allowed)
        }
    }

    @Test func aPasskeyWithoutASecretHasNoOutputs() throws {
        let (passkey, _) = try Self.passkey()
        let imported = Passkey(
            identifier: passkey.identifier, relyingParty: passkey.relyingParty, userHandle: passkey.userHandle,
            key: passkey.key)
        let request = try Self.request(extensions: AssertionExtensions(pseudoRandom: .init(Self.salts)))
        #expect(try Self.sign(request, with: imported).extensions.pseudoRandom == .init(results: nil))
    }

    @Test func aBlobIsReadAndWritten() throws {
        let (passkey, _) = try Self.passkey()
        let blob = SecretBytes(copying: [5, 6])
        let write = try Self.request(
            allowed: [passkey.identifier], extensions: AssertionExtensions(largeBlob: .write(blob)))
        let written = try Self.sign(write, with: passkey)
        #expect(written.extensions.largeBlob == .written(true))
        #expect(written.newLargeBlob == blob)
        let read = try Self.request(extensions: AssertionExtensions(largeBlob: .read))
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
            let blob = SecretBytes(count: AssertionExtensions.largestBlob + extra) { _ in }
            let request = try Self.request(
                allowed: [passkey.identifier], extensions: AssertionExtensions(largeBlob: .write(blob)))
            let assertion = try Self.sign(request, with: passkey)
            #expect(assertion.extensions.largeBlob == .written(isWritten))
            #expect((assertion.newLargeBlob != nil) == isWritten)
        }
    }

    @Test(arguments: [[], [[1], [2]]] as [[[UInt8]]])
    func aBlobIsWrittenToOneNamedPasskeyOnly(allowed: [[UInt8]]) {
        let extensions = AssertionExtensions(largeBlob: .write(SecretBytes(copying: [1])))
        #expect(throws: AuthenticatorError(.notSupported, "")) {
            try Self.request(allowed: allowed, extensions: extensions)
        }
    }

    @Test func whatIsNotAskedForIsNotAnswered() throws {
        let registration = try RegistrationTests.register(RegistrationTests.request())
        #expect(
            registration.extensions
                == RegistrationExtensionOutputs(isDiscoverable: nil, pseudoRandom: nil, supportsLargeBlob: nil))
        let assertion = try Self.sign(Self.request(), with: registration.passkey)
        #expect(assertion.extensions == AssertionExtensionOutputs(pseudoRandom: nil, largeBlob: nil))
        let asked = RegistrationExtensions(wantsProperties: true, pseudoRandom: .support, wantsLargeBlob: true)
        let outputs = try RegistrationTests.register(RegistrationTests.request(extensions: asked)).extensions
        #expect(
            outputs
                == RegistrationExtensionOutputs(
                    isDiscoverable: true, pseudoRandom: .init(isEnabled: true, results: nil), supportsLargeBlob: true))
    }
}
