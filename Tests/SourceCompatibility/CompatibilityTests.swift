import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Testing

/// The providers beside this file, asked as the broker asks them.
@MainActor
@Suite("Providers from Apple's systems at work", .timeLimit(.minutes(2)))
struct CompatibilityTests {
    private static let site = ServiceIdentifier("example.org", kind: .domain)
    private static let assertion = PasskeyAssertion(
        clientDataHash: Data([9]), userVerification: .preferred,
        extensions: .init(largeBlob: .read, prf: .init(values: .init(first: Data([1])))))
    private static let registration = PasskeyRegistration(
        relyingParty: "example.org", userName: "ada", userHandle: Data([2]), clientDataHash: Data([9]),
        userVerification: .preferred, algorithms: [-7], extensions: .init(largeBlob: .required))

    private static func credential(
        _ kind: CredentialKind, record: String? = "7", id: UInt8 = 1
    ) -> PerformRequest.CredentialRequest {
        .init(
            identity: CredentialIdentity(
                kind: kind, service: site, user: "ada", recordIdentifier: record,
                passkey: kind == .passkey ? .init(credentialID: Data([id]), userHandle: Data([2])) : nil),
            assertion: kind == .passkey ? assertion : nil)
    }

    private func answer<Provider: ASCredentialProviderViewController>(
        of provider: Provider.Type, to request: PerformRequest.Request,
        _ events: [(title: String, event: InterfaceEvent)] = []
    ) async throws -> String {
        try await answer(to: request, events) { try #require(provider.decoded()) }
    }

    private func answer(
        to request: PerformRequest.Request, _ events: [(title: String, event: InterfaceEvent)] = [],
        by makeController: @escaping @MainActor () throws -> ASCredentialProviderViewController
    ) async throws -> String {
        let controller = try makeController()
        return try await BrokerEnd { controller }.perform(request, then: events).summary
    }

    @Test func aListAndAChoice() async throws {
        let list = PerformRequest.Request.list([Self.site], passkeys: nil)
        for provider in [CredentialProviderViewController.self, MacProvider.self]
            as [ASCredentialProviderViewController.Type]
        {
            #expect(
                try await answer(of: provider, to: list, [("Accounts", .chose(row: "7"))])
                    == "password ada correct horse")
            #expect(try await answer(of: provider, to: list, [("Accounts", .cancelled)]) == "cancelled 1")
        }
    }

    @Test func oneChosenSuggestion() async throws {
        for provider in [RequestProvider.self, PasskeyProvider.self] as [ASCredentialProviderViewController.Type] {
            let found = try await answer(of: provider, to: .provideWithoutInteraction(Self.credential(.password)))
            #expect(found == "password ada correct horse")
            let missing = PerformRequest.Request.provideWithoutInteraction(Self.credential(.password, record: "8"))
            #expect(try await answer(of: provider, to: missing) == "cancelled 101")
        }
    }

