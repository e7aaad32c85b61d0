import Foundation
import Testing

@testable import KeywaySystem

/// Which folders are searched for bundles, and whose they are.
@Suite struct ProviderFolderTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/keyway-paths.XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template).map { String(cString: $0) })
        folder = made
    }

    private func make(_ path: String, mode: Int = 0o755) throws {
        try FileManager.default.createDirectory(atPath: folder + path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + path)
    }

    private func folders(_ shared: String..., systems: [String]) throws -> [KeywayPaths.ProviderFolder] {
        let environment = ["HOME": folder + "/home", "XDG_DATA_DIRS": shared.joined(separator: ":")]
        return try KeywayPaths(environment: environment) { path in systems.contains { path.hasPrefix($0) } }
            .providerFolders
    }

    @Test func aFolderOfThePersonComesAfterTheSystemsAndIsThePersons() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let mine = folder + "/home/.local/share/flatpak/exports/share"
        let found = try folders(mine, folder + "/usr", systems: [folder + "/usr"])
        #expect(found.map(\.scope) == [.system, .user, .user])
        #expect(
            found.map(\.path) == [
                folder + "/usr/keyway/providers", mine + "/keyway/providers",
                folder + "/home/.local/share/keyway/providers",
            ])
    }

    @Test(arguments: ["", "/", "//"])
    func aFolderIsSearchedOnceHoweverItIsWritten(ending: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try make("/usr/keyway/providers")
        try make("/home/.local/share/keyway/providers")
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/usr")
        let written = [
            folder + "/usr" + ending, folder + "/link" + ending, folder + "/./usr", folder + "/missing" + ending,
            folder + "//missing", folder + "/usr", folder + "/home/.local/share" + ending,
        ]
        let found = try folders(written.joined(separator: ":"), systems: [folder + "/usr", folder + "/missing"])
        #expect(
            found.map(\.path) == [
                folder + "/usr/keyway/providers", folder + "/missing/keyway/providers",
                folder + "/home/.local/share/keyway/providers",
            ])
    }

    @Test func aLinkToAFolderOfThePersonIsThePersons() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try make("/home/share")
        try make("/usr")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/usr/share", withDestinationPath: folder + "/home/share")
        let found = try folders(folder + "/usr/share", systems: [folder + "/usr"])
        #expect(found.map(\.scope) == [.user, .user])
    }

    // MARK: - Whose a folder is

    @Test(arguments: ["/usr/share", "/usr/share/no-such-folder/keyway/providers", "/", "/etc"])
    func whatOnlyRootCanWriteIsTheSystems(path: String) {
        #expect(SystemFolder.isOne(path))
    }

    @Test(arguments: ["/tmp", "/tmp/no-such-folder-of-keyway/keyway/providers", "/proc/self/fd/0", "/etc/passwd"])
    func whatOthersCanWriteIsNot(path: String) {
        #expect(!SystemFolder.isOne(path))
    }

    @Test(arguments: [(0o755, true), (0o700, true), (0o775, false), (0o757, false), (0o1777, false)])
    func aFolderIsTheSystemsWhereRootMadeIt(mode: Int, isSystems: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try make("/share/keyway/providers")
        try make("/share", mode: mode)
        let isRoot = geteuid() == 0
        // In a folder with the sticky bit what is root's stays there.
        #expect(SystemFolder.isOne(folder + "/share/keyway/providers") == (isRoot && (isSystems || mode == 0o1777)))
        #expect(SystemFolder.isOne(folder + "/share") == (isRoot && isSystems))
        #expect(SystemFolder.isOne(folder + "/share/missing") == (isRoot && isSystems))
    }

    @Test func aFolderOfAnotherUserIsNotTheSystems() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try make("/share/keyway")
        // To anybody but root it is one already.
        if geteuid() == 0 { #expect(chown(folder + "/share", 12345, 0) == 0) }
        #expect(!SystemFolder.isOne(folder + "/share/keyway"))
    }
}
