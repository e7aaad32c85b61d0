import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import ProviderHosting

@Suite struct BundleRecordTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A registry for whom the files of `system` are the system's.
    private func registry(
        _ scope: KeywayPaths.ProviderFolder.Scope, system: Set<UInt32> = []
    ) throws -> ProviderRegistry {
        let folders = [scope == .system ? "XDG_DATA_DIRS" : "XDG_DATA_HOME": folder.path]
        let elsewhere = ["HOME": "/nowhere", "XDG_DATA_DIRS": "/nowhere", "XDG_DATA_HOME": "/nowhere"]
        let paths = try KeywayPaths(environment: elsewhere.merging(folders) { $1 }) { _ in true }
        return ProviderRegistry(
            folders: paths.providerFolders, state: folder.path, seal: .opened(),
            examiner: BundleExaminer { system.contains($0) })
    }

    private func install(_ information: [String: Any] = [:]) throws {
        try TestBundle.install(in: folder, information, name: "one", root: ".")
    }

    private func replace(_ program: String, with text: String = "#!/bin/false") throws {
        try folder.write(text, to: "keyway/providers/one.appex/\(program)", mode: 0o755)
    }

    private func isOn(_ registry: ProviderRegistry) async throws -> Bool {
        try await !registry.snapshot().enabled.isEmpty
    }

    @Test(arguments: ["extension", "service", "app"])
    func bundleWhoseProgramChangedIsOffUntilItIsTurnedOnAgain(program: String) async throws {
        try install(["KeywayService": "service", "KeywayActivityProgram": "app"])
        let registry = try registry(.user)
        _ = try await registry.set("test.one", isEnabled: true)
        #expect(try await isOn(registry))
        try replace(program)
        let changed = try await registry.snapshot()
        #expect(changed.enabled.isEmpty && changed.changed == changed.bundles)
        let bundle = try #require(changed.bundles.first)
        #expect(await registry.hasChanged(bundle))
        _ = try await registry.set("test.one", isEnabled: true)
        #expect(try await isOn(registry))
        #expect(await !registry.hasChanged(bundle))
    }

    @Test func changedInformationCountsAsWell() async throws {
        try install()
        let registry = try registry(.user)
        _ = try await registry.set("test.one", isEnabled: true)
        try install(["CFBundleShortVersionString": "2"])
        #expect(try await !isOn(registry))
    }

    @Test func whatIsPutBackIsOnAgain() async throws {
        try install()
        let registry = try registry(.user)
        _ = try await registry.set("test.one", isEnabled: true)
        try replace("extension")
        #expect(try await !isOn(registry))
        try install()
        #expect(try await isOn(registry))
    }

    @Test func sameContentsInAnotherFileAreTheSame() async throws {
        try install()
        let registry = try registry(.user)
        _ = try await registry.set("test.one", isEnabled: true)
        let bundle = folder.path + "/keyway/providers/one.appex"
        try FileManager.default.moveItem(atPath: bundle, toPath: bundle + ".old")
        #expect(try await !isOn(registry))
        try FileManager.default.copyItem(atPath: bundle + ".old", toPath: bundle)
        #expect(try await isOn(registry))
    }

    @Test func laterBrokerKnowsWhatWasTurnedOn() async throws {
        try install()
        _ = try await registry(.user).set("test.one", isEnabled: true)
        #expect(try await isOn(registry(.user)))
        try replace("extension")
        #expect(try await !isOn(registry(.user)))
    }

    @Test func choiceWithoutARecordCountsAsChanged() async throws {
        try install()
        let bundle = folder.path + "/keyway/providers/one.appex"
        let file = EnabledProviders.file(in: folder.path, .opened())
        try file.write(.init(enabled: [.init(identifier: "test.one", path: bundle, record: nil)]))
        let snapshot = try await registry(.user).snapshot()
        #expect(snapshot.enabled.isEmpty && snapshot.changed.count == 1)
    }

    @Test func nothingIsReadAgainThatDidNotChange() async throws {
        try install(["KeywayService": "service"])
        let registry = try registry(.user)
        _ = try await registry.set("test.one", isEnabled: true)
        #expect(await registry.readings == 3)
        for _ in 0..<5 { _ = try await registry.snapshot() }
        try install(["KeywayService": "service", "CFBundleName": "Other"])
        _ = try await registry.snapshot()
        // All three were written anew.
        #expect(await registry.readings == 6)
        try replace("service")
        _ = try await registry.snapshot()
        #expect(await registry.readings == 7)
    }

    // MARK: - Bundles of the system

    private func systemRegistry() throws -> ProviderRegistry { try registry(.system, system: [geteuid()]) }

    @Test func bundleOfTheSystemMayBeUpgraded() async throws {
        try install()
        let registry = try systemRegistry()
        _ = try await registry.set("test.one", isEnabled: true)
        try install(["CFBundleShortVersionString": "2"])
        try replace("extension")
        #expect(try await isOn(registry))
    }

    @Test func programsOfTheSystemAreNotReadAtEveryStart() async throws {
        try install(["KeywayService": "service"])
        _ = try await systemRegistry().set("test.one", isEnabled: true)
        let next = try systemRegistry()
        let bundle = try #require(try await next.snapshot().enabled.first)
        #expect(try await next.mayStart(bundle))
        #expect(await next.readings == 0)
    }

    @Test(arguments: ["KeywayService", "NSExtension"])
    func upgradeThatAsksForMoreIsOff(key: String) async throws {
        try install()
        let registry = try systemRegistry()
        _ = try await registry.set("test.one", isEnabled: true)
        let more = TestBundle.declares(["ProvidesPasswords", "ProvidesPasskeys"], service: false)
        try install(key == "NSExtension" ? more : [key: "service"])
        #expect(try await !isOn(registry))
    }

    @Test func upgradeThatAsksForLessIsOn() async throws {
        try install(TestBundle.declares(["ProvidesPasswords", "ProvidesPasskeys"]))
        let registry = try systemRegistry()
        _ = try await registry.set("test.one", isEnabled: true)
        try install(TestBundle.declares(["ProvidesPasswords"], service: false))
        #expect(try await isOn(registry))
    }

    @Test func bundleThatOthersMayWriteIsNotTheSystems() async throws {
        try install()
        let registry = try systemRegistry()
        _ = try await registry.set("test.one", isEnabled: true)
        try replace("extension")
        let program = folder.path + "/keyway/providers/one.appex/extension"
        try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: program)
        #expect(try await !isOn(registry))
    }

    @Test func folderOfTheSystemIsNotEnough() async throws {
        try install()
        let registry = try registry(.system)
        _ = try await registry.set("test.one", isEnabled: true)
        try replace("extension")
        #expect(try await !isOn(registry))
    }

    @Test func anotherOwnerIsAnotherBundle() {
        let record = BundleRecord(owner: 1000, digest: "00", isSystem: false, declared: [])
        #expect(record.covers(record))
        #expect(!record.covers(BundleRecord(owner: 0, digest: "00", isSystem: false, declared: [])))
        #expect(!record.covers(BundleRecord(owner: 1000, digest: "00", isSystem: true, declared: ["x"])))
        let unread = BundleRecord(owner: 1000, digest: nil, isSystem: false, declared: [])
        #expect(!unread.covers(unread))
    }
}
