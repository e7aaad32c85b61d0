import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// Keeps what the person is told, and presses the button that takes it back.
final class FakeNotifier: DesktopNotifier {
    private struct State {
        var notes: [DesktopNote] = []
        var undo: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let failure: String?

    /// A desktop that shows everything, or nothing because of `failure`.
    init(failure: String? = nil) {
        self.failure = failure
    }

    var notes: [DesktopNote] { state.withLock { $0.notes } }

    func show(_ note: DesktopNote, undo: @escaping @Sendable () -> Void) async throws(ProtocolError) {
        if let failure { throw ProtocolError(.system, failure) }
        state.withLock { ($0.notes, $0.undo) = ($0.notes + [note], undo) }
    }

    func undo() { state.withLock { $0.undo }?() }
}

/// A way of verifying the person that is there, and takes until it is let go to say so.
final class HeldCheck: VerificationCheck {
    private struct State {
        var looks = 0
        var isHeld = true
    }

    let method = VerificationMethod.pin
    private let held = Mutex(State())

    /// How often it was looked at.
    var looks: Int { held.withLock { $0.looks } }

    func release() { held.withLock { $0.isHeld = false } }

    func state() async -> VerificationMethodState {
        held.withLock { $0.looks += 1 }
        try? await eventually { self.held.withLock { !$0.isHeld } }
        return VerificationMethodState(method: method, isAvailable: true)
    }

    func verify(_ subject: VerificationSubject, through presenter: any PersonPresenter) async throws(ProtocolError) {}
}

/// A browser that just filled the password of `ada` at `a.example`, with a provider that makes passkeys by itself.
final class UpgradeStage: Sendable {
    static let declared = [
        "ProvidesPasswords", "ProvidesPasskeys", "SupportsConditionalPasskeyRegistration", "SupportsCredentialUpdate",
    ]

    let fixture: BrokerFixture
    let client: Connection
    let notifier: FakeNotifier
    /// What the providers were asked, without the fills.
    let asked: Asked
    /// How often an answer was held back.
    private let waits = Mutex(0)

    final class Asked: Sendable {
        let requests = Mutex<[PerformRequest.Request]>([])

        var all: [PerformRequest.Request] { requests.withLock { $0 } }
        var names: [String] { all.map { String("\($0)".prefix { $0 != "(" }) } }
    }

    /// - Parameters:
    ///   - making: what the provider answers where a passkey is wanted.
    ///   - whileMaking: what happens until it does.
    init(
        _ capabilities: [String] = declared, check: FakeCheck? = FakeCheck(), role: Role = .browser,
        identities: [CredentialIdentity] = [BrokerFixture.identity()], notifier: FakeNotifier = FakeNotifier(),
        making: PerformRequest.Result = Sample.made(flags: 0x40),
        whileMaking: @escaping @Sendable () async throws -> Void = {}
    ) async throws {
        let asked = Asked()
        fixture = try BrokerFixture(
            FakeBundles { request, _ in
                if case .provideWithoutInteraction = request { return try password() }
                asked.requests.withLock { $0.append(request) }
                guard case .registerPasskeyWithoutInteraction = request else { return .reported }
                try await whileMaking()
                return making
            }, information: Sample.declares(capabilities))
        self.asked = asked
        self.notifier = notifier
        fixture.broker.upgrades.use(notifier)
        if let check { fixture.broker.person.verifier.add(check) }
        try await fixture.provide(identities)
        client = try await fixture.client(role)
    }

    /// Has the password of the first account filled that is suggested.
    func fill(
        on url: String = BrokerFixture.page.identifier, isPrivate: Bool? = nil, as client: Connection? = nil
    ) async throws {
        let client = client ?? self.client
        let page = ServiceIdentifier(url, kind: .url)
        let handle = try #require(await client.suggestions(page).first).handle
        _ = try await client.call(
            Fill.self,
            .init(target: .suggestion(handle: handle), services: [page], presents: false, isPrivate: isPrivate))
    }

    /// Asks for a passkey in the background, and lets the time of a refusal pass.
    func upgrade(
        _ registration: PasskeyRegistration = Sample.registration(), provider: String? = nil,
        isPrivate: Bool? = nil, as client: Connection? = nil, on url: String? = "https://a.example/home"
    ) async throws -> RegisterPasskey.Result {
        let turning = Task { [self] in
            while !Task.isCancelled {
                guard (try? await fixture.clock.waitForSleeper(of: Upgrades.patience)) != nil else { continue }
                waits.withLock { $0 += 1 }
                fixture.clock.advance(by: Upgrades.patience)
            }
        }
        defer { turning.cancel() }
        return try await ask(registration, provider: provider, isPrivate: isPrivate, as: client, on: url)
    }

    /// Asks for a passkey in the background; no time passes by itself.
    func ask(
        _ registration: PasskeyRegistration = Sample.registration(), provider: String? = nil,
        isPrivate: Bool? = nil, as client: Connection? = nil, on url: String? = "https://a.example/home"
    ) async throws -> RegisterPasskey.Result {
        try await (client ?? self.client).call(
            RegisterPasskey.self,
            .init(
                registration: registration, provider: provider, isConditional: true, presents: false,
                isPrivate: isPrivate, services: url.map { [ServiceIdentifier($0, kind: .url)] }))
    }

    /// Asks for one that must be refused for `reason`: with the one answer, held back, and without asking the provider.
    func refuses(
        _ reason: UnmetCondition, _ registration: PasskeyRegistration = Sample.registration(),
        provider: String? = nil, isPrivate: Bool? = nil, as client: Connection? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let (before, waited, written) = (asked.all.count, waits.withLock { $0 }, try await history().count)
        let error = await failure {
            _ = try await self.upgrade(registration, provider: provider, isPrivate: isPrivate, as: client)
        }
        #expect(error?.code == .notAllowed, sourceLocation: location)
        #expect(error?.message == Upgrades.refusal.message, sourceLocation: location)
        #expect(error?.provider == nil, sourceLocation: location)
        #expect(waits.withLock { $0 } == waited + 1, "the answer is held back", sourceLocation: location)
        let isDeclined = reason == .declined
        #expect(asked.all.count == before + (isDeclined ? 1 : 0), sourceLocation: location)
        let entries = try await history()
        if reason == .privateWindow {
            #expect(entries.count == written, sourceLocation: location)
        } else {
            #expect(entries.first?.event == .refusal, sourceLocation: location)
            #expect(entries.first?.detail == reason.sentence, sourceLocation: location)
            #expect(entries.first?.account == registration.userName, sourceLocation: location)
            #expect(entries.first?.service == registration.relyingParty, sourceLocation: location)
        }
        #expect(notifier.notes.isEmpty, sourceLocation: location)
    }

    /// What the history says, the newest first.
    func history() async throws -> [HistoryEntry] {
        let terminal = try await fixture.client(.terminal)
        defer { terminal.close() }
        return try await terminal.call(ListHistory.self, .init()).entries
    }

    /// Installs another provider and turns it on.
    func add(_ name: String, _ capabilities: [String], identities: [CredentialIdentity] = []) async throws {
        try TestBundle.install(in: fixture.folder, Sample.declares(capabilities), name: name)
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: "test.\(name)", isEnabled: true))
        terminal.close()
        guard !identities.isEmpty else { return }
        let now = fixture.clock.now
        _ = try await fixture.broker.stores.use("test.\(name)") {
            try await $0.writer.write(
                .init(operation: .save, identities: identities), owner: ObjectIdentifier(self), now: now)
        }
    }
}
