import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import CryptoKit
import Glibc
import Testing
import WebAuthnValues

/// What came in a memory file goes on in the same one, and is read by whoever asks the value for it.
@MainActor
@Suite("Secrets that are carried on", .timeLimit(.minutes(2)))
struct CarriedSecretTests {
    /// Which file of memory it is: the same in every process that has it.
    private func file(_ secret: AutoFillWire.Attachment?) throws -> ino_t {
        var status = stat()
        #expect(fstat(try #require(secret).descriptor.rawValue, &status) == 0)
        return status.st_ino
    }

    private func broker(
        _ end: @escaping @MainActor (ASCredentialProviderExtensionContext) -> Void
    ) async throws -> FakeBroker {
        try await FakeBroker(makeController: ScriptedController.maker { end($0.extensionContext) })
    }

    @Test func aPasswordGoesOnInItsFile() async throws {
        let secret = try Attachment(text: "s3cret")
        let credential = ASPasswordCredential(user: "ada", sealed: try secret.sealedMemory())
        let asked = try #require(try PerformRequest.Request.everyOne()["provide password"])
        let result = try await broker { $0.completeRequest(withSelectedCredential: credential) }.perform(asked)
        guard case .password("ada", let password) = result else {
            Issue.record("another result")
            return
        }
        #expect(try file(password) == file(secret))
        #expect(credential.password == "s3cret" && credential == .init(user: "ada", password: "s3cret"))
        #expect(try archived(credential).password == "s3cret")
    }

    @Test func outputsOfASignatureGoOnInTheirFiles() async throws {
        let (blob, key) = (try Attachment(text: "blob"), try Attachment(text: "key"))
        let made = PasskeyAssertionCredential(
            userHandle: Data([3]), relyingParty: "example.com", signature: Data([5]),
            clientDataHash: PerformRequest.Request.clientDataHash, authenticatorData: Data([6]),
            credentialID: Data([1, 2]), extensions: .init(largeBlob: .read(blob), prf: .init(first: key, second: nil)))
        let credential = ASPasskeyAssertionCredential(made)
        let asked = try #require(try PerformRequest.Request.everyOne()["provide passkey"])
        let result = try await broker { $0.completeAssertionRequest(using: credential) }.perform(asked)
        guard case .passkeyAssertion(let answer) = result, case .read(let carried)? = answer.extensions?.largeBlob
        else {
            Issue.record("another result")
            return
        }
        #expect(try file(carried) == file(blob))
        #expect(try file(answer.extensions?.prf?.first) == file(key))
        let read = ASPasskeyAssertionCredentialExtensionOutput(
            largeBlob: .read(data: Data("blob".utf8)),
            prf: .init(first: SymmetricKey(data: Data("key".utf8)), second: nil))
        #expect(credential.extensionOutput == read)
        #expect(try archived(credential) == credential)
        credential.extensionOutput = nil
        #expect(credential.extensionOutput == nil && credential.signature == Data([5]))
    }

    @Test func outputsOfANewPasskeyGoOnInTheirFiles() async throws {
        let key = try Attachment(text: "key")
        let made = PasskeyRegistrationCredential(
            relyingParty: "example.com", clientDataHash: PerformRequest.Request.clientDataHash,
            credentialID: Data([8]), attestationObject: Data([9]),
            extensions: .init(
                isLargeBlobSupported: true, prf: .init(isSupported: true, values: .init(first: key, second: nil))))
        let credential = ASPasskeyRegistrationCredential(made)
        let asked = PerformRequest.Request.registerPasskey(PerformRequest.Request.registration)
        let result = try await broker { $0.completeRegistrationRequest(using: credential) }.perform(asked)
        guard case .passkeyRegistration(let answer) = result else {
            Issue.record("another result")
            return
        }
        #expect(try file(answer.extensions?.prf?.values?.first) == file(key))
        #expect(answer.extensions?.isLargeBlobSupported == true)
        let read = ASPasskeyRegistrationCredentialExtensionOutput(
            largeBlob: .supported, prf: .init(first: SymmetricKey(data: Data("key".utf8)), second: nil))
        #expect(credential.extensionOutput == read)
        #expect(try archived(credential) == credential)
    }
}
