import FoundationEssentials
import KeywayCrypto
import PasskeySignatures
import Testing

@testable import Authenticator
@testable import WebAuthnValues

/// WebAuthn Level 3, section 16: what the specification publishes is what we write, read, sign and verify.
struct SpecificationTests {
    private static let origin = "https://example.org"

    private static func key(_ vector: CeremonyVector) throws -> PrivateKey {
        if let encoded = vector.privateKeyPkcs8 { return try PrivateKey(SecretBytes(copying: bytes(encoded))) }
        let raw = SecretBytes(copying: bytes(try #require(vector.privateKey)))
        return vector.algorithm == -7 ? try PrivateKey(p256: raw) : try PrivateKey(ed25519: raw)
    }

    /// The states of person and backup that flags tell of.
    private static func states(_ flags: AuthenticatorData.Flags) throws -> (PersonState, BackupState) {
        let person = try #require(
            PersonState.allCases.first { $0.flags == flags.intersection([.userPresent, .userVerified]) })
        let backup = try #require(
            BackupState.allCases.first { $0.flags == flags.intersection([.backupEligible, .backedUp]) })
        return (person, backup)
    }

    @Test func allOfTheVectorsAreThere() {
        #expect(
            CeremonyVector.all.map(\.name) == [
                "none-es256", "packed-self-es256", "none-es256-crossOrigin", "none-es256-topOrigin",
                "none-es256-long-credential-id", "packed-rs256", "packed-eddsa",
            ])
    }

    @Test(arguments: CeremonyVector.all)
    func writesTheAuthenticatorDataOfARegistration(vector: CeremonyVector) throws {
        let published = bytes(vector.registration.authenticatorData)
        let (person, backup) = try Self.states(try AuthenticatorData(published).flags)
        let credential = AttestedCredential(
            aaguid: bytes(vector.aaguid), identifier: bytes(vector.credentialId),
            publicKey: try Self.key(vector).publicKey)
        let data = AuthenticatorData(
            relyingParty: "example.org", person: person, backup: backup, credential: credential)
        #expect(data.bytes == published)
    }

    @Test(arguments: CeremonyVector.all)
    func writesTheAuthenticatorDataOfASignature(vector: CeremonyVector) throws {
        let published = bytes(vector.authentication.authenticatorData)
        let (person, backup) = try Self.states(try AuthenticatorData(published).flags)
        let data = AuthenticatorData(relyingParty: "example.org", person: person, backup: backup, credential: nil)
        #expect(data.bytes == published)
    }

    @Test(arguments: CeremonyVector.all.filter { $0.registration.attestationObject != nil })
    func readsAndWritesTheAttestationObject(vector: CeremonyVector) throws {
        let published = bytes(try #require(vector.registration.attestationObject))
        let object = try AttestationObject(published)
        #expect(object.bytes == published)
        #expect(object.authenticatorData.bytes == bytes(vector.registration.authenticatorData))
        guard object.format == "none" else { return }
        #expect(AttestationObject.none(object.authenticatorData).bytes == published)
    }

    /// Every object that the specification publishes, cut off anywhere and with any bit turned: refused, or read and
    /// written back as it came.
    @Test(arguments: CeremonyVector.all)
    func whatIsReadIsWrittenBack(vector: CeremonyVector) throws {
        let key = try #require(AuthenticatorData(bytes(vector.registration.authenticatorData)).credential?.key)
        let whole = vector.registration.attestationObject.map(bytes) ?? key.encoded
        for count in whole.indices {
            #expect(throws: MalformedValue("")) { try CBORDecoder.value(in: whole[..<count]) }
        }
        for index in whole.indices {
            for bit in 0..<8 {
                var changed = whole
                changed[index] ^= 1 << bit
                if let value = try? CBORDecoder.value(in: changed) { #expect(value.encoded == changed) }
            }
        }
    }

    @Test func selfAttestationIsThatOfTheSpecificationButForTheSignature() throws {
        let vector = try #require(CeremonyVector.all.first { $0.name == "packed-self-es256" })
        let published = try AttestationObject(bytes(try #require(vector.registration.attestationObject)))
        let hash = Digest.sha256(bytes(vector.registration.clientDataJson))
        let ours = try AttestationObject.selfAttested(
            published.authenticatorData, clientDataHash: hash, by: try Self.key(vector))
        let message = published.authenticatorData.bytes + hash
        for object in [published, ours] {
            #expect(object.format == "packed")
            #expect(object.statement[.text("alg")] == .integer(-7))
            guard case .bytes(let signature) = object.statement[.text("sig")] else {
                Issue.record("no signature")
                continue
            }
            #expect(object.authenticatorData.credential?.publicKey?.isSignature(signature, of: message) == true)
        }
    }

    @Test(arguments: CeremonyVector.all)
    func verifiesTheSignature(vector: CeremonyVector) throws {
        let data = try AuthenticatorData(bytes(vector.registration.authenticatorData))
        let key = try #require(data.credential?.publicKey)
        let step = vector.authentication
        let signature = bytes(try #require(step.signature))
        let message = bytes(step.authenticatorData) + Digest.sha256(bytes(step.clientDataJson))
        #expect(key.isSignature(signature, of: message))
        #expect(!key.isSignature(signature, of: message + [0]))
    }

    /// ECDSA as libcrypto does it draws a number for each signature; the other two have one signature for a message.
    @Test(arguments: CeremonyVector.all.filter { $0.algorithm != -7 })
    func signsByteForByte(vector: CeremonyVector) throws {
        let step = vector.authentication
        let message = bytes(step.authenticatorData) + Digest.sha256(bytes(step.clientDataJson))
        #expect(try Self.key(vector).sign(message) == bytes(try #require(step.signature)))
    }

    @Test(arguments: CeremonyVector.all)
    func writesTheClientData(vector: CeremonyVector) {
        for (ceremony, step) in [(ClientData.Ceremony.create, vector.registration), (.get, vector.authentication)] {
            let frame: ClientData.Frame = vector.crossOrigin ? .crossOrigin(top: vector.topOrigin) : .sameOrigin
            let ours = ClientData(
                ceremony: ceremony, challenge: bytes(step.challenge), origin: Self.origin, frame: frame
            ).json
            let published = bytes(step.clientDataJson)
            // Some have a member more, as a browser of the future may.
            let extra = Array(#","extraData":"#.utf8)
            #expect(published == ours || published.starts(with: ours.dropLast() + extra))
            let isVerified = ClientData.isVerified(
                published, ceremony: ceremony, challenge: bytes(step.challenge), origin: Self.origin,
                top: vector.crossOrigin ? "https://example.com" : nil)
            #expect(isVerified)
        }
    }

    private struct PRF: Decodable {
        struct Evaluation: Decodable { let input, salt, output: String }
        let credentialSecret: String
        let first, second: Evaluation
    }

    @Test func evaluatesThePseudoRandomFunction() throws {
        let vector = try CeremonyVector.load("prf", as: PRF.self)
        let secret = SecretBytes(copying: bytes(vector.credentialSecret))
        let values = PRFValues(
            first: Data(bytes(vector.first.input)), second: Data(bytes(vector.second.input)))
        #expect(values.salts.first == bytes(vector.first.salt))
        #expect(values.salts.second == bytes(vector.second.salt))
        let results = PRFOutputs(of: secret, at: values)
        #expect(results.first == SecretBytes(copying: bytes(vector.first.output)))
        #expect(results.second == SecretBytes(copying: bytes(vector.second.output)))
        #expect(PRFOutputs(of: secret, at: PRFValues(first: Data([1]))).second == nil)
    }
}
