import AutoFillProtocol
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import ProviderHosting

@Suite struct BundleRecordTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A registry for whom the files of `system` are the system's.
    private func registry(
        _ scope: KeywayPaths.ProviderFolder.Scope, system: Set<UInt32> = [], own: OwnProviders = .none,
        noteUpgrade: @escaping @Sendable (ProviderReference, [String]) -> Void = { _, _ in }
    ) throws -> ProviderRegistry {
        let folders = [scope == .system ? "XDG_DATA_DIRS" : "XDG_DATA_HOME": folder.path]
        let elsewhere = ["HOME": "/nowhere", "XDG_DATA_DIRS": "/nowhere", "XDG_DATA_HOME": "/nowhere"]
        let paths = try KeywayPaths(environment: elsewhere.merging(folders) { $1 }) { _ in true }
        return ProviderRegistry(
            folders: paths.providerFolders, state: folder.path, seal: .opened(),
            examiner: BundleExaminer(own: own) { system.contains($0) }, noteUpgrade: noteUpgrade)
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

    // MARK: - Those that came with the broker

    private static let passwords = "org.keyway.passwords"

    /// Those of an installation that the folder's bundles are in, or of another one.
    private func own(_ prefix: String? = nil, isRoots: Bool = true) throws -> OwnProviders {
        let real = try #require(realpath(folder.path, nil).map { String(cString: $0) })
        return OwnProviders(program: "\(prefix ?? real)/libexec/keyway/keywayd") { _ in isRoots }
    }

    /// The same files as an installation has them: `share` is the folder of the test.
    private func installOwn(_ identifier: String = passwords, _ more: [String: Any] = [:]) throws {
        try TestBundle.install(
            in: folder, ["CFBundleIdentifier": identifier].merging(more) { $1 }, name: "one", root: "share")
    }

    private func ownRegistry(
        _ own: OwnProviders, noteUpgrade: @escaping @Sendable (ProviderReference, [String]) -> Void = { _, _ in }
    ) throws -> ProviderRegistry {
        let folders = ["XDG_DATA_DIRS": folder.path + "/share", "HOME": "/nowhere", "XDG_DATA_HOME": "/nowhere"]
        let paths = try KeywayPaths(environment: folders) { _ in true }
        return ProviderRegistry(
            folders: paths.providerFolders, state: folder.path, seal: .opened(),
            examiner: BundleExaminer(own: own) { $0 == geteuid() }, noteUpgrade: noteUpgrade)
    }

    private static var more: [String: Any] { TestBundle.declares(["ProvidesPasswords", "ProvidesPasskeys"]) }

    @Test func keywaysOwnStayOnAfterAnUpgradeAndThatIsNotedOnce() async throws {
        let noted = Mutex<[[String]]>([])
        try installOwn()
        let registry = try ownRegistry(own()) { provider, more in
            noted.withLock { $0.append([provider.identifier] + more) }
        }
        _ = try await registry.set(Self.passwords, isEnabled: true, mayRunUnconfined: true)
        #expect(noted.withLock { $0 } == [])
        try installOwn(Self.passwords, Self.more)
        for _ in 0..<2 {
            let bundle = try #require(try await registry.snapshot().enabled.first)
            #expect(bundle.mayRunUnconfined)
            #expect(try await registry.mayStart(bundle))
            #expect(await !registry.hasChanged(bundle))
        }
        let expected = [[Self.passwords, "KeywayService", "ProvidesPasskeys"]]
        #expect(noted.withLock { $0 } == expected)
        // A later broker finds it recorded.
        let later = try ownRegistry(own()) { provider, more in noted.withLock { $0.append(more) } }
        #expect(try await isOn(later))
        #expect(noted.withLock { $0 } == expected)
    }

    @Test func anotherChoiceLeavesWhatTheUpgradeRecorded() async throws {
        let noted = Mutex(0)
        try installOwn()
        let registry = try ownRegistry(own()) { _, _ in noted.withLock { $0 += 1 } }
        _ = try await registry.set(Self.passwords, isEnabled: true)
        try installOwn(Self.passwords, Self.more)
        try TestBundle.install(in: folder, name: "two", root: "share")
        _ = try await registry.set("test.two", isEnabled: true)
        #expect(try await registry.snapshot().enabled.map(\.reference.identifier) == [Self.passwords, "test.two"])
        #expect(noted.withLock { $0 } == 1)
    }

    @Test func packagesOfOthersAskAgainWhereverTheyLie() async throws {
        try installOwn("org.example.passwords")
        let registry = try ownRegistry(own())
        _ = try await registry.set("org.example.passwords", isEnabled: true)
        try installOwn("org.example.passwords", Self.more)
        #expect(try await !isOn(registry))
    }

    @Test(arguments: [true, false])
    func ofAnotherInstallationOrOneThatOthersCanChangeTheyAskAgain(isElsewhere: Bool) async throws {
        try installOwn()
        let registry = try ownRegistry(own(isElsewhere ? "/usr" : nil, isRoots: isElsewhere))
        _ = try await registry.set(Self.passwords, isEnabled: true)
        try installOwn(Self.passwords, Self.more)
        #expect(try await !isOn(registry))
    }

    @Test func oneOfKeywaysOwnThatOthersMayWriteIsOff() async throws {
        try installOwn()
        let registry = try ownRegistry(own())
        _ = try await registry.set(Self.passwords, isEnabled: true)
        try installOwn(Self.passwords, Self.more)
        let program = folder.path + "/share/keyway/providers/one.appex/extension"
        try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: program)
        #expect(try await !isOn(registry))
    }

    @Test func whatWasThePersonsBeforeIsNoUpgrade() {
        let system = BundleRecord(owner: 0, digest: nil, isSystem: true, declared: ["a"])
        let more = BundleRecord(owner: 0, digest: nil, isSystem: true, declared: ["a", "b"])
        #expect(system.added(by: more) == ["b"])
        for other in [
            BundleRecord(owner: 0, digest: "00", isSystem: false, declared: ["a"]),
            BundleRecord(owner: 1000, digest: nil, isSystem: true, declared: ["a"]),
        ] {
            #expect(other.added(by: more) == nil && more.added(by: other) == nil)
        }
    }

    /// A program that another user could have put there makes nothing its own.
    @Test(arguments: [0o755, 0o775, 0o757] as [Int])
    func theBrokerMustBeRootsAlone(mode: Int) throws {
        try folder.write("", to: "libexec/keyway/keywayd", mode: mode)
        let program = folder.path + "/libexec/keyway/keywayd"
        #expect(OwnProviders.isRoots(program) == (geteuid() == 0 && mode == 0o755))
        #expect(!OwnProviders.isRoots(program + "-none"))
    }

    // MARK: -

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
