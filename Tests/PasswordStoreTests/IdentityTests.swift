import AuthenticationServices
import PassEntries
import Synchronization
import Testing

@testable import PasswordStore

/// A system's store in memory, which keeps identities in the system's form, as the real one does.
final class MemorySystem: SystemIdentities {
    // SAFETY: identities are only read once they are made.
    private struct Held: @unchecked Sendable {
        var identities: [any ASCredentialIdentity] = []
        var isEnabled = true
        var writes = 0
    }

    private let held = Mutex(Held())

    var isEnabled: Bool {
        get { held.withLock { $0.isEnabled } }
        set { held.withLock { $0.isEnabled = newValue } }
    }
    var writes: Int { held.withLock { $0.writes } }
    /// What is held, as text.
    var lines: Set<String> {
        held.withLock { Set($0.identities.map(Self.line)) }
    }

    private static func line(_ identity: any ASCredentialIdentity) -> String {
        let kind = identity is ASOneTimeCodeCredentialIdentity ? "code" : "password"
        return "\(kind) \(identity.serviceIdentifier.identifier) \(identity.user) \(identity.recordIdentifier ?? "")"
    }

    func state() async -> (isEnabled: Bool, holdsAny: Bool) {
        held.withLock { ($0.isEnabled, !$0.identities.isEmpty) }
    }

    func all() async -> [StoreIdentity] { held.withLock { $0.identities.compactMap(StoreIdentity.init) } }

    func save(_ identities: [StoreIdentity]) async throws { change(identities) { $0 + $1 } }
    func remove(_ identities: [StoreIdentity]) async throws { change(identities) { rest, _ in rest } }
    func replace(_ identities: [StoreIdentity]) async throws { change(identities) { $1 } }

    private func change(
        _ identities: [StoreIdentity],
        _ body: ([any ASCredentialIdentity], [any ASCredentialIdentity]) -> [any ASCredentialIdentity]
    ) {
        let named = Set(identities.map { Self.line($0.forSystem) })
        held.withLock { held in
            held.writes += 1
            held.identities = body(
                held.identities.filter { !named.contains(Self.line($0)) }, identities.map(\.forSystem))
        }
    }
}

@Suite("What the system is told")
struct IdentityTests {
    private let system = MemorySystem()
    private var updates: IdentityUpdates { IdentityUpdates(system) }

    private func names(_ texts: String...) -> [EntryName] { texts.compactMap(EntryName.init) }
    private func contents(_ text: String) -> EntryContents { EntryContents(SecretBuffer(text.utf8)) }
    private func name(_ text: String) throws -> EntryName { try #require(EntryName(text)) }

    @Test(
        "an identity comes back as it went",
        arguments: [
            "example.com/ada", "example.com:8443/ada", "[::1]:80/ada", "localhost/x", "otp/example.com", "a@b.example",
        ])
    func roundTrip(text: String) throws {
        for identity in StoreIdentity.named(try name(text)) {
            #expect(StoreIdentity(identity.forSystem) == identity)
        }
        let read = contents("pw\nurl: http://example.com\nurl: https://intranet/\nurl: https://example.com:1\n")
        for identity in StoreIdentity.read(try name(text), read) {
            #expect(StoreIdentity(identity.forSystem) == identity)
        }
    }

    @Test("names say who and where; nothing is told of a name without a host")
    func named() async throws {
        try await updates.update(names("example.com/ada", "otp/example.com/ada", "bank", "Mail/b@example.net"))
        #expect(
            system.lines == [
                "password example.com ada example.com/ada", "code example.com ada otp/example.com/ada",
                "password example.net b Mail/b@example.net",
            ])
    }

    @Test("only what changed is written")
    func changes() async throws {
        try await updates.update(names("example.com/ada", "example.com/b"))
        let writes = system.writes
        try await updates.update(names("example.com/ada", "example.com/b"))
        #expect(system.writes == writes)
        try await updates.update(names("example.com/b", "example.com/c"))
        #expect(system.lines == ["password example.com b example.com/b", "password example.com c example.com/c"])
    }

    @Test("what an entry says of itself is remembered until the entry is gone, and learnt anew when it changes")
    func learnt() async throws {
        let entry = try name("example.com:8443")
        try await updates.update([entry])
        let link = "otpauth://totp/x?secret=GEZDGNBV"
        for _ in 0..<3 {
            await updates.learn(entry, contents("pw\nuser: ada\nurl: example.net\n\(link)\n"))
            try await updates.update([entry])
            #expect(
                system.lines == [
                    "password https://example.com:8443 ada example.com:8443",
                    "password example.net ada example.com:8443",
                    "code https://example.com:8443 ada example.com:8443", "code example.net ada example.com:8443",
                ])
        }
        await updates.learn(entry, contents("pw\nuser: b\n"))
        #expect(system.lines == ["password https://example.com:8443 b example.com:8443"])
        try await updates.update([])
        #expect(system.lines.isEmpty)
    }

    @Test("nothing is told while the provider is off")
    func off() async throws {
        system.isEnabled = false
        #expect(try await updates.update(names("example.com/ada")) == false)
        await updates.learn(try name("example.com/ada"), contents("pw\n"))
        #expect(system.writes == 0)
    }

    @Test(
        "a password that is saved finds its entry by user and host",
        arguments: [
            ("https://example.com/join", "ada", "Web/example.com/ada"), ("https://example.com/", "", "example.com"),
            ("https://www.example.com/", "ada", nil), ("https://example.com/", "b", nil),
        ])
    func existing(page: String, user: String, expected: String?) {
        let service = ASCredentialServiceIdentifier(identifier: page, type: .URL)
        let found = SavePlace(service: service, user: user)
            .existing(in: names("Web/example.com/ada", "example.com", "otp/example.com/b"), remembered: [:])
        #expect(found?.text == expected)
    }

    @Test(
        "a new entry has a name of its own, in the folder of its host",
        arguments: [
            ("https://example.com/", "ada", "Web/example.com/ada"),
            ("https://example.com/", "x", "Web/example.com/x-2"),
            ("https://new.example/", "a/b\n", "new.example/a_b_"), ("https://new.example/", ".x", "new.example/_.x"),
            ("https://new.example/", "", "new.example"),
        ])
    func newName(page: String, user: String, expected: String) {
        let service = ASCredentialServiceIdentifier(identifier: page, type: .URL)
        let name = SavePlace(service: service, user: user).newName(in: names("Web/example.com/x", "Web/example.org/y"))
        #expect(name?.text == expected)
    }
}
