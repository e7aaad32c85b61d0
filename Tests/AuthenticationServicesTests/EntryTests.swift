import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Testing

@MainActor
@Suite("Entries of the controller", .timeLimit(.minutes(2)))
struct EntryTests {
    @Test(arguments: [
        (PerformRequest.Request.provideWithoutInteraction(.init(identity: .example())), "provide 7"),
        (.provideWithInteraction(.init(identity: .example())), "prepare 7"),
        (
            .list(
                [ServiceIdentifier("m.example.com", kind: .domain), ServiceIdentifier("example.com", kind: .domain)],
                passkeys: nil),
            #"list ["m.example.com", "example.com"]"#
        ),
        (.list([], passkeys: nil), "list []"),
        (.configuration, "configure"),
    ])
    func callsExactlyOneEntryAfterTheViewWasLoaded(request: PerformRequest.Request, entry: String) async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(makeController: ScriptedController.maker(journal) { $0.complete() })
        _ = try await broker.perform(request)
        #expect(journal.lines == ["viewDidLoad", entry])
    }

    @Test func givesAProviderItsOwnValuesBack() async throws {
        final class Checking: ASCredentialProviderViewController {
            override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
                let identity = credentialRequest.credentialIdentity as? ASPasswordCredentialIdentity
                #expect(credentialRequest.type == .password)
                #expect(identity?.serviceIdentifier == .init(identifier: "example.com", type: .domain))
                #expect(identity?.user == "ada | Example")
                #expect(identity?.recordIdentifier == nil)
                #expect(identity?.rank == 3)
                extensionContext.completeRequest(withSelectedCredential: .init(user: "ada", password: "pässword"))
            }
        }
        let broker = try await FakeBroker { Checking() }
        let identity = CredentialIdentity.example(record: nil, user: "ada | Example", rank: 3)
        let credential = try await broker.perform(.provideWithoutInteraction(.init(identity: identity))).credential
        #expect(try #require(credential) == ("ada", "pässword"))
    }

    @Test func makesANewControllerForEachRequest() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(makeController: ScriptedController.maker(journal) { $0.complete() })
        for _ in 1...3 { _ = try await broker.perform(.list([], passkeys: nil)) }
        #expect(Set(journal.controllers.map(ObjectIdentifier.init)).count == 3)
    }

    @Test func answersOneRequestAfterAnother() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(makeController: ScriptedController.maker(journal) { _ in })
        async let first = broker.perform(.provideWithInteraction(.init(identity: .example(record: "1"))))
        async let second = broker.perform(.provideWithInteraction(.init(identity: .example(record: "2"))))
        try await eventually { journal.controllers.count == 1 }
        journal.controllers.first?.complete(user: "one")
        try await eventually { journal.controllers.count == 2 }
        journal.controllers.last?.complete(user: "two")
        let users = try await [first.credential?.user, second.credential?.user]
        #expect(Set(users) == ["one", "two"])
    }

    @Test func answersNothingBeforeItHasGreeted() async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let door = Greeting(accepts: [.providerExtension], name: "keywayd")
        let broker = Connection(descriptor: ours, peer: .unknown(door))
        broker.start()
        let link = BrokerLink()
        let journal = ScriptedController.Journal()
        let server = ExtensionServer(broker: link, makeController: ScriptedController.maker(journal) { $0.complete() })
        let extensionEnd = Connection(descriptor: theirs, peer: .known(.broker), methods: server.methods)
        // As when the greeting is slower than the first request: the socket holds both before either is read.
        async let result = broker.call(PerformRequest.self, .init(request: .list([], passkeys: nil)))
        link.greet(over: extensionEnd, as: .providerExtension)
        extensionEnd.start()
        #expect(try await result.credential?.user == "ada")
        #expect(broker.role == .providerExtension)
        broker.close()
    }

    @Test(arguments: [
        PerformRequest.Request.provideWithoutInteraction(.init(identity: .example())),
        .provideWithInteraction(.init(identity: .example())), .list([], passkeys: nil),
        .configuration,
    ])
    func failsWhereTheProviderOverridesNothing(request: PerformRequest.Request) async throws {
        let broker = try await FakeBroker()
        let cancellation = try #require(try await broker.perform(request).cancellation)
        #expect(cancellation == ("ASExtensionErrorDomain", 0, nil))
    }

    @Test(arguments: [
        (PerformRequest.Request.provideWithoutInteraction(.init(identity: .example())), "without"),
        (.provideWithInteraction(.init(identity: .example())), "with"),
    ])
    func forwardsPasswordsToTheOlderForms(request: PerformRequest.Request, user: String) async throws {
        final class Older: ASCredentialProviderViewController {
            override func provideCredentialWithoutUserInteraction(
                for credentialIdentity: ASPasswordCredentialIdentity
            ) {
                extensionContext.completeRequest(
                    withSelectedCredential: .init(user: "without", password: credentialIdentity.user))
            }
            override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
                extensionContext.completeRequest(
                    withSelectedCredential: .init(user: "with", password: credentialIdentity.user))
            }
        }
        let broker = try await FakeBroker { Older() }
        #expect(try #require(try await broker.perform(request).credential) == (user, "ada"))
    }

    @Test func endsTheConfiguration() async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker {
                $0.extensionContext.completeExtensionConfigurationRequest()
            })
        guard case .configured = try await broker.perform(.configuration) else {
            Issue.record("not configured")
            return
        }
    }
}

/// Waits until `condition` holds, ten seconds at most.
@MainActor
func eventually(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        try #require(ContinuousClock.now < deadline, "it never happened")
        try await Task.sleep(for: .milliseconds(1))
    }
}
