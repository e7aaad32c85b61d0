import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Testing
import WebAuthnValues

@MainActor
@Suite("What each entry is given", .timeLimit(.minutes(2)))
struct RequestEntryTests {
    /// Performs `request` with a provider that cancels at once, and returns what it wrote down.
    private func journal(of request: PerformRequest.Request) async throws -> ScriptedController.Journal {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker(journal) {
                $0.extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
            })
        _ = try await broker.perform(request)
        return journal
    }

    private static let entries = [
        "provide password": "provide 7", "provide passkey": "provide 7", "provide code": "provide 7",
        "prepare password": "prepare 7", "prepare passkey": "prepare 7", "prepare code": "prepare 7",
        "list": "list []", "list with passkeys": "list with passkeys []", "codes": "codes []", "text": "text",
        "register silently": "register silently", "register": "register", "save silently": "save silently",
        "save": "save", "generate silently": "generate silently", "generate": "generate", "configure": "configure",
        "report": "unused example.com ada",
    ]

    @Test(arguments: [
        "provide password", "provide passkey", "provide code", "prepare password", "prepare passkey", "prepare code",
        "list", "list with passkeys", "codes", "text", "register silently", "register", "save silently", "save",
        "generate silently", "generate", "configure", "report",
    ])
    func exactlyOneEntryIsCalledAfterTheViewWasLoaded(name: String) async throws {
        let request = try #require(try PerformRequest.Request.everyOne()[name])
        #expect(try await journal(of: request).lines == ["viewDidLoad", try #require(Self.entries[name])])
    }

    @Test func everyRequestIsTriedHere() throws {
        #expect(try Set(PerformRequest.Request.everyOne().keys) == Set(Self.entries.keys))
    }

    @Test(arguments: [
        "provide password", "provide passkey", "provide code", "register silently", "save silently",
        "generate silently",
    ])
    func nothingAppearsForARequestWithoutInteraction(name: String) async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker(journal) {
                $0.interface = .message(InterfaceMessage(title: "no", text: "no"))
            })
        let request = try #require(try PerformRequest.Request.everyOne()[name])
        let task = Task { try await broker.perform(request) }
        try await eventually { journal.controllers.first?.interface != nil }
        task.cancel()
        _ = await task.result
        #expect(journal.lines.count == 2, "\(journal.lines)")
    }

    @Test func nothingIsAskedOfAProviderThatEndedTheRequestBefore() async throws {
        final class SignedOut: ASCredentialProviderViewController {
            override func viewDidLoad() {
                super.viewDidLoad()
                extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
            }
            override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
                Issue.record("asked")
            }
            override func viewWillAppear(_ animated: Bool) { Issue.record("shown") }
        }
        let broker = try await FakeBroker { SignedOut() }
        #expect(try await broker.perform(.list([], passkeys: nil)).cancellation?.code == 1)
    }

    // MARK: Values

    @Test func aPasskeyRequestSaysWhatToSign() async throws {
        let input = AssertionInputs(
            largeBlob: .write(try Attachment(text: "blob")),
            prf: .init(
                values: .init(first: Data([1]), second: Data([2])),
                byCredential: [.init(credentialID: Data([1, 2]), values: .init(first: Data([3])))]))
        let assertion = PasskeyAssertion(
            clientDataHash: Data([7]), userVerification: .required, extensions: input)
        let identity = PerformRequest.Request.credential(.passkey).identity
        let journal = try await journal(of: .provideWithInteraction(.init(identity: identity, assertion: assertion)))
        let request = try #require(journal.request as? ASPasskeyCredentialRequest)
        #expect(request.type == .passkeyAssertion && request.supportedAlgorithms.isEmpty)
        #expect(request.clientDataHash == Data([7]) && request.userVerificationPreference == .required)
        #expect(request.excludedCredentials == nil)
        let chosen = try #require(request.credentialIdentity as? ASPasskeyCredentialIdentity)
        #expect(chosen.credentialID == Data([1, 2]) && chosen.userHandle == Data([3]))
        #expect(chosen.relyingPartyIdentifier == "example.com" && chosen.userName == "ada")
        #expect(chosen.recordIdentifier == "7" && chosen.rank == 3)
        let prf = ASAuthorizationPublicKeyCredentialPRFAssertionInput.inputValues(
            .saltInput1(Data([1]), saltInput2: Data([2])),
            perCredentialInputValues: [Data([1, 2]): .saltInput1(Data([3]))])
        #expect(
            request.extensionInput == .assertion(.init(largeBlob: .write(Data("blob".utf8)), prf: prf)))
    }

    @Test func aListWithPasskeysSaysWhatToSign() async throws {
        let assertion = PasskeyAssertion(
            clientDataHash: Data([7]), userVerification: .discouraged, allowedCredentials: [Data([1]), Data([2])],
            extensions: .init(largeBlob: .read))
        let services = [ServiceIdentifier("https://example.com/", kind: .url)]
        let journal = try await journal(
            of: .list(services, passkeys: .init(relyingParty: "example.com", assertion: assertion)))
        #expect(journal.lines.last == #"list with passkeys ["https://example.com/"]"#)
        let parameters = try #require(journal.request as? ASPasskeyCredentialRequestParameters)
        #expect(parameters.relyingPartyIdentifier == "example.com" && parameters.clientDataHash == Data([7]))
        #expect(parameters.userVerificationPreference == .discouraged)
        #expect(parameters.allowedCredentials == [Data([1]), Data([2])])
        #expect(parameters.extensionInput == .init(largeBlob: .read))
    }

    @Test(arguments: [
        (RegistrationInputs?.none, ASPasskeyCredentialExtensionInput.none),
        (
            .init(largeBlob: .required, prf: .init(values: nil)),
            .registration(.init(largeBlob: .supportRequired, prf: .checkForSupport))
        ),
        (
            .init(largeBlob: .preferred, prf: .init(values: .init(first: Data([1])))),
            .registration(.init(largeBlob: .supportPreferred, prf: .inputValues(.saltInput1(Data([1])))))
        ),
    ])
    func aRegistrationSaysWhatIsWanted(
        wanted: RegistrationInputs?, input: ASPasskeyCredentialExtensionInput
    ) async throws {
        let registration = PasskeyRegistration(
            relyingParty: "example.com", userName: "ada", userHandle: Data([3]), clientDataHash: Data([7]),
            userVerification: .required, algorithms: [-8, -7], excludedCredentials: [Data([4])], extensions: wanted)
        for entry in [
            PerformRequest.Request.registerPasskey(registration), .registerPasskeyWithoutInteraction(registration),
        ] {
            let request = try #require(try await journal(of: entry).request as? ASPasskeyCredentialRequest)
            #expect(request.type == .passkeyRegistration && request.clientDataHash == Data([7]))
            #expect(request.userVerificationPreference == .required)
            #expect(request.supportedAlgorithms == [.init(rawValue: -8), .ES256])
            #expect(request.excludedCredentials?.map(\.credentialID) == [Data([4])])
            #expect(request.extensionInput == input)
            let identity = try #require(request.credentialIdentity as? ASPasskeyCredentialIdentity)
            #expect(identity.relyingPartyIdentifier == "example.com" && identity.userName == "ada")
            #expect(identity.userHandle == Data([3]) && identity.recordIdentifier == nil)
            #expect(identity.credentialID.isEmpty)
        }
    }

    @Test(arguments: [true, false, nil])
    func everyPasskeyRequestSaysWhetherThePersonWasVerified(said: Bool?) async throws {
        let credential = PerformRequest.CredentialRequest(
            identity: PerformRequest.Request.credential(.passkey).identity,
            assertion: PerformRequest.Request.assertion, isPersonVerified: said)
        let made = PasskeyRegistration(
            relyingParty: "example.com", userName: "ada", userHandle: Data([3]), clientDataHash: Data([7]),
            userVerification: .required, algorithms: [-7], excludedCredentials: [], isPersonVerified: said)
        let list = PasskeyRequestParameters(
            relyingParty: "example.com", assertion: PerformRequest.Request.assertion, isPersonVerified: said)
        for entry in [
            PerformRequest.Request.provideWithoutInteraction(credential), .provideWithInteraction(credential),
            .registerPasskey(made), .registerPasskeyWithoutInteraction(made),
        ] {
            let request = try #require(try await journal(of: entry).request as? ASPasskeyCredentialRequest)
            #expect(request.isPersonVerified == (said == true))
        }
        let journal = try await journal(of: .list([], passkeys: list))
        let parameters = try #require(journal.request as? ASPasskeyCredentialRequestParameters)
        #expect(parameters.isPersonVerified == (said == true))
    }

    @Test func aRequestToSaveSaysWhat() async throws {
        let saves = [
            PerformRequest.Request.savePassword(try PerformRequest.Request.toSave()),
            .savePasswordWithoutInteraction(try PerformRequest.Request.toSave()),
        ]
        for entry in saves {
            let request = try #require(try await journal(of: entry).request as? ASSavePasswordRequest)
            #expect(request.serviceIdentifier == .init(identifier: "org.example.App", type: .app))
            #expect(request.serviceIdentifier.displayName == "Example" && request.title == "Work")
            #expect(request.credential == .init(user: "ada", password: "pässword"))
            #expect(request.sessionID == "9d0f" && request.event == .generatedPasswordFilled)
            #expect(request.passwordKind == .passphrase)
        }
    }

    @Test func aRequestForPasswordsSaysTheRules() async throws {
        let wanted = PerformRequest.Request.toGenerate
        for entry in [PerformRequest.Request.generatePasswords(wanted), .generatePasswordsWithoutInteraction(wanted)] {
            let request = try #require(try await journal(of: entry).request as? ASGeneratePasswordsRequest)
            #expect(request.serviceIdentifier == .init(identifier: "https://example.com/join", type: .URL))
            #expect(request.passwordFieldPasswordRules == "minlength: 12;")
            #expect(request.confirmPasswordFieldPasswordRules == nil)
            #expect(request.passwordRulesFromQuirks == "maxlength: 20;")
        }
    }

    @Test(arguments: [
        (
            CredentialReport.passkeyUpdated(relyingParty: "example.com", userHandle: Data([1]), newName: "eve"),
            "updated example.com [1] eve"
        ),
        (.passkeyUnknown(relyingParty: "example.com", credentialID: Data([2])), "unknown example.com [2]"),
        (
            .passkeysAccepted(
                relyingParty: "example.com", userHandle: Data([1]), credentialIDs: [Data([2]), Data([3])]),
            "accepted example.com [1] [[2], [3]]"
        ),
        (
            .passkeysAccepted(relyingParty: "example.com", userHandle: Data([1]), credentialIDs: []),
            "accepted example.com [1] []"
        ),
        (.passwordUnused(domain: "example.com", userName: "ada"), "unused example.com ada"),
    ])
    func aReportIsHeardAndConfirmed(report: CredentialReport, line: String) async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(makeController: ScriptedController.maker(journal) { _ in })
        #expect(try await broker.perform(.report(report)) == .reported)
        #expect(journal.lines == ["viewDidLoad", line])
    }

    @Test func aPasskeysRequestWithoutItsPartsIsRefused() async throws {
        let identity = PerformRequest.Request.credential(.passkey).identity
        let bare = CredentialIdentity(
            kind: .passkey, service: identity.service, user: "ada", recordIdentifier: "7")
        let broker = try await FakeBroker()
        for request in [
            PerformRequest.CredentialRequest(identity: identity, assertion: nil),
            .init(identity: bare, assertion: PerformRequest.Request.assertion),
        ] {
            await #expect(throws: ProtocolError(.invalidParameters, "")) {
                try await broker.perform(.provideWithoutInteraction(request))
            }
        }
        // The next request is served as if nothing had been.
        #expect(try await broker.perform(.list([], passkeys: nil)).cancellation?.code == 0)
    }

    // MARK: What a provider does not override

    @Test func aProviderThatOverridesNothingFails() async throws {
        let broker = try await FakeBroker()
        for (name, request) in try PerformRequest.Request.everyOne() {
            let result = try await broker.perform(request)
            if name == "report" {
                #expect(result == .reported)
            } else {
                #expect(try #require(result.cancellation, "\(name)") == (ASExtensionErrorDomain, 0, nil))
            }
        }
    }

    @Test func aListWithPasskeysFallsBackToTheListWithout() async throws {
        final class PasswordsOnly: ASCredentialProviderViewController {
            override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
                extensionContext.completeRequest(
                    withSelectedCredential: .init(user: serviceIdentifiers[0].identifier, password: "x"))
            }
        }
        let broker = try await FakeBroker { PasswordsOnly() }
        let result = try await broker.perform(
            .list(
                [ServiceIdentifier("example.com", kind: .domain)],
                passkeys: .init(relyingParty: "example.com", assertion: PerformRequest.Request.assertion)))
        #expect(try result.credential?.user == "example.com")
    }

    @Test(arguments: [CredentialKind.passkey, .oneTimeCode])
    func onlyPasswordsGoOnToTheOlderForms(kind: CredentialKind) async throws {
        final class Older: ASCredentialProviderViewController {
            override func provideCredentialWithoutUserInteraction(
                for credentialIdentity: ASPasswordCredentialIdentity
            ) {
                Issue.record("called")
            }
        }
        let broker = try await FakeBroker { Older() }
        let result = try await broker.perform(.provideWithoutInteraction(PerformRequest.Request.credential(kind)))
        #expect(result.cancellation?.code == ASExtensionError.failed.rawValue)
    }
}
