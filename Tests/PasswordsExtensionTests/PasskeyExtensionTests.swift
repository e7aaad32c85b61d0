import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import LocalAuthentication
import PasswordsProtocol
import Synchronization
import Testing
import WebAuthnValues

@testable import PasswordsExtension

/// Passkeys through the API and the extension's controller: what the broker asks reaches the vault whole, and back.
@MainActor
@Suite("Passkeys of the extension, between broker and service", .timeLimit(.minutes(5)))
struct PasskeyExtensionTests {
    private static let hash = Data(repeating: 7, count: 32)
    private let party = "example.com"

    private func identity(_ record: String? = "id-passkey") -> CredentialIdentity {
        CredentialIdentity(
            kind: .passkey, service: ServiceIdentifier(party, kind: .domain), user: "ada", recordIdentifier: record,
            passkey: PasskeyReference(credentialID: Data([3]), userHandle: Data([1])))
    }

    private func assertion(
        _ preference: UserVerificationPreference = .preferred, allowed: [Data] = [],
        _ extensions: AssertionInputs<AutoFillWire.Attachment>? = nil
    ) -> PasskeyAssertion {
        PasskeyAssertion(
            clientDataHash: Self.hash, userVerification: preference, allowedCredentials: allowed,
            extensions: extensions)
    }

    private func registration(
        _ extensions: RegistrationInputs? = nil, isVerified: Bool? = nil
    ) -> PasskeyRegistration {
        PasskeyRegistration(
            relyingParty: party, userName: "ada", userHandle: Data([1]), clientDataHash: Self.hash,
            userVerification: .required, algorithms: [-7, -257], excludedCredentials: [Data([9])],
            extensions: extensions, isPersonVerified: isVerified)
    }

    private func signature(_ output: AssertionOutputs<AutoFillWire.Attachment>? = nil) -> PasskeyAssertionCredential {
        PasskeyAssertionCredential(
            userHandle: Data([1]), relyingParty: party, signature: Data([5]), clientDataHash: Self.hash,
            authenticatorData: Data([6]), credentialID: Data([3]), extensions: output)
    }

    private func passkey(
        _ output: RegistrationOutputs<AutoFillWire.Attachment>? = nil
    ) -> PasskeyRegistrationCredential {
        PasskeyRegistrationCredential(
            relyingParty: party, clientDataHash: Self.hash, credentialID: Data([3]), attestationObject: Data([6]),
            extensions: output)
    }

    private func sealed(_ text: String) throws -> AutoFillWire.Attachment {
        AutoFillWire.Attachment(try SealedMemory(text: text))
    }

