import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywayCrypto
import KeywaySystem
import Testing
import WebAuthnValues

@testable import AutoFillBroker
@testable import ProviderHosting

/// Testing has an `Attachment` of its own.
typealias SecretFile = AutoFillWire.Attachment

/// What the tests of the other kinds of credentials share.
enum Sample {
    static let hash = Data(repeating: 7, count: 32)
    static let handle = Data([9])
    static let credentialID = Data([1, 2, 3])

    /// Everything that a provider can declare beside codes and text.
    static let keeps = TestBundle.keeps

    /// An `Info.plist` that declares these capabilities and no others.
    static func declares(_ capabilities: String..., service: Bool = true) -> [String: Any] {
        TestBundle.declares(capabilities, service: service)
    }

    /// An `Info.plist` that declares these capabilities, and `more` by value.
    static func declares(
        _ capabilities: [String], _ more: [String: Bool] = [:], service: Bool = true
    ) -> [String: Any] {
        TestBundle.declares(capabilities, more, service: service)
    }

    static func passkey(
        _ party: String = "a.example", _ user: String = "ada", id: Data = credentialID
    ) -> CredentialIdentity {
        CredentialIdentity(
            kind: .passkey, service: ServiceIdentifier(party, kind: .domain), user: user,
            recordIdentifier: "p\(id.count)",
            passkey: PasskeyReference(credentialID: id, userHandle: handle))
    }

    static func code(_ label: String = "ada", at service: String = "https://a.example") -> CredentialIdentity {
        CredentialIdentity(
            kind: .oneTimeCode, service: ServiceIdentifier(service, kind: .url), user: label, recordIdentifier: "c1")
    }

    static func asked(
        _ party: String = "a.example", allowed: [Data] = [], hash: Data = hash,
        verification: UserVerificationPreference = .preferred
    ) -> PasskeyRequestParameters {
        PasskeyRequestParameters(
            relyingParty: party,
            assertion: PasskeyAssertion(
                clientDataHash: hash, userVerification: verification, allowedCredentials: allowed))
    }

    static func signature(
        _ party: String = "a.example", hash: Data = hash, id: Data = credentialID, data: Int = 37, signature: Int = 70,
        handle: Data = handle, blob: SecretFile? = nil, signedFor signed: String? = nil, flags: UInt8 = 0
    ) -> PerformRequest.Result {
        .passkeyAssertion(
            PasskeyAssertionCredential(
                userHandle: handle, relyingParty: party, signature: Data(count: signature), clientDataHash: hash,
                authenticatorData: Data(Digest.sha256((signed ?? party).utf8)) + Data([flags].prefix(data - 32))
                    + Data(count: max(0, data - 33)),
                credentialID: id,
                extensions: blob.map { .init(largeBlob: .read($0), prf: nil) }))
    }

    static func registration(
        _ party: String = "a.example", excluded: [Data] = [], hash: Data = hash,
        verification: UserVerificationPreference = .preferred
    ) -> PasskeyRegistration {
        PasskeyRegistration(
            relyingParty: party, userName: "ada", userHandle: handle, clientDataHash: hash,
            userVerification: verification, algorithms: [-7], excludedCredentials: excluded)
    }

    static func made(
        _ party: String = "a.example", hash: Data = hash, id: Data = credentialID, flags: UInt8 = 0x41,
        object: Data? = nil
    ) -> PerformRequest.Result {
        .passkeyRegistration(
            PasskeyRegistrationCredential(
                relyingParty: party, clientDataHash: hash, credentialID: id,
                attestationObject: object ?? attestation(party, flags: flags, id: id), extensions: nil))
    }

    /// An attestation object without a statement, whose authenticator data has these flags.
    static func attestation(
        _ party: String = "a.example", flags: UInt8 = 0x41, id: Data = credentialID
    ) -> Data {
        Data([0xa3, 0x63]) + Data("fmt".utf8) + Data([0x64]) + Data("none".utf8) + Data([0x67])
            + Data("attStmt".utf8) + Data([0xa0]) + attestedData(party, flags: flags, id: id)
    }

    /// The last entry of an attestation object: with a passkey in it, if the flags say so.
    static func attestedData(
        _ party: String = "a.example", flags: UInt8 = 0x41, id: Data = credentialID
    ) -> Data {
        let key = Data([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]) + Data(count: 32) + Data([0x22, 0x58, 32])
        let attested = Data(count: 16) + bigEndian(id.count) + id + key + Data(count: 32)
        let data =
            Data(Digest.sha256(party.utf8)) + Data([flags]) + Data(count: 4) + (flags & 0x40 == 0 ? Data() : attested)
        return Data([0x68]) + Data("authData".utf8)
            + (data.count < 0x100 ? Data([0x58, UInt8(data.count)]) : Data([0x59]) + bigEndian(data.count)) + data
    }

    private static func bigEndian(_ count: Int) -> Data { Data([UInt8(count >> 8), UInt8(count & 0xff)]) }

    static func sealed(_ text: String = "s3cret") throws -> SecretFile {
        SecretFile(try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) })
    }

    /// What a sealed file holds.
    static func text(_ secret: SecretFile?) throws -> String? {
        try secret?.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// A file that its sender could still change.
    static func unsealed() throws -> SecretFile {
        let descriptor = open("/dev/null", O_RDONLY)
        return SecretFile(OwnedDescriptor(descriptor))
    }
}
