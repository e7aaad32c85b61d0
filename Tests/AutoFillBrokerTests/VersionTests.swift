import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import Testing

@testable import AutoFillBroker

/// The newest versions of the files of providers (T26): in the register, each provider's own, and never going back.
@Suite struct VersionTests {
    private static var always: [String: Any] { ["KeywayService": "service", "KeywayServiceRunsAlways": true] }

    private let fixture: BrokerFixture

    init() async throws {
        fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) }, information: Self.always)
        try await fixture.provide([])
    }

    /// The service of the provider `name`, which greeted.
    private func service(_ name: String = "vault") async throws -> Connection {
        let started: @Sendable () -> FakeBundles.Process? = { [fixture] in
            fixture.bundles.started(.providerService).last {
                !$0.hasEnded && $0.program.bundle.reference.identifier == "test.\(name)"
            }
        }
        try await eventually { started() != nil }
        let process = try #require(started())
        await process.say()
        return process.connection
    }

    @Test func whatAServiceNotesIsWhatItReads() async throws {
        let service = try await service()
        #expect(try await service.read("a") == .init(version: nil))
        try await service.note(7, of: "a")
        #expect(try await service.read("a") == .init(version: 7))
        #expect(try await service.read("b") == .init(version: nil))
    }

    @Test func aVersionNeverGoesBack() async throws {
        let service = try await service()
        try await service.note(7, of: "a")
        try await service.note(6, of: "a")
        #expect(try await service.read("a").version == 7)
    }

    @Test func oneProviderNeitherReadsNorChangesAnothers() async throws {
        try TestBundle.install(in: fixture.folder, Self.always, name: "other")
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: "test.other", isEnabled: true))
        let (vault, other) = (try await service(), try await service("other"))
        try await vault.note(7, of: "a")
        #expect(try await other.read("a").version == nil)
        try await other.note(900, of: "a")
        #expect(try await vault.read("a").version == 7)
    }

    @Test func nobodyButAServiceMayAsk() async throws {
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { try await terminal.note(7, of: "a") }?.code == .unknownMethod)
        #expect(await failure { _ = try await terminal.read("a") }?.code == .unknownMethod)
        #expect(NoteVersion.callers == [.providerService] && ReadVersion.callers == [.providerService])
    }

    @Test func namesAndVersionsAreBounded() async throws {
        let service = try await service()
        for name in ["", String(repeating: "n", count: NotedVersions.maximumName + 1)] {
            #expect(await failure { try await service.note(1, of: name) }?.code == .invalidParameters)
            #expect(await failure { _ = try await service.read(name) }?.code == .invalidParameters)
        }
        let tooHigh = await failure { try await service.note(NotedVersions.highest + 1, of: "a") }
        #expect(tooHigh?.code == .invalidParameters)
        for number in 0...NotedVersions.maximumFiles { try await service.note(5, of: "file \(number)") }
        #expect(try await service.read("file 0").version == nil, "the one that was noted longest ago is forgotten")
        #expect(try await service.read("file 1").version == 5)
    }

    @Test func whileTheKeyIsAwayNothingIsKnown() async throws {
        let service = try await service()
        try await service.note(7, of: "a")
        fixture.broker.stores.settings.lock()
        fixture.storeKey.set(nil)
        #expect(await failure { try await service.note(8, of: "a") }?.code == .locked)
        // What was read before is still known.
        #expect(try await service.read("a").version == 7)
    }
}

extension Connection {
    fileprivate func note(_ version: UInt64, of file: String) async throws {
        _ = try await call(NoteVersion.self, .init(file: file, version: version))
    }

    fileprivate func read(_ file: String) async throws -> ReadVersion.Result {
        try await call(ReadVersion.self, .init(file: file))
    }
}