    private func opened(_ secret: AutoFillWire.Attachment?) throws -> String? {
        try secret?.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func cancellation(_ result: PerformRequest.Result) -> Int? {
        guard case .cancelled(ASExtensionErrorDomain, let code, _) = result else { return nil }
        return code
    }

    /// A vault that signs, and notes what it was asked.
    private func signing(
        _ output: AssertionOutputs<AutoFillWire.Attachment>? = nil
    ) -> (vault: FakeVault, asked: Noted<SignWithPasskey.Parameters>) {
        let (vault, asked, answer) = (FakeVault(), Noted<SignWithPasskey.Parameters>(), signature(output))
        vault.change {
            $0.signing = { parameters in
                asked.add(parameters)
                if parameters.request.assertion.userVerification == .required,
                    parameters.request.isPersonVerified != true
                {
                    throw ProtocolError(.notVerified, "The person must be verified.")
                }
                return answer
            }
        }
        return (vault, asked)
    }

    // MARK: - Signing

    @Test(arguments: [true, false, nil] as [Bool?])
    func signsWithoutInterfaceAsTheBrokerSaysOfThePerson(isVerified: Bool?) async throws {
        let (vault, asked) = signing()
        let broker = try await FakeBroker(vault: vault)
        let request = PerformRequest.CredentialRequest(
            identity: identity(), assertion: assertion(), isPersonVerified: isVerified)
        let result = try await broker.perform(.provideWithoutInteraction(request))
        #expect(result == .passkeyAssertion(signature()))
        let seen = try #require(asked.all.first)
        #expect(seen.item == "id-passkey" && seen.request.relyingParty == party)
        #expect(seen.request.isPersonVerified == (isVerified == true))
        #expect(seen.request.assertion == assertion(allowed: [Data([3])]), "for the passkey that was suggested")
    }

    @Test func whatIsRequiredAndDidNotHappenNeedsThePerson() async throws {
        let (vault, _) = signing()
        let broker = try await FakeBroker(vault: vault)
        let request = PerformRequest.CredentialRequest(identity: identity(), assertion: assertion(.required))
        #expect(cancellation(try await broker.perform(.provideWithoutInteraction(request))) == 100)
    }

    @Test func theSystemVerifiesWhereItCan() async throws {
        let (vault, asked) = signing()
        let broker = try await FakeBroker(vault: vault, verifies: .success(()))
        let request = PerformRequest.CredentialRequest(identity: identity(), assertion: assertion(.required))
        let result = try await broker.perform(.provideWithInteraction(request))
        #expect(result == .passkeyAssertion(signature()))
        #expect(asked.all.map { $0.request.isPersonVerified } == [false, true])
    }

    @Test(arguments: [LAError.Code.userCancel, .appCancel, .systemCancel])
    func aCheckThatWasCancelledEndsTheRequest(code: LAError.Code) async throws {
        let (vault, asked) = signing()
        let broker = try await FakeBroker(vault: vault, verifies: .failure(LAError(code)))
        let request = PerformRequest.CredentialRequest(identity: identity(), assertion: assertion(.required))
        #expect(cancellation(try await broker.perform(.provideWithInteraction(request))) == 1)
        #expect(asked.all.count == 1)
    }

    @Test(arguments: [LAError.Code.passcodeNotSet, .authenticationFailed, .notInteractive])
    func whereTheSystemCannotTheMasterPasswordDoes(code: LAError.Code) async throws {
        let (vault, asked) = signing()
        let broker = try await FakeBroker(vault: vault, verifies: .failure(LAError(code)))
        let request = PerformRequest.CredentialRequest(identity: identity(), assertion: assertion(.required))
        async let result = broker.perform(.provideWithInteraction(request))
        let shown = try #require(await broker.nextInterface())
        #expect(asked.all.count == 1)
        broker.send(
            .submitted(["master": .secret(InterfaceSecret(try SealedMemory(text: "correct horse")))]), to: shown)
        #expect(try await result == .passkeyAssertion(signature()))
        #expect(asked.all.last?.request.isPersonVerified == true)
        #expect(vault.calls.contains("unlock correct horse"))
    }

    @Test func extensionsGoThereAndBack() async throws {
        let output = AssertionOutputs<AutoFillWire.Attachment>(
            largeBlob: .read(try sealed("blob")),
            prf: PRFOutputs(first: try sealed("first key"), second: try sealed("second key")))
        let (vault, asked) = signing(output)
        let broker = try await FakeBroker(vault: vault)
        let values = PRFValues(first: Data([1]), second: Data([2]))
        let ours = PRFCredentialValues(credentialID: Data([3]), values: values)
        let other = PRFCredentialValues(credentialID: Data([4]), values: values)
        let input = AssertionInputs<AutoFillWire.Attachment>(
            largeBlob: .read, prf: .init(values: values, byCredential: [ours, other]))
        let request = PerformRequest.CredentialRequest(identity: identity(), assertion: assertion(.preferred, input))
        guard case .passkeyAssertion(let credential) = try await broker.perform(.provideWithoutInteraction(request))
        else {
            Issue.record("no signature")
            return
        }
        let seen = try #require(asked.all.first?.request.assertion.extensions)
        #expect(seen.largeBlob == .read && seen.prf?.values == values)
        #expect(seen.prf?.byCredential == [ours], "inputs for others are for others")
        guard case .read(let blob)? = credential.extensions?.largeBlob else {
            Issue.record("no blob")
            return
        }
        #expect(try opened(blob) == "blob")
        #expect(try opened(credential.extensions?.prf?.first) == "first key")
        #expect(try opened(credential.extensions?.prf?.second) == "second key")
    }

    @Test(arguments: [true, false]) func aBlobIsPassedOnToBeStored(isStored: Bool) async throws {
        let (vault, asked) = signing(.init(largeBlob: .wrote(isStored), prf: nil))
        let broker = try await FakeBroker(vault: vault)
        let input = AssertionInputs(largeBlob: .write(try sealed("blob")))
        let request = PerformRequest.CredentialRequest(identity: identity(), assertion: assertion(.preferred, input))
        let result = try await broker.perform(.provideWithoutInteraction(request))
        #expect(result == .passkeyAssertion(signature(.init(largeBlob: .wrote(isStored), prf: nil))))
        guard case .write(let blob)? = asked.all.first?.request.assertion.extensions?.largeBlob else {
            Issue.record("nothing to store")
            return
        }
        #expect(try opened(blob) == "blob")
    }

    // MARK: - The list

    private func listed(_ user: String, _ id: UInt8) -> ItemSummary {
        ItemSummary(
            id: "id-\(user)", title: party, user: user, addresses: [], tags: [], created: 0, modified: 0,
            hasPassword: false,
            passkey: PasskeySummary(relyingParty: party, credentialID: Data([id]), userHandle: Data([1])))
    }

    @Test(arguments: [nil, Result<Void, LAError>.success(())])
    func signsWithTheOneThatIsChosenFromTheList(verifies: Result<Void, LAError>?) async throws {
        let (vault, asked) = signing()
        let passkeys = [listed("ada", 3), listed("grace", 4)]
        vault.change { $0.passkeys = passkeys }
        let broker = try await FakeBroker(vault: vault, verifies: verifies)
        let parameters = PasskeyRequestParameters(
            relyingParty: party, assertion: assertion(allowed: [Data([3]), Data([4])]))
        async let result = broker.perform(.list([ServiceIdentifier(party, kind: .domain)], passkeys: parameters))
        let shown = try #require(await broker.nextInterface())
        broker.send(.chose(row: "passkey:id-grace"), to: shown)
        #expect(try await result == .passkeyAssertion(signature()))
        let seen = try #require(asked.all.first)
        #expect(seen.item == "id-grace" && seen.request.assertion.allowedCredentials == [Data([4])])
        #expect(seen.request.isPersonVerified == (verifies != nil), "as the person's settings want it")
        #expect(vault.calls.contains("passkeys example.com"))
    }

    // MARK: - New ones

    @Test func makesWhatThePersonAgreedTo() async throws {
        let values = PRFOutputs(first: try sealed("key"), second: nil)
        let answer = passkey(.init(isLargeBlobSupported: true, prf: .init(isSupported: true, values: values)))
        let (vault, asked) = (FakeVault(), Noted<MakePasskey.Parameters>())
        vault.change {
            $0.making = { parameters in
                asked.add(parameters)
                return answer
            }
        }
        let broker = try await FakeBroker(vault: vault)
        let input = RegistrationInputs(
            largeBlob: .required, prf: .init(values: PRFValues(first: Data([1]), second: nil)))
        async let result = broker.perform(.registerPasskey(registration(input, isVerified: true)))
        let shown = try #require(await broker.nextInterface())
        #expect(asked.all.isEmpty)
        broker.send(.activated(action: "save"), to: shown)
        guard case .passkeyRegistration(let credential) = try await result else {
            Issue.record("no passkey")
            return
        }
        #expect(credential.credentialID == Data([3]) && credential.attestationObject == Data([6]))
        #expect(credential.extensions?.isLargeBlobSupported == true && credential.extensions?.prf?.isSupported == true)
        #expect(try opened(credential.extensions?.prf?.values?.first) == "key")
        let seen = try #require(asked.all.first)
        #expect(!seen.isConditional && seen.registration == registration(input, isVerified: true))
    }

    @Test func aConditionalOneIsMadeWithoutInterface() async throws {
        let (vault, answer) = (FakeVault(), passkey())
        vault.change { $0.making = { _ in answer } }
        let broker = try await FakeBroker(vault: vault)
        let result = try await broker.perform(.registerPasskeyWithoutInteraction(registration()))
        #expect(result == .passkeyRegistration(answer))
        #expect(vault.calls == ["make true"])
    }

    @Test(arguments: [VaultStatus.Access.locked, .open]) func aConditionalOneFailsQuietly(
        access: VaultStatus.Access
    ) async throws {
        let broker = try await FakeBroker(vault: FakeVault(access))
        #expect(cancellation(try await broker.perform(.registerPasskeyWithoutInteraction(registration()))) == 0)
    }

    // MARK: - Reports

    @Test(arguments: [
        CredentialReport.passkeyUpdated(relyingParty: "example.com", userHandle: Data([1]), newName: "grace"),
        .passkeyUnknown(relyingParty: "example.com", credentialID: Data([3])),
        .passkeysAccepted(relyingParty: "example.com", userHandle: Data([1]), credentialIDs: [Data([3])]),
        .passwordUnused(domain: "example.com", userName: "ada"),
    ])
    func passesReportsOn(report: CredentialReport) async throws {
        let vault = FakeVault()
        let broker = try await FakeBroker(vault: vault)
        #expect(try await broker.perform(.report(report)) == .reported)
        let deadline = ContinuousClock.now + .seconds(60)
        var heard: [CredentialReport] = []
        while heard.isEmpty, .now < deadline {
            vault.change { heard = $0.reports }
            await Task.yield()
        }
        #expect(heard == [report])
    }
}

/// What was asked, in order.
final class Noted<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }
    func add(_ value: Value) { values.withLock { $0.append(value) } }
}
