import AuthenticationServices
import CryptoKit
import Testing

@Suite("Credentials as values")
struct CredentialValueTests {
    private static let keys = (
        SymmetricKey(data: Data("canary-4711-first".utf8)), SymmetricKey(data: Data("canary-4711-second".utf8))
    )
    private static var assertionOutputs: [ASPasskeyAssertionCredentialExtensionOutput?] {
        [
            nil, .init(), .init(largeBlob: .read(data: nil)), .init(largeBlob: .read(data: Data([1]))),
            .init(largeBlob: .write(success: true)), .init(largeBlob: .write(success: false)),
            .init(prf: .init(first: keys.0, second: nil)),
            .init(largeBlob: .read(data: Data()), prf: .init(first: keys.0, second: keys.1)),
        ]
    }
    private static var registrationOutputs: [ASPasskeyRegistrationCredentialExtensionOutput?] {
        [
            nil, .init(), .init(largeBlob: .supported), .init(largeBlob: .unsupported), .init(prf: .supported),
            .init(prf: .unsupported), .init(prf: .init(first: keys.0, second: nil)),
            .init(largeBlob: .supported, prf: .init(first: keys.0, second: keys.1)),
        ]
    }

    private func assertion(
        signature: [UInt8] = [3], _ output: ASPasskeyAssertionCredentialExtensionOutput?
    ) -> ASPasskeyAssertionCredential {
        .init(
            userHandle: Data([1]), relyingParty: "example.com", signature: Data(signature), clientDataHash: Data([4]),
            authenticatorData: Data([5]), credentialID: Data([6]), extensionOutput: output)
    }

    private func registration(_ output: ASPasskeyRegistrationCredentialExtensionOutput?)
        -> ASPasskeyRegistrationCredential
    {
        .init(
            relyingParty: "example.com", clientDataHash: Data([4]), credentialID: Data([6]),
            attestationObject: Data([7]), extensionOutput: output)
    }

    @Test(arguments: assertionOutputs.indices)
    func aSignatureSurvivesCodingAndCopying(index: Int) throws {
        let credential = assertion(Self.assertionOutputs[index])
        for (other, output) in Self.assertionOutputs.enumerated() {
            #expect((assertion(output) == credential) == (other == index))
        }
        let copy = try #require(credential.copy() as? ASPasskeyAssertionCredential)
        for one in [try archived(credential), copy] {
            #expect(one == credential && one.hash == credential.hash)
            #expect(one.userHandle == Data([1]) && one.relyingParty == "example.com" && one.signature == Data([3]))
            #expect(one.clientDataHash == Data([4]) && one.authenticatorData == Data([5]))
            #expect(one.credentialID == Data([6]) && one.extensionOutput == Self.assertionOutputs[index])
        }
        copy.extensionOutput = .init(largeBlob: .write(success: true), prf: .init(first: Self.keys.1, second: nil))
        #expect(credential.extensionOutput == Self.assertionOutputs[index])
        for text in descriptions(of: credential) { #expect(!text.contains("canary-4711")) }
    }

    @Test(arguments: registrationOutputs.indices)
    func aNewPasskeySurvivesCodingAndCopying(index: Int) throws {
        let credential = registration(Self.registrationOutputs[index])
        for (other, output) in Self.registrationOutputs.enumerated() {
            #expect((registration(output) == credential) == (other == index))
        }
        let copy = try #require(credential.copy() as? ASPasskeyRegistrationCredential)
        for one in [try archived(credential), copy] {
            #expect(one == credential && one.hash == credential.hash)
            #expect(one.relyingParty == "example.com" && one.clientDataHash == Data([4]))
            #expect(one.credentialID == Data([6]) && one.attestationObject == Data([7]))
            #expect(one.extensionOutput == Self.registrationOutputs[index])
        }
        for text in descriptions(of: credential) { #expect(!text.contains("canary-4711")) }
    }

    @Test func outputsMayFollowLater() {
        let credential = ASPasskeyAssertionCredential(
            userHandle: Data(), relyingParty: "", signature: Data(), clientDataHash: Data(), authenticatorData: Data(),
            credentialID: Data())
        #expect(credential.extensionOutput == nil)
        credential.extensionOutput = .init(largeBlob: .write(success: true))
        #expect(credential.extensionOutput?.largeBlob == .write(success: true))
        let passkey = ASPasskeyRegistrationCredential(
            relyingParty: "", clientDataHash: Data(), credentialID: Data(), attestationObject: Data())
        passkey.extensionOutput = .init(prf: .supported)
        #expect(passkey.extensionOutput?.prf?.isSupported == true)
        #expect(assertion(signature: [3], nil) != assertion(signature: [4], nil))
    }

    @Test func aCodeSurvivesCodingAndIsShownNowhere() throws {
        let credential = ASOneTimeCodeCredential(code: "492039")
        #expect(try archived(credential).code == "492039")
        #expect(credential == .init(code: "492039") && credential != .init(code: "492038"))
        #expect(credential.copy() as AnyObject === credential)
        #expect(credential.hash == ASOneTimeCodeCredential(code: "000000").hash, "the hash tells nothing of a code")
        for text in descriptions(of: credential) { #expect(!text.contains("492039")) }
    }

    @Test(arguments: [
        (ASGeneratedPassword.Kind.strong, "STRONG", "Strong Password"),
        (.alphanumeric, "ALPHANUMERIC", "Without Special Characters"), (.passphrase, "PASSPHRASE", "Passphrase"),
        (.init("PIN"), "PIN", "PIN"),
    ])
    func aGeneratedPasswordHasAKindWithAName(kind: ASGeneratedPassword.Kind, word: String, name: String) throws {
        let password = ASGeneratedPassword(kind: kind, value: "canary-4711")
        #expect(kind.rawValue == word && kind == .init(rawValue: word) && password.localizedName == name)
        let read = try archived(password)
        #expect(read == password && read.hash == password.hash && read.value == "canary-4711" && read.kind == kind)
        #expect(password.copy() as AnyObject === password && password != .init(kind: kind, value: "other"))
        #expect(password != .init(kind: .init("x"), value: "canary-4711"))
        for text in descriptions(of: password) { #expect(!text.contains("canary-4711")) }
    }

    @Test func readingSomethingElseGivesNothing() throws {
        #expect(ASPasskeyAssertionCredential(coder: try foreignArchive()) == nil)
        #expect(ASPasskeyRegistrationCredential(coder: try foreignArchive()) == nil)
        #expect(ASOneTimeCodeCredential(coder: try foreignArchive()) == nil)
        #expect(ASGeneratedPassword(coder: try foreignArchive()) == nil)
    }
}
