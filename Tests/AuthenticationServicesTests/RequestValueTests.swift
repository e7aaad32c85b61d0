import Testing
@testable import AuthenticationServices

@Suite("Requests as values")
struct RequestValueTests {
    private static var identity: ASPasskeyCredentialIdentity {
        .init(
            relyingPartyIdentifier: "example.com", userName: "ada", credentialID: Data([1]), userHandle: Data([2]),
            recordIdentifier: "7")
    }
    private static let hash = Data(repeating: 3, count: 32)
    private static let salts = ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues(
        saltInput1: Data([4]), saltInput2: Data([5]))
    private static let assertionInput = ASPasskeyAssertionCredentialExtensionInput(
        largeBlob: .write(Data([6])),
        prf: .inputValues(salts, perCredentialInputValues: [Data([1]): .saltInput1(Data([8]))]))

    /// Requests that differ in one thing from each other.
    private static var passkeyRequests: [ASPasskeyCredentialRequest] {
        [
            .init(
                credentialIdentity: identity, clientDataHash: hash, userVerificationPreference: .preferred,
                supportedAlgorithms: []),
            .init(
                credentialIdentity: identity, clientDataHash: Data(), userVerificationPreference: .preferred,
                supportedAlgorithms: []),
            .init(
                credentialIdentity: identity, clientDataHash: hash, userVerificationPreference: .required,
                supportedAlgorithms: []),
            .init(
                credentialIdentity: identity, clientDataHash: hash, userVerificationPreference: .preferred,
                supportedAlgorithms: [.ES256]),
            .init(
                credentialIdentity: identity, clientDataHash: hash, userVerificationPreference: .preferred,
                supportedAlgorithms: [-8, -7] as [NSNumber]),
            .init(
                credentialIdentity: identity, clientDataHash: hash, userVerificationPreference: .preferred,
                supportedAlgorithms: [], extensionInput: assertionInput),
            .init(
                credentialIdentity: identity, clientDataHash: hash, userVerificationPreference: .preferred,
                supportedAlgorithms: [], extensionInput: .init(largeBlob: .read)),
            .init(
                credentialIdentity: identity, clientDataHash: hash, userVerificationPreference: .preferred,
                supportedAlgorithms: [.ES256],
                extensionInput: ASPasskeyRegistrationCredentialExtensionInput(
                    largeBlob: .supportRequired, prf: .inputValues(salts))),
            .init(
                credentialIdentity: identity, clientDataHash: hash, userVerificationPreference: .preferred,
                supportedAlgorithms: [.ES256],
                extensionInput: ASPasskeyRegistrationCredentialExtensionInput(
                    largeBlob: .supportPreferred, prf: .checkForSupport)),
            .init(
                identity,
                .init(
                    isRegistration: true, clientDataHash: hash, algorithms: [.ES256],
                    excluded: [.init(credentialID: Data([9]))], input: .none), .preferred),
        ]
    }

    @Test(arguments: 0..<10)
    func aPasskeyRequestEqualsItselfAndSurvivesCodingAndCopying(index: Int) throws {
        let request = Self.passkeyRequests[index]
        for (other, candidate) in Self.passkeyRequests.enumerated() {
            #expect((candidate == request) == (other == index))
        }
        let copy = try #require(request.copy() as? ASPasskeyCredentialRequest)
        for one in [try archived(request), copy] {
            #expect(one == request && one.hash == request.hash && one.type == request.type)
            #expect(one.extensionInput == request.extensionInput)
            #expect(one.supportedAlgorithms == request.supportedAlgorithms)
            #expect(one.excludedCredentials == request.excludedCredentials)
        }
        copy.userVerificationPreference = .discouraged
        #expect(request.userVerificationPreference != .discouraged)
    }

