import Foundation
import Testing

@testable import PasskeySignatures

struct AuthenticatorDataTests {
    private static let hash = PublicKeySignature.sha256(Array("kit.example".utf8))
    private static let x = [UInt8](repeating: 1, count: 32)
    private static let y = [UInt8](repeating: 2, count: 32)
    private static let key: [UInt8] =
        [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + x + [0x22, 0x58, 0x20] + y

    private static func registration(
        flags: UInt8 = 0x45, identifier: [UInt8] = [7, 8], key: [UInt8] = key, rest: [UInt8] = []
    ) -> Data {
        let length = [UInt8(identifier.count >> 8), UInt8(identifier.count & 0xFF)]
        let parts = [hash, [flags, 0, 0, 0, 5], [UInt8](repeating: 0, count: 16), length, identifier, key, rest]
        return Data(parts.flatMap { $0 })
    }

    @Test func takesARegistrationApart() throws {
        let data = try #require(AuthenticatorData(Self.registration()))
        #expect(data.relyingPartyHash == Self.hash)
        #expect(data.flags == [.userPresent, .userVerified, .attestedCredential])
        #expect(data.counter == 5)
        #expect(data.credential?.identifier == [7, 8])
        #expect(data.credential?.algorithm == -7)
        #expect(data.credential?.point == .init(x: Self.x, y: Self.y))
    }

    @Test func takesASignatureApart() throws {
        let data = try #require(AuthenticatorData(Data(Self.hash + [0x1D, 0, 0, 1, 0])))
        #expect(data.flags == [.userPresent, .userVerified, .backupEligible, .backedUp])
        #expect(data.counter == 256)
        #expect(data.credential == nil)
    }

    @Test func outputsOfExtensionsAreAMapBehindTheKey() {
        #expect(AuthenticatorData(Self.registration(flags: 0xC5, rest: [0xA0])) != nil)
        #expect(AuthenticatorData(Self.registration(flags: 0xC5, rest: [0x80])) == nil)
        #expect(AuthenticatorData(Self.registration(flags: 0xC5)) == nil)
    }

    @Test(arguments: [0, 36, 40, 54, 56, 100])
    func refusesWhatIsCutOff(count: Int) {
        #expect(AuthenticatorData(Self.registration().prefix(count)) == nil)
    }

    @Test func refusesWhatFollowsAndCredentialsWithoutID() {
        #expect(AuthenticatorData(Self.registration(rest: [0])) == nil)
        #expect(AuthenticatorData(Self.registration(identifier: [])) == nil)
    }

    @Test func aKeyOfAnotherKindHasNoPoint() throws {
        let key: [UInt8] = [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + Self.x
        let data = try #require(AuthenticatorData(Self.registration(key: key)))
        #expect(data.credential?.algorithm == -8)
        #expect(data.credential?.point == nil)
    }

    @Test func anAttestationObjectHoldsIt() {
        let data = Array(Self.registration())
        let start = Array("\u{63}fmt\u{64}none\u{67}attStmt".utf8)
        let object = Data([0xA3] + start + [0xA0] + Array("\u{68}authData".utf8) + [0x58, UInt8(data.count)] + data)
        #expect(AuthenticatorData.inAttestationObject(object) == AuthenticatorData(Data(data)))
        #expect(AuthenticatorData.inAttestationObject(object.dropLast()) == nil)
        #expect(AuthenticatorData.inAttestationObject(Data([0xA0])) == nil)
    }
}
