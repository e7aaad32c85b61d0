import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization
import Testing
import WebAuthnValues

@testable import AuthenticationServices

/// An application's requests, from the API to the broker and back.
@MainActor
@Suite("App authorization")
struct AppAuthorizationTests {
    /// The broker, as an application sees it.
    private final class Broker: Sendable {
        let asked = Mutex<[AuthorizeApplication.Parameters]>([])
        let reports = Mutex<[CredentialReport]>([])
        let saved = Mutex<[PasswordToSave]>([])
        private let answer: @Sendable (AuthorizeApplication.Parameters) async throws -> AuthorizeApplication.Result
        private let ends = Mutex<[Connection]>([])

        init(
            _ answer:
                @escaping @Sendable (
                    AuthorizeApplication.Parameters
                ) async throws -> AuthorizeApplication.Result
        ) {
            self.answer = answer
        }

        convenience init(failing code: ProtocolError.Code) {
            self.init { _ in throw ProtocolError(code, "Because.") }
        }

        /// How an application reaches it.
        var link: BrokerLink {
            BrokerLink { [self] in
                let (ours, theirs) = try LocalSocket.pair()
                var methods = MethodTable()
                methods.on(AuthorizeApplication.self) { parameters, _ in
                    self.asked.withLock { $0.append(parameters) }
                    return try await self.answer(parameters)
                }
                methods.on(ReportCredential.self) { parameters, _ in
                    self.reports.withLock { $0.append(parameters.report) }
                    return Nothing()
                }
                methods.on(SavePassword.self) { parameters, _ in
                    self.saved.withLock { $0.append(parameters.password) }
                    return SavePassword.Result(provider: ProviderReference(identifier: "x", name: "X"))
                }
                let door = Connection(
                    descriptor: ours, peer: .unknown(Greeting(accepts: [.application], name: "keywayd")),
                    methods: methods)
                door.start()
                let app = Connection(descriptor: theirs, peer: .known(.broker))
                app.start()
                try await app.greet(as: .application, name: "test")
                ends.withLock { $0 += [door, app] }
                return app
            }
        }

        deinit { for end in ends.withLock({ $0 }) { end.close() } }
    }

    /// What a delegate was told.
    private final class Listener: NSObject, ASAuthorizationControllerDelegate {
        private(set) var given: [ASAuthorization] = []
        private(set) var methods: [ASAuthorizationCustomMethod] = []
        private(set) var errors: [ASAuthorizationError.Code?] = []
        private var waiting: CheckedContinuation<Void, Never>?

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            given.append(authorization)
            tell()
        }

