import AuthenticationServices
import CryptoKit
import Testing

@Suite("Values of passkeys")
struct PublicKeyValueTests {
    private typealias Inputs = ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues

    @Test func wordsAndNumbersAreThoseOfTheSpecifications() {
        typealias Preference = ASAuthorizationPublicKeyCredentialUserVerificationPreference
        typealias Attestation = ASAuthorizationPublicKeyCredentialAttestationKind
        let preferences: [Preference] = [.required, .preferred, .discouraged]
        #expect(preferences.map(\.rawValue) == ["required", "preferred", "discouraged"])
        let kinds: [Attestation] = [.none, .direct, .indirect, .enterprise]
        #expect(kinds.map(\.rawValue) == ["none", "direct", "indirect", "enterprise"])
        #expect(Preference("required") == .required && Preference(rawValue: "x").rawValue == "x")
        #expect(Attestation("none") == .none && Attestation(rawValue: "x") == Attestation("x"))
        #expect(ASCOSEAlgorithmIdentifier.ES256.rawValue == -7 && ASCOSEAlgorithmIdentifier(-8).rawValue == -8)
        #expect(ASCOSEEllipticCurveIdentifier.P256.rawValue == 1)
        #expect(ASCOSEEllipticCurveIdentifier(2) == ASCOSEEllipticCurveIdentifier(rawValue: 2))
        #expect(Set([ASCOSEAlgorithmIdentifier.ES256, .init(rawValue: -7)]).count == 1)
    }

    @Test func aDescriptorIsItsIdentifier() throws {
        let descriptor = ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data([1, 2]))
        #expect(descriptor == .init(credentialID: Data([1, 2])) && descriptor != .init(credentialID: Data()))
        #expect(
            descriptor.hash == ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data([1, 2])).hash)
        #expect(try archived(descriptor) == descriptor)
        let copy = try #require(descriptor.copy() as? ASAuthorizationPlatformPublicKeyCredentialDescriptor)
        copy.credentialID = Data([3])
        #expect(descriptor.credentialID == Data([1, 2]))
        #expect(ASAuthorizationPlatformPublicKeyCredentialDescriptor(coder: try foreignArchive()) == nil)
    }

    @Test func largeBlobsAreAskedForAndAnswered() {
        typealias Wanted = ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput
        typealias Got = ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput
        typealias Question = ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput
        typealias Answer = ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput
        #expect(Wanted.supportRequired.supportRequirement == .required)
        #expect(Wanted.supportPreferred.supportRequirement == .preferred)
        #expect(Got.supported.isSupported && !Got.unsupported.isSupported)
        #expect(Question.read.operation == .read)
        #expect(Question.write(Data([1])).operation == .write(Data([1])))
        #expect(Answer.read(data: nil).result == .read(data: nil))
        #expect(Answer.read(data: Data([1])).result == .read(data: Data([1])))
        #expect(Answer.write(success: true).result == .write(success: true))
        var wanted = Wanted.supportRequired
        wanted.supportRequirement = .preferred
        #expect(wanted == .supportPreferred)
    }

    @Test func secretsAreAskedForAndAnswered() {
        typealias Question = ASAuthorizationPublicKeyCredentialPRFAssertionInput
        typealias Wanted = ASAuthorizationPublicKeyCredentialPRFRegistrationInput
        typealias Got = ASAuthorizationPublicKeyCredentialPRFRegistrationOutput
        let (one, two) = (Inputs(saltInput1: Data([1])), Inputs.saltInput1(Data([1]), saltInput2: Data([2])))
        #expect(one.saltInput2 == nil && two.saltInput2 == Data([2]) && one == .saltInput1(Data([1])))
        #expect(Question.inputValues(one).inputValues == one)
        #expect(Question.inputValues(one).perCredentialInputValues == nil)
        let both = Question.inputValues(one, perCredentialInputValues: [Data([7]): two])
        #expect(both.inputValues == one && both.perCredentialInputValues == [Data([7]): two])
        let single = Question.perCredentialInputValues([Data([7]): two])
        #expect(single.inputValues == nil && single.perCredentialInputValues == [Data([7]): two])
        #expect(Wanted.checkForSupport.shouldCheckForSupport && Wanted.checkForSupport.inputValues == nil)
        #expect(!Wanted.inputValues(two).shouldCheckForSupport && Wanted.inputValues(two).inputValues == two)
        let (first, second) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let got = Got(first: first, second: second)
        #expect(got.isSupported && got.first == first && got.second == second)
        #expect(Got.supported.isSupported && Got.supported.first == nil && Got.supported.second == nil)
        #expect(!Got.unsupported.isSupported && Got.unsupported.first == nil)
        let answer = ASAuthorizationPublicKeyCredentialPRFAssertionOutput(first: first, second: nil)
        #expect(answer.first == first && answer.second == nil)
    }

    @Test func nothingIsWantedOrGotUnlessItIsSaid() {
        #expect(ASPasskeyAssertionCredentialExtensionInput() == .init(largeBlob: nil, prf: nil))
        #expect(ASPasskeyAssertionCredentialExtensionOutput() == .init(largeBlob: nil, prf: nil))
        #expect(ASPasskeyRegistrationCredentialExtensionOutput() == .init(largeBlob: nil, prf: nil))
        let input = ASPasskeyAssertionCredentialExtensionInput(largeBlob: .read)
        #expect(input.largeBlob == .read && input.prf == nil)
        let output = ASPasskeyRegistrationCredentialExtensionOutput(prf: .supported)
        #expect(output.largeBlob == nil && output.prf == .supported)
    }
}