    @Test func theOlderForms() async throws {
        let password = Self.credential(.password)
        #expect(
            try await answer(of: OlderFormsProvider.self, to: .provideWithoutInteraction(password))
                == "password ada correct horse")
        #expect(
            try await answer(of: OlderFormsProvider.self, to: .provideWithInteraction(password))
                == "cancelled 0 Open the app first.")
    }

    @Test func codesAndText() async throws {
        let chose = [(title: "Choose", event: InterfaceEvent.chose(row: "ada"))]
        #expect(
            try await answer(of: CodesAndTextProvider.self, to: .oneTimeCodeList([Self.site]), chose) == "code 492039")
        #expect(try await answer(of: CodesAndTextProvider.self, to: .textToInsert, chose) == "text DE02 1203")
        let code = PerformRequest.Request.provideWithoutInteraction(Self.credential(.oneTimeCode))
        #expect(try await answer(of: PasskeyProvider.self, to: code) == "code 492039")
    }

    @Test func passkeys() async throws {
        let chosen = PerformRequest.Request.provideWithoutInteraction(Self.credential(.passkey))
        #expect(try await answer(of: PasskeyProvider.self, to: chosen) == "assertion [9]")
        let list = PerformRequest.Request.list(
            [Self.site], passkeys: .init(relyingParty: "example.org", assertion: Self.assertion))
        #expect(
            try await answer(of: PasskeyProvider.self, to: list, [("Passkeys", .chose(row: "0"))]) == "assertion [9]")
        let register = PerformRequest.Request.registerPasskey(Self.registration)
        #expect(try await answer(of: PasskeyProvider.self, to: register) == "registration [3]")
        let silently = PerformRequest.Request.registerPasskeyWithoutInteraction(Self.registration)
        #expect(try await answer(of: PasskeyProvider.self, to: silently) == "registration [3]")
        let excluding = PasskeyRegistration(
            relyingParty: "example.org", userName: "ada", userHandle: Data([2]), clientDataHash: Data([9]),
            userVerification: .preferred, algorithms: [-7], excludedCredentials: [Data([1])])
        #expect(try await answer(of: PasskeyProvider.self, to: .registerPasskey(excluding)) == "cancelled 102")
    }

    @Test func reports() async throws {
        let unknown = CredentialReport.passkeyUnknown(relyingParty: "example.org", credentialID: Data([1]))
        #expect(try await answer(of: PasskeyProvider.self, to: .report(unknown)) == "reported")
    }

    @Test func screensOfTheirOwn() async throws {
        let unlocked = (title: "Unlock", event: InterfaceEvent.submitted([:]))
        let list = PerformRequest.Request.list([Self.site], passkeys: nil)
        #expect(
            try await answer(of: CoordinatorProvider.self, to: list, [unlocked, ("Accounts", .chose(row: "7"))])
                == "password ada correct horse")
        #expect(
            try await answer(of: CoordinatorProvider.self, to: list, [unlocked, ("Accounts", .cancelled)])
                == "cancelled 1")
        let prepare = PerformRequest.Request.provideWithInteraction(Self.credential(.password))
        #expect(
            try await answer(of: CoordinatorProvider.self, to: prepare, [unlocked]) == "password ada correct horse")
        #expect(try await answer(of: CoordinatorProvider.self, to: .configuration, [unlocked]) == "configured")
        let passkey = PerformRequest.Request.provideWithInteraction(Self.credential(.passkey))
        #expect(try await answer(of: CoordinatorProvider.self, to: passkey) == "cancelled 0 No.")
    }

    @Test func alertsAndStacks() async throws {
        // Its `init(coder:)` traps, as in many that are named by NSExtensionPrincipalClass.
        let alerts = { @MainActor in AlertProvider(nibName: nil, bundle: nil) }
        let list = PerformRequest.Request.list([Self.site], passkeys: nil)
        #expect(try await answer(to: list, [("Accounts", .chose(row: "7"))], by: alerts) == "password 7 x")
        let prepare = PerformRequest.Request.provideWithInteraction(Self.credential(.password))
        let acknowledged = (title: "Unlock Failed", event: InterfaceEvent.activated(action: "0"))
        #expect(try await answer(to: prepare, [acknowledged], by: alerts) == "cancelled 0")
        #expect(try await answer(to: prepare, [("Unlock Failed", .cancelled)], by: alerts) == "cancelled 1")
    }

    @Test func newPasswords() async throws {
        func save(_ event: PasswordToSave.Event) throws -> PasswordToSave {
            let memory = try Array("hunter2".utf8).withUnsafeBytes { try SealedMemory(copying: $0) }
            return PasswordToSave(
                service: Self.site, user: "ada", password: Attachment(memory), session: "1", event: event)
        }
        let rules = PasswordsToGenerate(service: Self.site, passwordRules: "minlength: 12;")
        #expect(
            try await answer(
                of: NewPasswordProvider.self, to: .savePasswordWithoutInteraction(try save(.formDidDisappear)))
                == "saved")
        #expect(
            try await answer(
                of: NewPasswordProvider.self, to: .savePassword(try save(.userInitiated)),
                [("example.org", .chose(row: "save"))])
                == "saved")
        #expect(
            try await answer(of: NewPasswordProvider.self, to: .generatePasswordsWithoutInteraction(rules))
                == #"generated ["STRONG x7-minlength: 12;", "PASSPHRASE correct horse"]"#)
        #expect(
            try await answer(of: NewPasswordProvider.self, to: .generatePasswords(rules))
                == #"generated ["ALPHANUMERIC x7"]"#)
    }

    @Test func everythingInOneProvider() async throws {
        let password = try SealedMemory(copying: UnsafeRawBufferPointer(start: nil, count: 0))
        let save = PasswordToSave(
            service: Self.site, user: "ada", password: Attachment(password), session: "1", event: .userInitiated)
        let passkeys = PasskeyRequestParameters(relyingParty: "example.org", assertion: Self.assertion)
        let answers: [(PerformRequest.Request, String)] = [
            (.list([Self.site], passkeys: nil), "password ada correct horse"),
            (.list([Self.site], passkeys: passkeys), "password ada correct horse"),
            (.provideWithoutInteraction(Self.credential(.password)), "password ada correct horse"),
            (.provideWithoutInteraction(Self.credential(.password, record: nil)), "cancelled 101"),
            (.provideWithoutInteraction(Self.credential(.passkey)), "assertion [1]"),
            (.provideWithoutInteraction(Self.credential(.oneTimeCode)), "code 492039"),
            (.provideWithInteraction(Self.credential(.password)), "cancelled 0"),
            (.oneTimeCodeList([]), "code 492039"), (.textToInsert, "text ada"),
            (.registerPasskey(Self.registration), "registration [2]"),
            (.registerPasskeyWithoutInteraction(Self.registration), "registration [2]"),
            (.savePasswordWithoutInteraction(save), "saved"), (.savePassword(save), "cancelled 0"),
            (
                .generatePasswordsWithoutInteraction(.init(service: Self.site)), #"generated ["STRONG x7"]"#
            ),
        ]
        let broker = try await BrokerEnd { UsageProvider() }
        for (request, answer) in answers { #expect(try await broker.perform(request).summary == answer) }
        #expect(try await !UsageProvider().verify(), "this system cannot, and says so")
    }

    @Test func errorsAreReadInEveryWay() {
        #expect(
            ErrorShapes.made.map(ErrorShapes.name) == [
                "failed", "canceled", "failed", "locked", "failed", "extension 101",
            ])
        #expect(ErrorShapes.name(ASCredentialIdentityStoreError(.storeBusy)) == "busy")
        #expect(ErrorShapes.name(NSError(domain: ASAuthorizationErrorDomain, code: 1001)) == "backed out")
        #expect(ErrorShapes.name(CocoaError(.fileNoSuchFile)) == "NSCocoaErrorDomain 4")
        #expect(ErrorShapes.isCancellation(ErrorShapes.made[1]) && !ErrorShapes.isCancellation(nil))
    }
}
