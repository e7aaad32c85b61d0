import AuthenticationServices
import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsExtension

@MainActor
@Suite("The extension between broker and service")
struct ExtensionTests {
    private func identity(_ record: String?) -> CredentialIdentity {
        CredentialIdentity(
            kind: .password, service: ServiceIdentifier("a.example", kind: .domain), user: "ada",
            recordIdentifier: record)
    }

    private func typed(_ text: String) throws -> InterfaceEvent {
        .submitted(["master": .secret(InterfaceSecret(try SealedMemory(text: text)))])
    }

    private func credential(_ result: PerformRequest.Result) throws -> [String] {
        guard case .password(let user, let password) = result else { return ["\(result)"] }
        return [
            user, try password.sealedMemory().withUnsafeBytes { try #require(String(validating: $0, as: UTF8.self)) },
        ]
    }

    private func cancellation(_ result: PerformRequest.Result) -> Int? {
        guard case .cancelled(ASExtensionErrorDomain, let code, _) = result else { return nil }
        return code
    }

    @Test func providesWithoutInterfaceFromAnOpenVault() async throws {
        let vault = FakeVault(items: ["a", "b"])
        let broker = try await FakeBroker(vault: vault)
        let result = try await broker.perform(.provideWithoutInteraction(.init(identity: identity("id-b"))))
        #expect(try credential(result) == ["ada", "password of b"])
        #expect(vault.calls == [#"show id-b ["password"]"#])
    }

    @Test(arguments: [([0x61, 0xC3, 0xA4], true), ([], true), ([0x61, 0xFF], false), ([0xC3], false)])
    func whatIsNoTextIsNotHandedOver(bytes: [UInt8], isText: Bool) throws {
        let memory = try bytes.withUnsafeBytes { try SealedMemory(copying: $0) }
        #expect(SealedPassword(memory: memory).isText == isText)
    }

    @Test func keepsItsLineToTheServiceAndOpensItAgainWhenItBroke() async throws {
        let vault = FakeVault(items: ["a"])
        let broker = try await FakeBroker(vault: vault)
        for _ in 1...3 {
            _ = try await broker.perform(.provideWithoutInteraction(.init(identity: identity("id-a"))))
        }
        vault.change { #expect($0.connections.count == 1) }
        vault.hangUp()
        let result = try await broker.perform(.provideWithoutInteraction(.init(identity: identity("id-a"))))
        #expect(try credential(result) == ["ada", "password of a"])
    }

    @Test(arguments: [
        (VaultStatus.Access.locked, "id-a", 100), (.missing, "id-a", 100), (.open, "id-gone", 101),
        (.open, "a", 101),  // a title is no record
    ])
    func saysWhyItCannotProvideSilently(access: VaultStatus.Access, record: String, code: Int) async throws {
        let broker = try await FakeBroker(vault: FakeVault(access, items: ["a"]))
        #expect(
            cancellation(try await broker.perform(.provideWithoutInteraction(.init(identity: identity(record)))))
                == code)
    }

    @Test func unlocksWithWhatThePersonTypesAndProvides() async throws {
        let vault = FakeVault(.locked, items: ["a"])
        let broker = try await FakeBroker(vault: vault)
        async let result = broker.perform(.provideWithInteraction(.init(identity: identity("id-a"))))
        let first = try #require(await broker.nextInterface())
        broker.send(try typed("wrong"), to: first)
        let second = try #require(await broker.nextInterface())
        guard case .form(let form) = second.interface else {
            Issue.record("no form")
            return
        }
        #expect(form.error == "The master password is wrong.")
        broker.send(try typed("correct horse"), to: second)
        #expect(try credential(try await result) == ["ada", "password of a"])
        #expect(vault.calls.filter { $0.hasPrefix("unlock") } == ["unlock wrong", "unlock correct horse"])
    }

    @Test func listsAndProvidesTheChoice() async throws {
        let vault = FakeVault(items: ["a", "b"])
        let broker = try await FakeBroker(vault: vault)
        async let result = broker.perform(.list([ServiceIdentifier("b.example", kind: .domain)], passkeys: nil))
        let shown = try #require(await broker.nextInterface())
        guard case .list(let list) = shown.interface else {
            Issue.record("no list")
            return
        }
        #expect(list.sections.map(\.title) == ["For b.example", "All passwords"])
        #expect(list.sections.flatMap(\.rows).map(\.service) == ["b.example", "a.example", "b.example"])
        broker.send(.searched("a"), to: shown)
        let found = try #require(await broker.nextInterface())
        guard case .list(let results) = found.interface, let row = results.sections.first?.rows.first else {
            Issue.record("nothing found")
            return
        }
        broker.send(.chose(row: row.id), to: found)
        #expect(try credential(try await result) == ["ada", "password of a"])
    }

    @Test func asksForFewerWhenAFrameIsTooSmall() async throws {
        let vault = FakeVault(items: ["a"])
        vault.change { $0.mostItems = 100 }
        let broker = try await FakeBroker(vault: vault)
        let request = Task { try await broker.perform(.list([], passkeys: nil)) }
        guard case .list? = await broker.nextInterface()?.interface else {
            Issue.record("no list")
            return
        }
        #expect(vault.calls.filter { $0.hasPrefix("search") } == ["search  500", "search  125", "search  31"])
        request.cancel()
    }

    @Test func backingOutEndsTheUnlockingToo() async throws {
        let vault = FakeVault(.locked, items: ["a"])
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        vault.change { $0.gate = gate }
        let broker = try await FakeBroker(vault: vault)
        async let result = broker.perform(.provideWithInteraction(.init(identity: identity("id-a"))))
        let form = try #require(await broker.nextInterface())
        broker.send(try typed("correct horse"), to: form)
        let deadline = ContinuousClock.now + .seconds(60)
        while !vault.calls.contains("unlock correct horse"), .now < deadline { await Task.yield() }
        broker.send(.cancelled, to: form)
        #expect(cancellation(try await result) == 1)
        opener.finish()
    }

    @Test func showsWhatToDoWithADamagedVault() async throws {
        let vault = FakeVault(.locked)
        vault.change { $0.unlockFailure = ProtocolError(.damaged, "Put the newest backup in its place.") }
        let broker = try await FakeBroker(vault: vault)
        let request = Task { try await broker.perform(.list([], passkeys: nil)) }
        broker.send(try typed("correct horse"), to: try #require(await broker.nextInterface()))
        guard case .message(let message)? = await broker.nextInterface()?.interface else {
            Issue.record("no message")
            return
        }
        #expect(message.text == "Put the newest backup in its place.")
        request.cancel()
    }
}
