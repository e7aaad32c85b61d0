import Foundation
import KeywaySystem
import Testing

@testable import ProviderKit

struct PathNameTests {
    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a/./b//c/", "/a/b/c"), ("/a/../b", "/b"), ("/../..", "/"), ("", "/"),
    ])
    func aNormalPathHasNoDetours(path: String, normal: String) {
        #expect(PathName.normal(path) == normal)
    }

    @Test func aFolderHoldsWhatIsBelowItAndNotItsNeighbours() {
        #expect(PathName.lies("/a/b", in: "/a"))
        #expect(PathName.lies("/a", in: "/a"))
        #expect(!PathName.lies("/ab", in: "/a"))
    }

    @Test func whereAPathLeadsIsSaidWithoutLinks() throws {
        let folder = PathName.real(FileManager.default.temporaryDirectory.path) + "/kit-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/other", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (link, target) in [("folder", "other"), ("file", folder + "/other/new"), ("loop", "loop")] {
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: target)
        }
        for (path, isFollowed, destination) in [
            ("/new", true, "/new"), ("/folder/new", false, "/other/new"), ("/folder/a/b", true, "/other/a/b"),
            ("/folder/../new", true, "/new"), ("/file", true, "/other/new"), ("/file", false, "/file"),
            ("/folder", false, "/folder"), ("/folder", true, "/other"), ("/folder/", false, "/other"),
            ("/loop", true, "/loop"), ("/gone/../new", true, "/new"),
        ] {
            #expect(
                PathName.destination(of: folder + path, following: isFollowed) == folder + destination,
                "\(path) \(isFollowed)")
        }
    }
}

struct SocketAddressTests {
    @Test(
        arguments: [
            ([], SocketAddress.none), ([1], .none), ([1, 0], .none), ([0, 0, 47, 97], .none),
            ([1, 0, 47, 97, 0, 98], .path("/a")), ([1, 0, 47, 97], .path("/a")), ([1, 0, 0, 97], .abstract("a")),
            ([2, 0, 0, 80], .family(2)), ([16, 0], .family(16)),
        ] as [([UInt8], SocketAddress)])
    func anAddressIsReadFromItsBytes(bytes: [UInt8], address: SocketAddress) {
        #expect(SocketAddress(bytes) == address)
    }
}

struct PrivatePlaceTests {
    private func place(home: String? = nil) throws -> PrivatePlace {
        try PrivatePlace(
            parent: FileManager.default.temporaryDirectory.path, homeContents: home,
            environment: ["HOME": "/home/ada", "PATH": "/bin", "SECRET": "x"])
    }

    @Test func theEnvironmentNamesItsOwnFoldersAndNothingOfTheCallers() throws {
        let place = try place()
        defer { place.remove() }
        #expect(place.environment["HOME"] == place.root + "/home")
        #expect(place.environment["SECRET"] == nil)
        #expect(place.environment["PATH"] == "/bin")
        let folders = place.environment.filter { $0.key.hasPrefix("XDG_") }.map(\.value)
        #expect(folders.count == 5 && folders.allSatisfy { $0.hasPrefix(place.root + "/") })
    }

    @Test func aProviderMayWriteToItsOwnFoldersOnly() throws {
        let place = try place()
        defer { place.remove() }
        let data = place.root + "/home/.local/share"
        for path in [data + "/notebook/file", place.root + "/run/socket", place.root + "/group/x", "/dev/null"] {
            #expect(place.mayWrite(path), "\(path)")
        }
        for path in [
            "/tmp/file", place.root + "/home/file", data + "/keyway/providers/Other.appex/Info.plist",
            place.root + "/home/.local/state/keyway/identities/other", place.root + "/run/keyway/autofill.sock",
        ] {
            #expect(!place.mayWrite(path), "\(path)")
        }
    }

