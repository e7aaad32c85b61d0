import AuthenticationServices
import AutoFillProtocol
import KeywaySystem
import Testing

@MainActor
@Suite("The interface of a provider", .timeLimit(.minutes(2)))
struct InterfaceTests {
    private static func message(_ text: String) -> ProviderInterface {
        .message(InterfaceMessage(title: "Title", text: text))
    }

    @Test func showsTheNewestAfterTheEntryReturned() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker(journal) {
                $0.interface = Self.message("first")
                $0.interface = Self.message("second")
            })
        async let result = broker.perform(.list([], passkeys: nil))
        let shown = try #require(await broker.nextInterface())
        #expect(shown.interface == Self.message("second"))
        try await eventually { journal.lines.contains("viewDidAppear") }
        #expect(journal.lines == ["viewDidLoad", "list []", "viewWillAppear", "viewDidAppear"])
        journal.controllers.first?.interface = Self.message("third")
        let next = try #require(await broker.nextInterface())
        #expect(next.interface == Self.message("third"))
        journal.controllers.first?.complete()
        _ = try await result
        let request = broker.lastRequest.withLock { $0 }
        #expect(shown.request == request && next.request == request)
        #expect(journal.lines.suffix(2) == ["viewWillDisappear", "viewDidDisappear"])
    }

    @Test func showsNothingDuringARequestWithoutInteraction() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker(journal) { controller in
                controller.interface = Self.message("forbidden")
                guard journal.controllers.count == 1 else { return }
                Task {
                    controller.interface = Self.message("forbidden as well")
                    controller.complete()
                }
            })
        _ = try await broker.perform(.provideWithoutInteraction(.init(identity: .example())))
        #expect(journal.lines == ["viewDidLoad", "provide 7"])
        // The first thing that arrives belongs to the second request.
        let request = Task { try await broker.perform(.list([], passkeys: nil)) }
        let shown = await broker.nextInterface()
        #expect(shown?.interface == Self.message("forbidden"))
        #expect(journal.controllers.count == 2)
        request.cancel()
    }

    @Test func deliversEventsInOrder() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker(
                journal,
                event: { controller, event in
                    if case .chose(let row) = event { controller.complete(user: row) }
                },
                entry: { $0.interface = .list(InterfaceList(title: "All", sections: [], search: .provider)) }))
        async let result = broker.perform(.list([], passkeys: nil))
        let request = try #require(await broker.nextInterface()).request
        for text in ["e", "ex", "exa"] { broker.send(.searched(text), request: request) }
        broker.send(.chose(row: "row 3"), request: request)
        #expect(try await result.credential?.user == "row 3")
        let events = journal.lines.filter { $0.hasPrefix("event") }
        #expect(events == ["e", "ex", "exa"].map { #"event searched("\#($0)")"# } + [#"event chose(row: "row 3")"#])
    }

    @Test func handsSecretsOverAsSealedBytes() async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker(
                event: { controller, event in
                    guard case .submitted(let values) = event, case .secret(let secret)? = values["master"] else {
                        return
                    }
                    let text = try? secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                    controller.complete(user: text ?? "-")
                },
                entry: {
                    let field = InterfaceForm.Field(id: "master", label: "Master password", kind: .secure)
                    $0.interface = .form(InterfaceForm(title: "Unlock", fields: [field], submitTitle: "Unlock"))
                }))
        async let result = broker.perform(.provideWithInteraction(.init(identity: .example())))
        let request = try #require(await broker.nextInterface()).request
        let secret = try "correct horse".utf8CString.withUnsafeBytes {
            try SealedMemory(copying: UnsafeRawBufferPointer(rebasing: $0.dropLast()))
        }
        broker.send(.submitted(["master": .secret(InterfaceSecret(secret))]), request: request)
        #expect(try await result.credential?.user == "correct horse")
    }

    @Test func endsTheRequestWhenThePersonBacksOut() async throws {
        final class Silent: ASCredentialProviderViewController {
            override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
                interface = InterfaceTests.message("hello")
            }
        }
        let broker = try await FakeBroker { Silent() }
        async let result = broker.perform(.list([], passkeys: nil))
        broker.send(.cancelled, request: try #require(await broker.nextInterface()).request)
        #expect(try #require(try await result.cancellation) == (ASExtensionErrorDomain, 1, nil))
    }

    @Test func endsItAlsoWhenTheProviderIgnoresThat() async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { $0.interface = Self.message("stay") })
        async let result = broker.perform(.list([], passkeys: nil))
        broker.send(.cancelled, request: try #require(await broker.nextInterface()).request)
        #expect(try await result.cancellation?.code == ASExtensionError.userCanceled.rawValue)
    }

    @Test func dropsEventsOfAnotherRequest() async throws {
        let journal = ScriptedController.Journal()
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker(
                journal, event: { controller, _ in controller.complete() },
                entry: { $0.interface = Self.message("hello") }))
        async let result = broker.perform(.list([], passkeys: nil))
        let request = try #require(await broker.nextInterface()).request
        broker.send(.chose(row: "other"), request: request + 1)
        broker.send(.chose(row: "own"), request: request)
        _ = try await result
        #expect(journal.lines.filter { $0.hasPrefix("event") } == [#"event chose(row: "own")"#])
    }

    @Test func sendsNoControlCharacters() async throws {
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { $0.interface = Self.message("a\u{1B}[2Jb") })
        let request = Task { try await broker.perform(.list([], passkeys: nil)) }
        #expect(await broker.nextInterface()?.interface == Self.message("a[2Jb"))
        request.cancel()
    }

    @Test(arguments: [
        InterfaceList(
            title: "All", sections: [.init(rows: (0...1000).map { .init(id: "\($0)", title: "row") })]),
        InterfaceList(
            title: "All",
            sections: [.init(rows: (0..<900).map { .init(id: "\($0)", title: String(repeating: "é", count: 299)) })]),
    ])
    func endsTheRequestWhenTheInterfaceCannotBeShown(list: InterfaceList) async throws {
        let broker = try await FakeBroker(makeController: ScriptedController.maker { $0.interface = .list(list) })
        let cancellation = try #require(try await broker.perform(.list([], passkeys: nil)).cancellation)
        #expect((cancellation.domain, cancellation.code) == (ASExtensionErrorDomain, 0))
        #expect(cancellation.reason?.hasPrefix("The interface has too") == true)
    }
}
