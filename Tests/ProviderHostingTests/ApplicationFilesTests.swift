import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import BrokerBase
@testable import ProviderHosting

/// What `KeywayApplications` may name.
struct DeclaredApplicationTests {
    @Test(arguments: [["/usr/bin/true"], ["viewer"], ["bin/viewer"], ["/opt/x y/app"], []])
    func pathsAndNamesInTheBundleAreFine(names: [String]) {
        #expect(DeclaredApplication.problem(of: names, bundle: "/b.appex") == nil)
        for path in DeclaredApplication.paths(names, bundle: "/b.appex") { #expect(path.hasPrefix("/")) }
    }

    @Test(arguments: ["../app", "/usr/../bin/x", "/usr/./x", "a//b", "", "/", "a/", "/a\nb", "/a\u{0}b"])
    func otherPathsAreNot(name: String) {
        #expect(DeclaredApplication.problem(of: [name], bundle: "/b.appex")?.contains("absolute paths") == true)
    }

    @Test(arguments: [
        "/usr/bin/python3", "/usr/bin/python3.11", "/bin/sh", "/bin/bash", "/usr/bin/env", "/usr/bin/perl",
        "/lib64/ld-linux-x86-64.so.2", "/usr/bin/node", "/usr/bin/lua5.4", "/usr/bin/gdb", "tclsh8.6",
        "/usr/bin/lldb", "/usr/bin/lldb-14", "/usr/bin/lldb-server", "/usr/bin/nvim", "/usr/bin/pwsh",
        "/usr/bin/octave", "/usr/bin/octave-cli-7.3.0", "/usr/bin/ghci-9.0.2", "/usr/bin/valgrind",
        "/usr/bin/valgrind.bin", "/usr/libexec/valgrind/memcheck-amd64-linux", "/usr/local/bin/box64",
        "/usr/bin/strace", "/usr/bin/rr",
    ])
    func interpretersAreNobodysApp(path: String) {
        #expect(DeclaredApplication.problem(of: [path], bundle: "/b.appex")?.contains("other people's") == true)
    }

    @Test func aLinkToAnInterpreterIsOne() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/viewer"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/bin/sh")
        #expect(DeclaredApplication.problem(of: [link], bundle: "/b.appex")?.contains("other people's") == true)
    }

    @Test func thereIsALimit() {
        let names = (0...DeclaredApplication.maximum).map { "app\($0)" }
        #expect(DeclaredApplication.problem(of: Array(names.dropLast()), bundle: "/b") == nil)
        #expect(DeclaredApplication.problem(of: names, bundle: "/b") != nil)
    }
}

/// What the broker remembers of a program.
struct ApplicationApprovalTests {
    private let folder: TemporaryFolder
    private let bundle: ProviderBundle
    private let applications: Applications
    private var path: String { bundle.path + "/viewer" }

    init() throws {
        folder = try TemporaryFolder()
        try TestBundle.install(in: folder, ["KeywayApplications": ["viewer"]], root: "user")
        bundle = ProviderBundle(path: folder.path + "/user/keyway/providers/vault.appex", scope: .user)
        applications = Applications(state: folder.path, seal: .opened(), log: EventLog { _ in })
        try put("/bin/true")
    }