        func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
            errors.append((error as? ASAuthorizationError)?.code)
            tell()
        }

        func authorizationController(
            _ controller: ASAuthorizationController, didCompleteWithCustomMethod method: ASAuthorizationCustomMethod
        ) {
            methods.append(method)
            tell()
        }

        private func tell() {
            waiting?.resume()
            waiting = nil
        }

        var count: Int { given.count + errors.count + methods.count }

        func wait() async {
            if count == 0 { await withCheckedContinuation { waiting = $0 } }
        }
    }

    private let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.org")
    private let password = ASAuthorizationPasswordProvider().createRequest()

    private var assertion: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        provider.createCredentialAssertionRequest(challenge: Data([1]))
    }

    private nonisolated static func secret(_ bytes: [UInt8]) throws -> AutoFillWire.Attachment {
        AutoFillWire.Attachment(try bytes.withUnsafeBytes { try SealedMemory(copying: $0) })
    }

    private nonisolated static func signature(
        _ extensions: AssertionOutputs<AutoFillWire.Attachment>? = nil
    ) -> PasskeyAssertionCredential {
        PasskeyAssertionCredential(
            userHandle: Data([4]), relyingParty: "example.org", signature: Data([5]), clientDataHash: Data([6]),
            authenticatorData: Data([7]), credentialID: Data([8]), extensions: extensions)
    }

    private nonisolated static func made(
        _ extensions: RegistrationOutputs<AutoFillWire.Attachment>? = nil
    ) -> PasskeyRegistrationCredential {
        PasskeyRegistrationCredential(
            relyingParty: "example.org", clientDataHash: Data([6]), credentialID: Data([8]),
            attestationObject: Data([9]), extensions: extensions)
    }

    // MARK: What the broker is asked

    @Test func everyRequestIsAskedAsItStands() async throws {
        let broker = Broker(failing: .cancelled)
        let old = assertion
        old.allowedCredentials = [.init(credentialID: Data([5]))]
        old.userVerificationPreference = .required
        old.largeBlob = .write(Data([6]))
        old.prf = .inputValues(.saltInput1(Data([3])), perCredentialInputValues: [Data([5]): .saltInput1(Data([4]))])
        let new = provider.createCredentialRegistrationRequest(
            challenge: Data([2]), name: "ada", userID: Data([3]), requestStyle: .conditional)
        new.excludedCredentials = [.init(credentialID: Data([7]))]
        new.largeBlob = .supportRequired
        new.prf = .checkForSupport
        let listener = Listener()
        let controller = ASAuthorizationController([password, old, new], over: broker.link)
        controller.delegate = listener
        controller.customAuthorizationMethods = [.restorePurchase]
        controller.performRequests(options: .preferImmediatelyAvailableCredentials)
        // What changes afterwards is no part of the run.
        old.challenge = Data([99])
        await listener.wait()
        let asked = try #require(broker.asked.withLock { $0.first })
        #expect(asked.onlyImmediate && asked.methods == ["restorePurchase"] && asked.requests.count == 3)
        guard case .password = asked.requests[0], case .assertion(let signIn) = asked.requests[1],
            case .registration(let passkey) = asked.requests[2]
        else {
            Issue.record("other requests")
            return
        }
        #expect((signIn.relyingParty, signIn.challenge) == ("example.org", Data([1])))
        #expect(signIn.allowedCredentials == [Data([5])] && signIn.userVerification == .required)
        #expect(signIn.extensions?.prf?.values?.first == Data([3]))
        #expect(signIn.extensions?.prf?.byCredential.map(\.credentialID) == [Data([5])])
        guard case .write = signIn.extensions?.largeBlob else {
            Issue.record("no blob")
            return
        }
        #expect((passkey.userName, passkey.userHandle, passkey.challenge) == ("ada", Data([3]), Data([2])))
        #expect(passkey.isConditional && passkey.excludedCredentials == [Data([7])])
        #expect(passkey.extensions?.largeBlob == .required && passkey.extensions?.prf?.values == nil)
        #expect(passkey.extensions?.prf != nil)
    }

    @Test func anAttestationIsNotToBeHad() async throws {
        let broker = Broker(failing: .cancelled)
        let new = provider.createCredentialRegistrationRequest(challenge: Data([2]), name: "ada", userID: Data([3]))
        new.attestationPreference = .direct
        await #expect(throws: ASAuthorizationError.self) {
            _ = try await AuthorizationController(over: broker.link).performRequest(new)
        }
        #expect(broker.asked.withLock { $0.isEmpty })
    }

    @Test func theDomainsAreThoseOfTheEntitlements() throws {
        let list: [String: Any] = [
            "com.apple.developer.associated-domains": [
                "webcredentials:Example.org", "applinks:other.example", "webcredentials:example.org?mode=developer",
                "webcredentials:", "webcredentials:b.example",
            ]
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        #expect(AssociatedDomains.domains(in: data) == ["example.org", "b.example"])
        #expect(AssociatedDomains.domains(in: Data("nonsense".utf8)).isEmpty)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shared = folder.appendingPathComponent("share/app")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        let program = folder.appendingPathComponent("bin/app")
        #expect(AssociatedDomains(program: program).domains.isEmpty)
        try data.write(to: shared.appendingPathComponent("app.entitlements"))
        #expect(AssociatedDomains(program: program).domains == ["example.org", "b.example"])
    }

    // MARK: What comes back

    @Test func aPasswordComesBack() async throws {
        let broker = Broker { _ in
            .init(request: 0, credential: .password(user: "ada", password: try Self.secret(Array("pässword".utf8))))
        }
        let result = try await AuthorizationController(over: broker.link).performRequests([password, assertion])
        guard case .password(let credential) = result else {
            Issue.record("no password")
            return
        }
        #expect((credential.user, credential.password) == ("ada", "pässword"))
    }

    @Test func aSignatureComesBackWithWhatItsExtensionsBrought() async throws {
        let broker = Broker { _ in
            let output = AssertionOutputs<AutoFillWire.Attachment>(
                largeBlob: .read(try Self.secret([1, 2])),
                prf: PRFOutputs(first: try Self.secret([3]), second: try Self.secret([4])))
            return .init(request: 1, credential: .assertion(Self.signature(output), clientData: Data([2])))
        }
        let listener = Listener()
        let requests = [password, assertion]
        let controller = ASAuthorizationController(requests, over: broker.link)
        controller.delegate = listener
        controller.performRequests()
        await listener.wait()
        let given = try #require(listener.given.first)
        #expect(given.provider === provider)
        let credential = try #require(given.credential as? ASAuthorizationPlatformPublicKeyCredentialAssertion)
        #expect((credential.rawClientDataJSON, credential.credentialID) == (Data([2]), Data([8])))
        #expect((credential.rawAuthenticatorData, credential.userID) == (Data([7]), Data([4])))
        #expect(credential.signature == Data([5]))
        #expect(credential.largeBlob == .read(data: Data([1, 2])))
        #expect(credential.prf?.first.withUnsafeBytes { Array($0) } == [3])
        #expect(credential.prf?.second?.withUnsafeBytes { Array($0) } == [4])
    }

    @Test func newPasskeysComeBack() async throws {
        let broker = Broker { parameters in
            guard case .registration(let wanted) = parameters.requests[0] else { throw CancellationError() }
            let output = RegistrationOutputs<AutoFillWire.Attachment>(
                isLargeBlobSupported: true, prf: .init(isSupported: false, values: nil))
            return .init(
                request: 0, credential: .registration(Self.made(output), clientData: Data([2])),
                userName: wanted.userName == nil ? "ada" : nil)
        }
        let controller = AuthorizationController(over: broker.link)
        let new = provider.createCredentialRegistrationRequest(challenge: Data([2]), name: "ada", userID: Data([3]))
        guard case .passkeyRegistration(let passkey) = try await controller.performRequest(new) else {
            Issue.record("no passkey")
            return
        }
        #expect((passkey.rawAttestationObject, passkey.rawClientDataJSON) == (Data([9]), Data([2])))
        #expect(passkey.largeBlob == .supported && passkey.prf == .unsupported)
        let account = ASAuthorizationAccountCreationProvider().createPlatformPublicKeyCredentialRegistrationRequest(
            acceptedContactIdentifiers: [.email], shouldRequestName: false, relyingPartyIdentifier: "example.org",
            challenge: Data([1]), userID: Data([2]))
        guard case .passkeyAccountCreation(let created) = try await controller.performRequest(account) else {
            Issue.record("no account")
            return
        }
        #expect(created.userName == "ada" && created.rawAttestationObject == Data([9]))
    }

    @Test func aWayOfTheAppsOwnComesBack() async throws {
        let broker = Broker { .init(request: nil, credential: .method($0.methods[0])) }
        let result = try await AuthorizationController(over: broker.link)
            .performRequest(assertion, customMethods: [.videoSubscriberAccount])
        guard case .customMethod(.videoSubscriberAccount) = result else {
            Issue.record("another result")
            return
        }
        let listener = Listener()
        let controller = ASAuthorizationController([assertion], over: broker.link)
        controller.delegate = listener
        controller.customAuthorizationMethods = [.other]
        controller.performRequests()
        await listener.wait()
        #expect(listener.methods == [.other])
    }

    @Test(arguments: [0, 1, 7])
    func anAnswerThatFitsNoRequestIsNone(request: Int) async throws {
        let broker = Broker { _ in
            .init(request: request, credential: .registration(Self.made(), clientData: Data()))
        }
        do {
            _ = try await AuthorizationController(over: broker.link).performRequests([password, assertion])
            Issue.record("an answer")
        } catch { #expect((error as? ASAuthorizationError)?.code == .invalidResponse) }
    }

    // MARK: Errors

    @Test(arguments: [
        (ProtocolError.Code.cancelled, ASAuthorizationError.Code.canceled), (.elsewhere, .canceled),
        (.exists, .matchedExcludedCredential), (.noProvider, .deviceNotConfiguredForPasskeyCreation),
        (.interactionRequired, .notInteractive), (.timedOut, .notInteractive), (.refused, .failed),
        (.notVerified, .failed), (.rateLimited, .failed), (.invalidParameters, .failed), (.unknownMethod, .notHandled),
        (.internalError, .unknown),
    ])
    func errorsAreThoseOfTheAPI(code: ProtocolError.Code, expected: ASAuthorizationError.Code) async throws {
        let broker = Broker(failing: code)
        do {
            _ = try await AuthorizationController(over: broker.link).performRequest(assertion)
            Issue.record("an answer")
        } catch {
            #expect((error as? ASAuthorizationError)?.code == expected)
            #expect(error.localizedDescription == "Because.")
        }
    }

    @Test(arguments: [ProtocolError.Code.refused, .cancelled, .exists, .noProvider, .notVerified])
    func anUpgradeNeverSaysWhyThereIsNone(code: ProtocolError.Code) async throws {
        let broker = Broker(failing: code)
        let upgrade = provider.createCredentialRegistrationRequest(
            challenge: Data([2]), name: "ada", userID: Data([3]), requestStyle: .conditional)
        do {
            _ = try await AuthorizationController(over: broker.link).performRequest(upgrade)
            Issue.record("an answer")
        } catch {
            #expect((error as? ASAuthorizationError)?.code == .failed)
            #expect(error.localizedDescription == "No passkey was made.")
        }
    }

    @Test func aRunThatIsCancelledEndsOnceAndAtOnce() async throws {
        let (begun, sink) = AsyncStream.makeStream(of: Void.self)
        let broker = Broker { _ in
            sink.yield()
            try await Task.sleep(for: .seconds(3600))
            throw CancellationError()
        }
        let listener = Listener()
        let controller = ASAuthorizationController([assertion], over: broker.link)
        controller.delegate = listener
        controller.cancel()
        controller.performRequests()
        for await _ in begun { break }
        controller.cancel()
        controller.cancel()
        await listener.wait()
        for _ in 0..<20 { await Task.yield() }
        #expect(listener.errors == [.canceled])
    }

    @Test func withoutARequestThereIsNoRun() async throws {
        let listener = Listener()
        let controller = ASAuthorizationController([], over: Broker(failing: .cancelled).link)
        controller.delegate = listener
        controller.performRequests()
        #expect(listener.count == 0)
        await listener.wait()
        #expect(listener.errors == [.failed])
    }

    // MARK: At fields

    @Test func suggestionsAtFieldsAppearWhenOneHasTheFocus() async throws {
        let broker = Broker { _ in
            .init(request: 0, credential: .assertion(Self.signature(), clientData: Data([2])))
        }
        let listener = Listener()
        let controller = ASAuthorizationController([assertion], over: broker.link)
        controller.delegate = listener
        controller.performAutoFillAssistedRequests()
        for _ in 0..<20 { await Task.yield() }
        let field = UITextField()
        for content in [nil, UITextContentType.newPassword, .oneTimeCode] {
            field.textContentType = content
            field.becomeFirstResponder()
        }
        for _ in 0..<20 { await Task.yield() }
        #expect(broker.asked.withLock { $0.isEmpty } && listener.count == 0)
        field.textContentType = .username
        #expect(field.becomeFirstResponder())
        await listener.wait()
        #expect(listener.given.count == 1)
        // The fields of a process are all of its controllers': one after the other.
        try await whatThePersonClosesComesAgain()
    }

    private func whatThePersonClosesComesAgain() async throws {
        let tries = Atomic(0)
        let broker = Broker { _ in
            guard tries.add(1, ordering: .relaxed).newValue > 1 else { throw ProtocolError(.cancelled, "Closed.") }
            return .init(request: 0, credential: .assertion(Self.signature(), clientData: Data([2])))
        }
        let focus = FieldFocus.process
        let controller = AuthorizationController(over: broker.link)
        let assertion = assertion
        let run = Task { @MainActor in
            let result = try await controller.performAutoFillAssistedRequest(assertion)
            if case .passkeyAssertion = result { return true }
            return false
        }
        var offers = 0
        while offers < 2 {
            if let offer = focus.begin(.password) {
                await offer.value
                offers += 1
            }
            await Task.yield()
        }
        #expect(try await run.value)
        #expect(focus.begin(.password) == nil)
    }

    // MARK: Telling and keeping

    @Test func whatAnAppTellsIsPassedOn() async throws {
        let broker = Broker(failing: .cancelled)
        let data = ASCredentialDataManager(over: broker.link)
        let views = CredentialDataManager(over: broker.link)
        try await data.reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: "a.example", userHandle: Data([1]), acceptedCredentialIDs: [Data([2])])
        try await data.reportPublicKeyCredentialUpdate(
            relyingPartyIdentifier: "a.example", userHandle: Data([1]), newName: "eve")
        try await views.reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: "a.example", credentialID: Data([2]))
        try await views.reportUnusedPasswordCredential(domain: "a.example", userName: "ada")
        #expect(
            broker.reports.withLock { $0 } == [
                .passkeysAccepted(relyingParty: "a.example", userHandle: Data([1]), credentialIDs: [Data([2])]),
                .passkeyUpdated(relyingParty: "a.example", userHandle: Data([1]), newName: "eve"),
                .passkeyUnknown(relyingParty: "a.example", credentialID: Data([2])),
                .passwordUnused(domain: "a.example", userName: "ada"),
            ])
    }

    @Test func aPasswordIsOfferedAsAFormWould() async throws {
        let broker = Broker(failing: .cancelled)
        let scope = ASAutoFillURLScope(scheme: .https, host: "a.example", port: nil, path: "/join")
        try await ASCredentialDataManager(over: broker.link).save(
            password: ASPasswordCredential(user: "ada", password: "secret"), for: scope, title: "A", anchor: UIWindow())
        let saved = try #require(broker.saved.withLock { $0.first })
        #expect((saved.service.identifier, saved.user, saved.title) == ("https://a.example/join", "ada", "A"))
        #expect(saved.event == .formDidDisappear)
        #expect(
            try saved.password.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == "secret")
    }
}
