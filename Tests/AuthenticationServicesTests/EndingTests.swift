import AuthenticationServices
import KeywaySystem
import Testing

@MainActor
@Suite("How a request ends", .timeLimit(.minutes(2)))
struct EndingTests {
    private enum Foreign: Error { case first, second }

    @Test(arguments: [
        (ASExtensionError(.userInteractionRequired) as any Error, "ASExtensionErrorDomain", 100),
        (
            NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.userCanceled.rawValue),
            ASExtensionErrorDomain, 1
        ),
        (NSError(domain: "org.example.Provider", code: 4711), "org.example.Provider", 4711),
        (CocoaError(.fileNoSuchFile), "NSCocoaErrorDomain", 4),
    ])
    func reportsTheErrorsDomainAndCode(error: any Error, domain: String, code: Int) async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { $0.extensionContext.cancelRequest(withError: error) })
        let result = try await broker.perform(.list([], passkeys: nil))
        #expect(try #require(result.cancellation) == (domain, code, nil))
    }

    @Test func reportsAnErrorOfSwift() async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { $0.extensionContext.cancelRequest(withError: Foreign.second) })
        let cancellation = try #require(try await broker.perform(.list([], passkeys: nil)).cancellation)
        #expect(cancellation.domain.hasSuffix("Foreign"))
        #expect(cancellation.code == 1)
    }

    @Test func passesOnTheTextForThePerson() async throws {
        let error = ASExtensionError(.failed, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: "Sync first."])
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { $0.extensionContext.cancelRequest(withError: error) })
        #expect(try await broker.perform(.list([], passkeys: nil)).cancellation?.reason == "Sync first.")
    }

    @Test func runsTheHandlerWithFalseAfterTheAnswer() async throws {
        var expired: [Bool] = []
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker {
                $0.complete { expired.append($0) }
                #expect(expired.isEmpty, "not within the call")
            })
        _ = try await broker.perform(.provideWithoutInteraction(.init(identity: .example())))
        try await eventually { !expired.isEmpty }
        #expect(expired == [false])
    }

    @Test func ignoresASecondAnswer() async throws {
        var expired: [String] = []
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker {
                $0.complete(user: "first") { expired.append("first \($0)") }
                $0.complete(user: "second") { expired.append("second \($0)") }
                $0.extensionContext.cancelRequest(withError: ASExtensionError(.failed))
            })
        #expect(try await broker.perform(.list([], passkeys: nil)).credential?.user == "first")
        try await eventually { expired.count == 2 }
        #expect(Set(expired) == ["first false", "second true"])
    }

    @Test func ignoresALateAnswer() async throws {
        let journal = ScriptedController.Journal()
        var expired: [Bool] = []
        let broker = try await FakeBroker(makeController: ScriptedController.maker(journal) { _ in })
        let request = Task { try await broker.perform(.list([], passkeys: nil)) }
        try await eventually { journal.lines.contains("viewDidAppear") }
        request.cancel()
        await #expect(throws: ProtocolError(.cancelled, "")) { try await request.value }
        try await eventually { journal.lines.contains("viewDidDisappear") }
        journal.controllers.first?.complete { expired.append($0) }
        try await eventually { !expired.isEmpty }
        #expect(expired == [true])
        // The conversation goes on: the next request has its own answer.
        async let next = broker.perform(.provideWithInteraction(.init(identity: .example())))
        try await eventually { journal.controllers.count == 2 }
        journal.controllers.last?.complete(user: "next")
        #expect(try await next.credential?.user == "next")
    }

    @Test func dismissesTheControllerWhenTheRequestIsTakenBack() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(makeController: ScriptedController.maker(journal) { _ in })
        let request = Task { try await broker.perform(.list([], passkeys: nil)) }
        try await eventually { journal.lines.contains("viewDidAppear") }
        request.cancel()
        try await eventually { journal.lines.last == "viewDidDisappear" }
        #expect(journal.lines.suffix(2) == ["viewWillDisappear", "viewDidDisappear"])
    }

    @Test func doesNothingForARequestThatWasTakenBackWhileItWaited() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(makeController: ScriptedController.maker(journal) { _ in })
        async let first = broker.perform(.provideWithInteraction(.init(identity: .example())))
        try await eventually { journal.controllers.count == 1 }
        let second = Task { try await broker.perform(.list([], passkeys: nil)) }
        let third = Task { try await broker.perform(.configuration) }
        second.cancel()
        _ = await second.result
        journal.controllers.first?.complete()
        _ = try await first
        try await eventually { journal.lines.contains("configure") }
        #expect(!journal.lines.contains("list []"))
        journal.controllers.last?.extensionContext.completeExtensionConfigurationRequest()
        _ = try await third.value
    }

    @Test func answersFromAnyThread() async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { controller in
                let context = controller.extensionContext
                Task.detached { context.completeRequest(withSelectedCredential: .init(user: "ada", password: "x")) }
            })
        #expect(try await broker.perform(.list([], passkeys: nil)).credential?.user == "ada")
    }

    @Test func sendsAnEmptyPasswordToo() async throws {
        let broker = try await FakeBroker(makeController: ScriptedController.maker { $0.complete(password: "") })
        #expect(try await broker.perform(.list([], passkeys: nil)).credential?.password == "")
    }
}
