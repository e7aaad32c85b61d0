import AuthenticationServices
import AutoFillProtocol
import Testing

@MainActor
@Suite("The asynchronous endings", .timeLimit(.minutes(2)))
struct AsyncEndingTests {
    private typealias Context = ASCredentialProviderExtensionContext

    private static func endings() -> [String: @MainActor (Context) async -> Bool] {
        [
            "prepare passkey": {
                await $0.completeAssertionRequest(
                    using: .init(
                        userHandle: Data(), relyingParty: "example.com", signature: Data(),
                        clientDataHash: PerformRequest.Request.clientDataHash, authenticatorData: Data(),
                        credentialID: Data([1, 2])))
            },
            "register": {
                await $0.completeRegistrationRequest(
                    using: .init(
                        relyingParty: "example.com", clientDataHash: PerformRequest.Request.clientDataHash,
                        credentialID: Data(), attestationObject: Data()))
            },
            "codes": { await $0.completeOneTimeCodeRequest(using: .init(code: "492039")) },
            "text": { await $0.completeRequest(withTextToInsert: "lorem") },
            "save": { await $0.completeSavePasswordRequest() },
            "generate": { await $0.completeGeneratePasswordRequest(results: []) },
        ]
    }

    @Test(arguments: ["prepare passkey", "register", "codes", "text", "save", "generate"])
    func returnFalseWhenTheAnswerIsOnItsWay(name: String) async throws {
        let end = try #require(Self.endings()[name])
        let request = try #require(try PerformRequest.Request.everyOne()[name])
        var expired: [Bool] = []
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { controller in
                let context = controller.extensionContext
                Task { expired.append(await end(context)) }
            })
        #expect(try await broker.perform(request).cancellation == nil)
        try await eventually { !expired.isEmpty }
        #expect(expired == [false])
    }

    @Test func returnTrueForASecondAnswer() async throws {
        var expired: [Bool] = []
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { controller in
                let context = controller.extensionContext
                Task {
                    context.cancelRequest(withError: ASExtensionError(.userCanceled))
                    expired.append(await context.completeRequest(withTextToInsert: "late"))
                }
            })
        #expect(try await broker.perform(.textToInsert).cancellation?.code == 1)
        try await eventually { !expired.isEmpty }
        #expect(expired == [true])
    }

    @Test func returnTrueForTheAnswerToSomethingElse() async throws {
        var expired: [Bool] = []
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { controller in
                let context = controller.extensionContext
                Task { expired.append(await context.completeOneTimeCodeRequest(using: .init(code: "492039"))) }
            })
        #expect(try await broker.perform(.textToInsert).cancellation?.code == 0)
        try await eventually { !expired.isEmpty }
        #expect(expired == [true])
    }

    @Test func returnTrueWhenTheRequestWasTakenBack() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(makeController: ScriptedController.maker(journal) { _ in })
        let request = Task { try await broker.perform(.textToInsert) }
        try await eventually { journal.lines.contains("viewDidAppear") }
        request.cancel()
        try await eventually { journal.lines.contains("viewDidDisappear") }
        let context = try #require(journal.controllers.first).extensionContext
        #expect(await context.completeRequest(withTextToInsert: "late"))
    }

    @Test(arguments: ["prepare passkey", "register", "codes", "text", "save", "generate"])
    func returnAtOnceWhereNobodyAsked(name: String) async throws {
        let end = try #require(Self.endings()[name])
        #expect(await end(ASCredentialProviderExtensionContext()) == false)
    }

    @Test func returnWhenTheAnswerNeverGoesOut() async throws {
        // The session is gone before it could send anything: whoever waits learns that its time is over.
        var context: Context? = Context(answer: RequestAnswer(to: .textToInsert), broker: BrokerLink())
        var expired: [String] = []
        context?.completeRequest(withTextToInsert: "first") { expired.append("first \($0)") }
        context?.completeRequest(withTextToInsert: "second") { expired.append("second \($0)") }
        context = nil
        try await eventually { expired.count == 2 }
        #expect(Set(expired) == ["first true", "second true"])
    }
}
