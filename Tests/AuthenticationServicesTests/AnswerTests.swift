import AuthenticationServices
import AutoFillProtocol
import CryptoKit
import Testing

/// Every entry with every ending: which fit each other, and what becomes of those that do not.
@MainActor
@Suite("Which answer fits which request", .timeLimit(.minutes(2)))
struct AnswerTests {
    private typealias Context = ASCredentialProviderExtensionContext

    /// What the provider does in the next request.
    private final class Turn {
        var end: @MainActor (Context) -> Void = { _ in }
    }

    /// The endings with which a provider may answer, by a name.
    private static func endings() -> [String: @MainActor (Context, @escaping @Sendable (Bool) -> Void) -> Void] {
        [
            "password": {
                $0.completeRequest(withSelectedCredential: .init(user: "ada", password: "pw"), completionHandler: $1)
            },
            "assertion": { $0.completeAssertionRequest(using: assertion(), completionHandler: $1) },
            "registration": { $0.completeRegistrationRequest(using: registration(), completionHandler: $1) },
            "code": { $0.completeOneTimeCodeRequest(using: .init(code: "492039"), completionHandler: $1) },
            "text": { $0.completeRequest(withTextToInsert: "lorem", completionHandler: $1) },
            "saved": { $0.completeSavePasswordRequest(completionHandler: $1) },
            "generated": {
                $0.completeGeneratePasswordRequest(results: [.init(kind: .strong, value: "x7")], completionHandler: $1)
            },
            "items": { $0.completeRequest(returningItems: [], completionHandler: $1) },
        ]
    }

    private static func assertion(
        relyingParty: String = "example.com", hash: Data = PerformRequest.Request.clientDataHash,
        credentialID: [UInt8] = [1, 2], output: ASPasskeyAssertionCredentialExtensionOutput? = nil
    ) -> ASPasskeyAssertionCredential {
        .init(
            userHandle: Data([3]), relyingParty: relyingParty, signature: Data([5]), clientDataHash: hash,
            authenticatorData: Data([6]), credentialID: Data(credentialID), extensionOutput: output)
    }

    private static func registration(
        relyingParty: String = "example.com", hash: Data = PerformRequest.Request.clientDataHash,
        output: ASPasskeyRegistrationCredentialExtensionOutput? = nil
    ) -> ASPasskeyRegistrationCredential {
        .init(
            relyingParty: relyingParty, clientDataHash: hash, credentialID: Data([8]), attestationObject: Data([9]),
            extensionOutput: output)
    }

    /// The table at the end of section 1 of the reference.
    private nonisolated static let fitting: [String: Set<String>] = [
        "provide password": ["password"], "provide passkey": ["assertion"], "provide code": ["code"],
        "prepare password": ["password"], "prepare passkey": ["assertion"], "prepare code": ["code"],
        "list": ["password"], "list with passkeys": ["password", "assertion"], "codes": ["code"], "text": ["text"],
        "register silently": ["registration"], "register": ["registration"], "save silently": ["saved"],
        "save": ["saved"], "generate silently": ["generated"], "generate": ["generated"], "configure": [],
        "report": [],
    ]

    @Test(arguments: fitting.keys.sorted())
    func onlyTheRightEndingAnswers(name: String) async throws {
        let request = try #require(try PerformRequest.Request.everyOne()[name])
        let fitting = try #require(Self.fitting[name])
        let turn = Turn()
        let broker = try await FakeBroker(makeController: ScriptedController.maker { turn.end($0.extensionContext) })
        for (ending, call) in Self.endings() {
            var expired: [Bool] = []
            turn.end = { call($0) { value in MainActor.assumeIsolated { expired.append(value) } } }
            let result = try await broker.perform(request)
            try await eventually { !expired.isEmpty }
            if case .report = request {
                #expect(result == .reported, "a report needs no answer: \(ending)")
            } else if fitting.contains(ending) {
                #expect(result.name == ending && expired == [false], "\(name) with \(ending)")
                continue
            } else {
                let cancellation = try #require(result.cancellation, "\(name) with \(ending)")
                #expect(cancellation.domain == ASExtensionErrorDomain && cancellation.code == 0)
                #expect(cancellation.reason?.contains("was answered with") == true, "\(name) with \(ending)")
            }
            if ending != "items" { #expect(expired == [true], "\(name) with \(ending)") }
        }
    }

    @Test(arguments: fitting.keys.sorted())
    func anyRequestMayBeCancelled(name: String) async throws {
        let request = try #require(try PerformRequest.Request.everyOne()[name])
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker {
                $0.extensionContext.cancelRequest(withError: ASExtensionError(.matchedExcludedCredential))
            })
        let result = try await broker.perform(request)
        if case .report = request {
            #expect(result == .reported)
        } else {
            #expect(try #require(result.cancellation) == (ASExtensionErrorDomain, 102, nil))
        }
    }