    @Test func algorithmsOrTheInputSayWhichTypeItIs() {
        #expect(
            Self.passkeyRequests.map(\.type) == [
                .passkeyAssertion, .passkeyAssertion, .passkeyAssertion, .passkeyRegistration, .passkeyRegistration,
                .passkeyAssertion, .passkeyAssertion, .passkeyRegistration, .passkeyRegistration, .passkeyRegistration,
            ])
        #expect(Self.passkeyRequests[4].supportedAlgorithms == [.init(rawValue: -8), .ES256])
        #expect(Self.passkeyRequests[0].extensionInput == .none)
        #expect(Self.passkeyRequests[5].extensionInput == .assertion(Self.assertionInput))
        #expect(Self.passkeyRequests[0].credentialIdentity is ASPasskeyCredentialIdentity)
        let none: ASPasskeyRegistrationCredentialExtensionInput? = nil
        let registration = ASPasskeyCredentialRequest(
            credentialIdentity: Self.identity, clientDataHash: Self.hash, userVerificationPreference: .preferred,
            supportedAlgorithms: [.ES256], extensionInput: none)
        #expect(registration.extensionInput == .none && registration.type == .passkeyRegistration)
    }

    @Test(arguments: [assertionInput, nil])
    func parametersSurviveCoding(input: ASPasskeyAssertionCredentialExtensionInput?) throws {
        let parameters = ASPasskeyCredentialRequestParameters(
            .init(
                relyingParty: "example.com", clientDataHash: Self.hash, preference: .required,
                allowed: [Data([1]), Data([2])], input: input))
        let read = try archived(parameters)
        #expect(read == parameters && read.hash == parameters.hash && parameters.copy() as AnyObject === parameters)
        #expect(read.relyingPartyIdentifier == "example.com" && read.clientDataHash == Self.hash)
        #expect(read.userVerificationPreference == .required && read.allowedCredentials == [Data([1]), Data([2])])
        #expect(read.extensionInput == input)
        #expect(ASPasskeyCredentialRequestParameters(coder: try foreignArchive()) == nil)
    }

    @Test func aCodesRequestSurvivesCoding() throws {
        let identity = ASOneTimeCodeCredentialIdentity(
            serviceIdentifier: .init(identifier: "example.com", type: .domain), label: "x", recordIdentifier: "7")
        let request = ASOneTimeCodeCredentialRequest(credentialIdentity: identity)
        #expect(try archived(request) == request && request.type == .oneTimeCode)
        #expect(request.credentialIdentity as? ASOneTimeCodeCredentialIdentity == identity)
        let copy = try #require(request.copy() as? ASOneTimeCodeCredentialRequest)
        copy.credentialIdentity.rank = 9
        #expect(copy == request && identity.rank == 0)
        #expect(ASOneTimeCodeCredentialRequest(coder: try foreignArchive()) == nil)
        #expect(ASPasskeyCredentialRequest(coder: try foreignArchive()) == nil)
    }

    private static let app = ASCredentialServiceIdentifier(
        identifier: "org.example.App", type: .app, displayName: "Example")

    private static var saves: [ASSavePasswordRequest] {
        let credential = ASPasswordCredential(user: "ada", password: "canary-4711")
        return [
            .init(serviceIdentifier: app, credential: credential, sessionID: "1", event: .userInitiated),
            .init(serviceIdentifier: app, credential: credential, sessionID: "2", event: .userInitiated),
            .init(serviceIdentifier: app, credential: credential, sessionID: "1", event: .formDidDisappear),
            .init(serviceIdentifier: app, credential: credential, title: "Work", sessionID: "1", event: .userInitiated),
            .init(
                serviceIdentifier: app, credential: credential, sessionID: "1", event: .generatedPasswordFilled,
                passwordKind: .passphrase),
            .init(
                serviceIdentifier: app, credential: credential, title: "Work", sessionID: "1",
                event: .generatedPasswordFilled, passwordKind: .strong),
            .init(
                serviceIdentifier: app, credential: .init(user: "ada", password: "other"), sessionID: "1",
                event: .userInitiated),
        ]
    }

    @Test(arguments: 0..<7)
    func aRequestToSaveEqualsItselfAndSurvivesCoding(index: Int) throws {
        let request = Self.saves[index]
        for (other, candidate) in Self.saves.enumerated() { #expect((candidate == request) == (other == index)) }
        let read = try archived(request)
        #expect(read == request && read.hash == request.hash && request.copy() as AnyObject === request)
        #expect(read.title == request.title && read.passwordKind == request.passwordKind)
        #expect(read.event == request.event && read.sessionID == request.sessionID)
        #expect(read.serviceIdentifier.displayName == "Example" && read.credential == request.credential)
        for text in descriptions(of: request) { #expect(!text.contains("canary-4711")) }
    }

    @Test func whatIsLeftOutOfARequestToSaveIsNil() {
        #expect(Self.saves[0].title == nil && Self.saves[0].passwordKind == nil)
        #expect(Self.saves[3].title == "Work" && Self.saves[4].passwordKind == .passphrase)
        let events: [ASSavePasswordRequest.Event] = [.userInitiated, .formDidDisappear, .generatedPasswordFilled]
        #expect(events.map(\.rawValue) == [0, 1, 2])
    }

    @Test func aRequestForPasswordsSurvivesCoding() throws {
        let request = ASGeneratePasswordsRequest(
            serviceIdentifier: Self.app, passwordFieldPasswordRules: "minlength: 12;",
            confirmPasswordFieldPasswordRules: nil, passwordRulesFromQuirks: "maxlength: 20;")
        let read = try archived(request)
        #expect(read == request && read.hash == request.hash && request.copy() as AnyObject === request)
        #expect(read.serviceIdentifier == Self.app && read.passwordFieldPasswordRules == "minlength: 12;")
        #expect(read.confirmPasswordFieldPasswordRules == nil && read.passwordRulesFromQuirks == "maxlength: 20;")
        let other = ASGeneratePasswordsRequest(
            serviceIdentifier: Self.app, passwordFieldPasswordRules: nil,
            confirmPasswordFieldPasswordRules: "minlength: 12;", passwordRulesFromQuirks: "maxlength: 20;")
        #expect(other != request)
        #expect(ASGeneratePasswordsRequest(coder: try foreignArchive()) == nil)
        #expect(ASSavePasswordRequest(coder: try foreignArchive()) == nil)
    }
}