    private func put(_ program: String, mode: Int = 0o755) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: program))
        try folder.write(data, to: "user/keyway/providers/vault.appex/viewer", mode: mode)
    }

    private var isApproved: Bool {
        get async { await applications.isApproved(.init(bundle: bundle, path: path)) }
    }

    @Test func anotherProgramInItsPlaceIsNotApproved() async throws {
        #expect(bundle.problem == nil)
        try await applications.decide(true, path, of: bundle)
        #expect(await isApproved)
        try put("/bin/false")
        #expect(await !isApproved)
        try put("/bin/true")
        #expect(await isApproved)
    }

    @Test func approvalOutlivesTheBroker() async throws {
        try await applications.decide(true, path, of: bundle)
        let later = Applications(state: folder.path, seal: .opened(), log: EventLog { _ in })
        #expect(await later.isApproved(.init(bundle: bundle, path: path)))
        let elsewhere = ProviderBundle(path: folder.path + "/user/keyway/providers/other.appex", scope: .user)
        #expect(await !later.isApproved(.init(bundle: elsewhere, path: path)))
    }

    @Test(arguments: [0o757, 0o775])
    func programThatOthersCanChangeIsNotApproved(mode: Int) async throws {
        try put("/bin/true", mode: mode)
        #expect(await failure { try await applications.decide(true, path, of: bundle) }?.code == .refused)
        try put("/bin/true")
        try await applications.decide(true, path, of: bundle)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(await !isApproved)
    }

    @Test func scriptsAndMissingFilesAreRefused() async throws {
        try folder.write("#!/bin/sh", to: "user/keyway/providers/vault.appex/viewer", mode: 0o755)
        let script = await failure { try await applications.decide(true, path, of: bundle) }
        #expect(script?.code == .refused && script?.message.contains("script") == true)
        try FileManager.default.removeItem(atPath: path)
        #expect(await failure { try await applications.decide(true, path, of: bundle) }?.code == .refused)
    }

    @Test(arguments: ["", "{", "{\"version\":2,\"approved\":[]}"])
    func approvalsThatAreNotOursCountForNothingAndAreKeptAside(text: String) async throws {
        try await applications.decide(true, path, of: bundle)
        try folder.write(text, to: "applications.json")
        #expect(await !isApproved)
        #expect(try folder.read("applications.json") == text)
        try await applications.decide(true, path, of: bundle)
        #expect(await isApproved)
        #expect(try folder.read("applications.json.disbelieved") == text)
    }

    @Test func digestCoversEveryPiece() async throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: "/bin/true"))
        data.append(Data(repeating: 7, count: 3 << 20))
        try folder.write(data, to: "user/keyway/providers/vault.appex/viewer", mode: 0o755)
        try await applications.decide(true, path, of: bundle)
        #expect(await isApproved)
        for position in [8, data.count / 2, data.count - 1] {
            var changed = data
            changed[position] ^= 1
            try folder.write(changed, to: "user/keyway/providers/vault.appex/viewer", mode: 0o755)
            #expect(await !isApproved)
        }
    }
}

/// Whose group a folder is.
struct GroupFoldersTests {
    private let folder: TemporaryFolder
    private let groups: GroupFolders

    init() throws {
        folder = try TemporaryFolder()
        groups = GroupFolders(folder: folder.path + "/groups", seal: .opened())
    }

    private func bundle(_ name: String, _ scope: KeywayPaths.ProviderFolder.Scope = .user) throws -> ProviderBundle {
        let information = ["KeywayGroup": "group.shared"]
        try TestBundle.install(in: folder, information, name: name, root: scope.rawValue)
        return ProviderBundle(
            path: folder.path + "/\(scope.rawValue)/keyway/providers/\(name).appex", scope: scope)
    }

    @Test func folderIsMadeClosedToOthers() throws {
        let path = try groups.container("group.shared", for: bundle("one"))
        try PrivateFolder.check(path)
        #expect(try groups.container("group.shared", for: bundle("one")) == path)
    }

    @Test func secondBundleIsRefusedEvenWhenTheFirstIsGone() async throws {
        let path = try groups.container("group.shared", for: bundle("one"))
        try folder.write("secret", to: "groups/group.shared/file")
        let other = try bundle("other")
        #expect(await failure { try groups.claim(for: other) }?.code == .refused)
        #expect(await failure { _ = try groups.container("group.shared", for: other) }?.code == .refused)
        #expect(FileManager.default.fileExists(atPath: path + "/file"))
    }

    @Test func bundleOfThePersonNeverJoinsOneOfTheSystem() async throws {
        _ = try groups.container("group.shared", for: bundle("one", .system))
        #expect(await failure { try groups.claim(for: bundle("one", .user)) }?.code == .refused)
        try groups.claim(for: bundle("one", .system))
    }

    @Test func bundleThatCameIntoTheSystemKeepsItsGroup() async throws {
        try groups.claim(for: bundle("one", .user))
        try groups.claim(for: bundle("one", .system))
        #expect(await failure { try groups.claim(for: bundle("one", .user)) }?.code == .refused)
    }

    @Test func damagedOwnerOwnsNothing() async throws {
        try groups.claim(for: bundle("one"))
        try folder.write("{", to: "groups/.owners/group.shared")
        #expect(await failure { try groups.claim(for: bundle("one")) }?.code == .refused)
    }

    @Test(arguments: ["group.", "group", "shared", "group../x", "group.a/b", "", "group.ä"])
    func otherNamesAreAProblemOfTheBundle(name: String) throws {
        try TestBundle.install(in: folder, ["KeywayGroup": name], name: "x", root: "user")
        let bundle = ProviderBundle(path: folder.path + "/user/keyway/providers/x.appex", scope: .user)
        #expect(bundle.problem?.contains("KeywayGroup") == true)
    }
}