    @Test func theConfigurationIsEndedOnlyByItsOwnCall() async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { $0.extensionContext.completeExtensionConfigurationRequest() })
        for (name, request) in try PerformRequest.Request.everyOne() {
            let result = try await broker.perform(request)
            switch name {
            case "configure": #expect(result == .configured)
            case "report": #expect(result == .reported)
            default: #expect(result.cancellation?.reason?.hasSuffix("the end of the configuration.") == true)
            }
        }
    }

    // MARK: What travels

    @Test func secretsTravelAsMemoryFiles() async throws {
        let all = try PerformRequest.Request.everyOne()
        func result(_ request: String, _ ending: String) async throws -> PerformRequest.Result {
            let end = try #require(Self.endings()[ending])
            let broker = try await FakeBroker(
                makeController: ScriptedController.maker { end($0.extensionContext) { _ in } })
            return try await broker.perform(try #require(all[request]))
        }
        guard case .oneTimeCode(let code, _) = try await result("codes", "code"),
            case .text(let text) = try await result("text", "text"),
            case .generated(let passwords) = try await result("generate", "generated")
        else {
            Issue.record("another result")
            return
        }
        #expect(try code.text == "492039" && text.text == "lorem")
        #expect(passwords.map(\.kind) == ["STRONG"])
        #expect(try passwords.map { try $0.value.text } == ["x7"])
    }

    @Test func aSignatureTravelsWithItsExtensions() async throws {
        let keys = (SymmetricKey(data: Data("one".utf8)), SymmetricKey(data: Data("two".utf8)))
        let output = ASPasskeyAssertionCredentialExtensionOutput(
            largeBlob: .read(data: Data("blob".utf8)), prf: .init(first: keys.0, second: keys.1))
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker {
                $0.extensionContext.completeAssertionRequest(using: Self.assertion(output: output))
            })
        guard
            case .passkeyAssertion(let credential) = try await broker.perform(
                .provideWithInteraction(PerformRequest.Request.credential(.passkey)))
        else {
            Issue.record("another result")
            return
        }
        #expect(credential.userHandle == Data([3]) && credential.relyingParty == "example.com")
        #expect(credential.signature == Data([5]) && credential.authenticatorData == Data([6]))
        #expect(credential.clientDataHash == PerformRequest.Request.clientDataHash)
        #expect(credential.credentialID == Data([1, 2]))
        guard case .read(let blob?) = credential.extensions?.largeBlob else {
            Issue.record("no blob")
            return
        }
        #expect(try blob.text == "blob")
        let prf = try #require(credential.extensions?.prf)
        #expect(try prf.first.text == "one" && prf.second?.text == "two")
    }

    @Test(
        arguments: [
            (ASPasskeyRegistrationCredentialExtensionOutput(), nil, nil, nil),
            (.init(largeBlob: .supported, prf: .unsupported), true, false, nil),
            (.init(largeBlob: .unsupported, prf: .supported), false, true, nil),
            (.init(prf: .init(first: SymmetricKey(data: Data("one".utf8)), second: nil)), nil, true, "one"),
        ] as [(ASPasskeyRegistrationCredentialExtensionOutput, Bool?, Bool?, String?)])
    func aNewPasskeyTravelsWithItsExtensions(
        output: ASPasskeyRegistrationCredentialExtensionOutput, blob: Bool?, prf: Bool?, key: String?
    ) async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker {
                $0.extensionContext.completeRegistrationRequest(using: Self.registration(output: output))
            })
        guard
            case .passkeyRegistration(let credential) = try await broker.perform(
                .registerPasskey(PerformRequest.Request.registration))
        else {
            Issue.record("another result")
            return
        }
        #expect(credential.credentialID == Data([8]) && credential.attestationObject == Data([9]))
        #expect(credential.extensions?.isLargeBlobSupported == blob && credential.extensions?.prf?.isSupported == prf)
        #expect(try credential.extensions?.prf?.values?.first.text == key)
    }

    // MARK: Answers to something else

    @Test(arguments: [
        ("evil.example", PerformRequest.Request.clientDataHash, false), ("example.com", Data([1]), false),
        ("example.com", PerformRequest.Request.clientDataHash, true),
    ])
    func aSignatureForSomethingElseIsNoAnswer(relyingParty: String, hash: Data, fits: Bool) async throws {
        for name in ["provide passkey", "prepare passkey", "list with passkeys"] {
            let request = try #require(try PerformRequest.Request.everyOne()[name])
            let broker = try await FakeBroker(
                makeController: ScriptedController.maker {
                    $0.extensionContext.completeAssertionRequest(
                        using: Self.assertion(relyingParty: relyingParty, hash: hash))
                })
            let result = try await broker.perform(request)
            #expect((result.name == "assertion") == fits)
            if !fits { #expect(result.cancellation?.reason?.contains("another relying party") == true) }
        }
    }

    @Test(arguments: [([1, 2], true), ([1], false)] as [([UInt8], Bool)])
    func aSignatureIsMadeWithAnAllowedPasskey(credentialID: [UInt8], fits: Bool) async throws {
        let assertion = PasskeyAssertion(
            clientDataHash: PerformRequest.Request.clientDataHash, userVerification: .preferred,
            allowedCredentials: [Data([9]), Data([1, 2])])
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker {
                $0.extensionContext.completeAssertionRequest(using: Self.assertion(credentialID: credentialID))
            })
        let result = try await broker.perform(
            .list([], passkeys: .init(relyingParty: "example.com", assertion: assertion)))
        #expect((result.name == "assertion") == fits)
    }

    @Test(arguments: [("evil.example", PerformRequest.Request.clientDataHash), ("example.com", Data())])
    func aPasskeyForSomethingElseIsNoAnswer(relyingParty: String, hash: Data) async throws {
        for name in ["register", "register silently"] {
            let request = try #require(try PerformRequest.Request.everyOne()[name])
            let broker = try await FakeBroker(
                makeController: ScriptedController.maker {
                    $0.extensionContext.completeRegistrationRequest(
                        using: Self.registration(relyingParty: relyingParty, hash: hash))
                })
            #expect(try await broker.perform(request).cancellation?.code == ASExtensionError.failed.rawValue)
        }
    }
}

extension PerformRequest.Result {
    /// The ending of ``AnswerTests`` that it is.
    fileprivate var name: String? {
        switch self {
        case .password: "password"
        case .passkeyAssertion: "assertion"
        case .passkeyRegistration: "registration"
        case .oneTimeCode: "code"
        case .text: "text"
        case .saved: "saved"
        case .generated: "generated"
        case .reported, .cancelled, .configured: nil
        }
    }
}