    @Test func aProviderReachesItsOwnSocketsAndThoseOfTheSystem() throws {
        let place = try place()
        defer { place.remove() }
        for path in [place.root + "/run/socket", "/run/systemd/userdb/io.systemd.Machine", "/dev/log"] {
            #expect(place.mayReach(path), "\(path)")
        }
        for path in ["/run/user/0/bus", "@name", "/run/systemd/private", "/run/user/\(geteuid())/gnupg/S.gpg-agent"] {
            #expect(!place.mayReach(path), "\(path)")
        }
        let shared = try PrivatePlace(
            parent: FileManager.default.temporaryDirectory.path, homeContents: nil, leaves: ["gpg-agent"],
            environment: ["HOME": "/home/ada"])
        defer { shared.remove() }
        #expect(shared.mayReach("/run/user/\(geteuid())/gnupg/S.gpg-agent"))
    }

    @Test func whatProcessesHaveOpenIsNotTakenForTheirs() throws {
        let place = try place()
        defer { place.remove() }
        #expect(place.mayWrite("/proc/self/oom_score_adj"))
        #expect(!place.mayWrite("/proc/7/root/home/file") && !place.mayWrite("/proc/7/cwd/file"))
    }

    @Test func whatTheHomeBringsAlongIsCopiedAndMayBeWritten() throws {
        let source = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: source.appending(path: ".store"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: source.appending(path: ".store/file"))
        defer { try? FileManager.default.removeItem(at: source) }
        let place = try place(home: source.path)
        #expect(place.files() == [place.root + "/home/.store/file"])
        #expect(place.mayWrite(place.root + "/home/.store/other"))
        place.remove()
        #expect(FileManager.default.fileExists(atPath: source.path + "/.store/file"))
        #expect(!FileManager.default.fileExists(atPath: place.root))
    }
}

struct ProviderTemplateTests {
    @Test(arguments: [
        ("Notebook", true), ("N", true), ("Note2", true), ("notebook", false), ("2Note", false), ("", false),
        ("Note-book", false), ("Nöte", false), ("../Evil", false), (String(repeating: "A", count: 41), false),
    ])
    func aNameIsOneOfASwiftType(name: String, isName: Bool) {
        #expect(ProviderTemplate.isName(name) == isName)
    }

    @Test(arguments: ["Swift", "Foundation", "AuthenticationServices", "Glibc", "Vault", "ProviderKit"])
    func aNameIsNotOneOfAModule(name: String) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)").path
        let template = ProviderTemplate(source: root + "/source", keyway: "/opt/keyway")
        #expect(throws: ProtocolError(.invalidParameters, "")) { try template.make(name, in: root) }
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    /// Every folder of sources is a target, and SwiftPM takes each name once.
    @Test func everyModuleOfTheSourceTreeIsKnown() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let floors = ["C", "Programs"]
        let folders = try ["", "/C"].flatMap {
            try FileManager.default.contentsOfDirectory(atPath: root.path + "/Sources" + $0)
        }
        let names = folders.filter { ProviderTemplate.isName($0) && !floors.contains($0) }
        #expect(names.contains("ProviderKit") && names.contains("CSys"))
        #expect(names.filter { !ProviderTemplate.modules.contains($0) } == [])
    }

    @Test func aPackageIsMadeOnceAndAFolderThatIsThereStaysAsItIs() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: root + "/source/__NAME__", withIntermediateDirectories: true)
        try Data("__NAME__ __name__ __KEYWAY__".utf8).write(to: URL(filePath: root + "/source/__NAME__/__NAME__.txt"))
        let template = ProviderTemplate(source: root + "/source", keyway: "/opt/keyway")
        let made = try template.make("Note", in: root + "/new")
        #expect(try String(contentsOfFile: made + "/Note/Note.txt", encoding: .utf8) == "Note note /opt/keyway")
        #expect(throws: ProtocolError(.exists, "")) { try template.make("Note", in: root + "/new") }
        #expect(throws: ProtocolError(.invalidParameters, "")) { try template.make("note", in: root + "/new") }
    }
}
